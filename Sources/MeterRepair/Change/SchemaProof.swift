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

    private struct Entry: Equatable {
        let type: FieldValue
        let table: FieldValue
        let sql: FieldValue
    }

    init(before plan: Plan, in session: Session) throws {
        self.plan = plan.schemaChanges
        before = try Self.entries(session.database)
        columns = session.description.schema.tables.mapValues { $0.columns.map(\.name) }
    }

    /// Tables whose contents are replaced as a whole.
    var replacedTables: Set<SQLName> {
        Set(plan.compactMap { change in if case .modelCache = change { "Z_MODELCACHE" } else { nil } })
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
            case .dropIndex(let name, _, _): before[SQLName(name)] = nil
            case .createTable(let name, _), .createIndex(let name, _, _):
                guard after.removeValue(forKey: SQLName(name))?.sql == .text(change.statement) else {
                    throw ProofError(description: "\(name) was not made as planned")
                }
            case .addColumn(let table, let column, let type):
                widened[SQLName(table), default: []].append(.init(name: SQLName(column), declaredType: type))
            // `ChangeProof` compares Z_PRIMARYKEY, and `EntityNumberProof` the rows.
            case .addEntity, .lastRow, .entityNumber: break
            case .modelCache(let content):
                let contents = try database.rows("SELECT Z_CONTENT FROM Z_MODELCACHE") { FieldValue($0, 0) }
                guard contents == [.blob(content)] else {
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

/// The part of the check before a commit that is about the entity numbers of rows: the planned ones are what was planned,
/// all others of these tables what they were, and so is everything else in the rows that get one. That no other row was
/// written, SQLite tells (`WriteLog`).
struct EntityNumberProof {
    /// By table and row: the number after the change.
    private let planned: [SQLName: [Int64: Int64]]
    /// The columns of each of these tables, but for `Z_PK` and `Z_ENT`.
    private let columns: [SQLName: [SQLName]]
    /// Records whose other columns `RecordProof` looks after.
    private let updated: (table: SQLName, rows: Set<Int64>)
    private var before: [SQLName: [UInt8]] = [:]

    /// - Throws: SQLite's errors.
    init(before plan: Plan, _ records: PlannedRows, in session: MeterSession) throws {
        var planned: [SQLName: [Int64: Int64]] = [:]
        for case .entityNumber(let table, let row, _, let after) in plan.schemaChanges {
            planned[SQLName(table), default: [:]][row] = after
        }
        self.planned = planned
        var columns: [SQLName: [SQLName]] = [:]
        for table in planned.keys {
            columns[table] = (session.description.schema.tables[table]?.columns.map(\.name) ?? [])
                .filter { $0 != "Z_PK" && $0 != "Z_ENT" }
        }
        self.columns = columns
        // Of no other table are rows looked at.
        let own = session.settings.table.name
        updated = (own, planned[own] == nil ? [] : Set(records.updated.map(\.row)))
        for table in planned.keys { before[table] = try digest(of: table, session.database) { _, _ in } }
    }

    var tables: Set<SQLName> { Set(planned.keys) }

    /// The rows of a table that get another number, in ascending order.
    func rows(of table: SQLName) -> [Int64] { planned[table]?.keys.sorted() ?? [] }

    /// - Throws: `ProofError`; SQLite's errors.
    func check(_ database: Database) throws {
        for (table, rows) in planned {
            var found = 0
            let after = try digest(of: table, database) { row, number in
                guard number == .integer(rows[row] ?? 0) else {
                    throw ProofError(description: "Z_ENT of row \(row) of \(table) is not what was planned")
                }
                found += 1
            }
            guard found == rows.count else {
                throw ProofError(
                    description: "\(rows.count - found) rows of \(table) that the plan corrects are missing")
            }
            guard after == before[table] else {
                throw ProofError(description: "more of the rows of \(table) changed than their entity numbers")
            }
        }
    }

    /// Of all that is to stay.
    /// - Parameter visit: handed each planned row, with what it has for a number.
    private func digest(
        of table: SQLName, _ database: Database, _ visit: (Int64, FieldValue) throws -> Void
    ) throws -> [UInt8] {
        let rows = planned[table] ?? [:]
        var digest = ValueDigest()
        let others = columns[table] ?? []
        let selection = (["Z_PK", "Z_ENT"] + others).map(\.quotedIdentifier).joined(separator: ", ")
        try database.forEachRow("SELECT \(selection) FROM \(table.quotedIdentifier) ORDER BY Z_PK") { row in
            let number = row.integer(0)
            digest.add(row, 0)
            guard rows[number] != nil else {
                digest.add(row, 1)
                return
            }
            try visit(number, FieldValue(row, 1))
            guard table != updated.table || !updated.rows.contains(number) else { return }
            for column in others.indices { digest.add(row, column + 2) }
        }
        return digest.finish()
    }
}
