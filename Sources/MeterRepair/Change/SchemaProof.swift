internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import MeterStore

/// The part of the check before a commit that is about tables, indexes and entities: they are what they were, but for
/// what the plan names.
struct SchemaProof {
    private let plan: [SchemaChange]
    /// `sqlite_master`, by name.
    private let before: [SQLName: Entry]
    /// The columns each table had, which are the ones that must keep their values.
    let columns: [SQLName: [SQLName]]
    /// Rows of the cached model: one, where no other tool has left more.
    private let cachedModels: Int

    private struct Entry: Equatable {
        let type: FieldValue
        let table: FieldValue
        let sql: FieldValue
    }

    init(before plan: Plan, in session: Session) throws {
        self.plan = plan.schemaChanges
        before = try Self.entries(session.database)
        columns = session.description.schema.tables.mapValues { $0.columns.map(\.name) }
        let cache: SQLName = "Z_MODELCACHE"
        let isThere = session.description.schema.tables[cache] != nil
        cachedModels = isThere ? try session.database.rowCounts(of: [cache])[cache] ?? 0 : 0
    }

    /// Tables whose contents are replaced as a whole.
    var replacedTables: Set<SQLName> {
        Set(plan.compactMap { change in if case .modelCache = change { "Z_MODELCACHE" } else { nil } })
    }

    /// Whether an index is dropped, of which SQLite then also drops what `ANALYZE` found out.
    var forgetsStatistics: Bool {
        plan.contains { change in
            switch change {
            case .dropIndex, .dropForeign(.index, _, _, _): true
            case .dropForeign, .addColumn, .createTable, .createIndex, .remakeIndex, .addEntity, .modelCache, .lastRow,
                .entityNumber:
                false
            }
        }
    }

    /// What the plan adds to `Z_PRIMARYKEY`.
    var addedEntities: [PrimaryKeys.Entry] {
        plan.compactMap { change in
            guard case .addEntity(let number, let name, let parent) = change else { return nil }
            return PrimaryKeys.Entry(number: number, name: name, parent: parent, lastRow: 0)
        }
    }

    /// The last row numbers that the plan raises, by entity number.
    var raisedLastRows: [Int64: Int64] {
        plan.reduce(into: [:]) { numbers, change in
            if case .lastRow(_, let number, _, let after) = change { numbers[number] = after }
        }
    }

    /// - Throws: `ProofError`.
    func check(_ session: Session) throws {
        let database = session.database
        var after = try Self.entries(database)
        var before = self.before
        var widened: [SQLName: [StoreSchema.Table.Column]] = [:]
        for change in plan {
            switch change {
            case .dropIndex(let name, _, _), .dropForeign(_, let name, _, _): before[SQLName(name)] = nil
            case .createTable(let name, _), .createIndex(let name, _, _):
                guard after.removeValue(forKey: SQLName(name))?.sql == .text(change.statement) else {
                    throw ProofError(description: "\(name) was not made as planned")
                }
            case .addColumn(let table, let column, let type):
                widened[SQLName(table), default: []].append(.init(name: SQLName(column), declaredType: type))
            // `ChangeProof` compares Z_PRIMARYKEY, and `RowProof` the rows.
            case .addEntity, .lastRow, .entityNumber: break
            // It was made before this proof began; SQLite's own check finds nothing wrong with it.
            case .remakeIndex: break
            case .modelCache(let content):
                let contents = try database.rows("SELECT Z_CONTENT FROM Z_MODELCACHE") { FieldValue($0, 0) }
                // Core Data reads the first one; another tool may have left more.
                guard contents == Array(repeating: .blob(content), count: max(1, cachedModels)) else {
                    throw ProofError(description: "the cached model is not what was planned")
                }
            }
        }
        // How SQLite words a table with one more column is its own affair; its columns are not.
        for (table, added) in widened {
            before[table] = nil
            after[table] = nil
            let expected = (columns[table] ?? []) + added.map(\.name)
            let found = session.description.schema.tables[table]?.columns ?? []
            guard found.map(\.name) == expected, found.suffix(added.count) == added[...] else {
                throw ProofError(description: "the columns of \(table) are not what was planned")
            }
        }
        guard before == after else { throw ProofError(description: "the schema changed") }
        for case .createTable(let name, _) in plan {
            guard try TableDigest(of: SQLName(name), database).rows == 0 else {
                throw ProofError(description: "the new table \(name) has rows")
            }
        }
    }

    private static func entries(_ database: Database) throws -> [SQLName: Entry] {
        var entries: [SQLName: Entry] = [:]
        try database.forEachRow("SELECT name, type, tbl_name, sql FROM sqlite_master") { row in
            entries[SQLName(String(decoding: row.bytes(0), as: UTF8.self))] = Entry(
                type: FieldValue(row, 1), table: FieldValue(row, 2), sql: FieldValue(row, 3))
        }
        return entries
    }
}
