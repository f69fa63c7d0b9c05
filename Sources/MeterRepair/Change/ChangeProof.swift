internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// The check before a commit: the store now differs from the store before by the plan and by nothing else.
struct ChangeProof {
    /// What is not as it must be: our own mistake, and the reason to roll back.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let plan: Plan
    private let settings: SettingsTable
    private let tables: [String]
    private let before: Contents
    private let lastRows: LastRows
    private let versions: [Int64: Int64]
    /// `Z_PRIMARYKEY` without the history's entities.
    private let keys: [PrimaryKeys.Entry]
    private let deleted: Set<Int64>
    private let updated: [Int64: RecordUpdate]

    /// Everything that must stay: per table a digest of the rows that no change names.
    private struct Contents: Equatable {
        var digests: [String: TableDigest]
        var metadata: [String: PropertyList]?
        var uuid: String?
    }

    /// The last row of the history's tables: up to here they must stay as they are.
    private struct LastRows {
        var history: [String: Int64] = [:]
    }

    private static let historyEntities: Set<String> = ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"]
    private static let historyTables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

    init(before plan: Plan, _ store: InspectedStore, _ settings: SettingsTable, _ database: Database) throws {
        self.plan = plan
        self.settings = settings
        var deleted: Set<Int64> = []
        var updated: [Int64: RecordUpdate] = [:]
        for change in plan.changes {
            switch change {
            case .delete(let deletion): deleted.insert(deletion.record.row)
            case .update(let update): updated[update.row] = update
            case .metadata: break
            }
        }
        self.deleted = deleted
        self.updated = updated
        // Z_METADATA and Z_PRIMARYKEY are compared by what they say; sqlite_master is the DDL.
        tables =
            store.description.schema.tables.keys.filter { $0 != "Z_METADATA" && $0 != "Z_PRIMARYKEY" }
            .sorted() + ["sqlite_master"]
        var lastRows = LastRows()
        for table in Self.historyTables where store.description.schema.tables[table] != nil {
            try database.forEachRow("SELECT COALESCE(MAX(Z_PK), 0) FROM \(table)") {
                lastRows.history[table] = $0.integer(0)
            }
        }
        self.lastRows = lastRows
        keys = store.description.keys.entries.filter { !Self.historyEntities.contains($0.name) }
        versions = try Self.versions(of: updated.keys.sorted(), settings, database)
        before = try Self.contents(
            tables, store, settings, touched: deleted.union(updated.keys), lastRows, database)
    }

    /// - Parameter remaining: what the planner would still do.
    /// - Throws: `Failure`; the transaction must not be committed then.
    func check(_ store: InspectedStore, remaining: Plan, _ database: Database) throws {
        let after = try Self.contents(
            tables, store, settings, touched: deleted.union(updated.keys), lastRows, database)
        for table in tables where before.digests[table] != after.digests[table] {
            throw Failure(description: "rows of \(table) changed that the plan does not name")
        }
        guard before.uuid == after.uuid else { throw Failure(description: "the store's UUID changed") }
        var metadata = before.metadata
        for case .metadata(let change) in plan.changes { metadata?[change.key] = .integer(change.after) }
        guard metadata == after.metadata else { throw Failure(description: "the metadata is not what was planned") }
        guard remaining.isEmpty else {
            throw Failure(description: "\(remaining.changes.count) changes would still be planned")
        }
        try checkRecords(store, database)
        try checkHistory(store, database)
        try checkRowNumbers(store)
    }

    private func checkRecords(_ store: InspectedStore, _ database: Database) throws {
        guard store.addresses.records == plan.summary.records - deleted.count else {
            throw Failure(description: "\(store.addresses.records) records are left instead of the planned number")
        }
        let cloudRecords = CloudRecords()
        let records = try settings.records(of: updated.keys.sorted(), cloudRecords: cloudRecords, database)
        let versions = try Self.versions(of: updated.keys.sorted(), settings, database)
        for (row, update) in updated {
            guard let record = records[row] else { throw Failure(description: "row \(row) is gone") }
            for change in update.fields
            where settings.layout.position(named: change.field.name).map({ record.values[$0] }) != change.after {
                throw Failure(description: "\(change.field.name) of row \(row) is not what was planned")
            }
            guard versions[row] == (self.versions[row] ?? 0) + 1 else {
                throw Failure(description: "Z_OPT of row \(row) did not go up by one")
            }
        }
    }

    private func checkHistory(_ store: InspectedStore, _ database: Database) throws {
        guard store.description.history != nil else { return }
        for (table, expected) in [("ACHANGE", deleted.count + updated.count), ("ATRANSACTION", 1)] {
            var added = 0
            try database.forEachRow(
                "SELECT COUNT(*) FROM \(table) WHERE Z_PK > ?", [.integer(lastRows.history[table] ?? 0)]
            ) { added = Int($0.integer(0)) }
            guard added == expected else {
                throw Failure(description: "\(added) rows were added to \(table) instead of \(expected)")
            }
        }
        let problems = try store.description.history?.problems(database, keys: store.description.keys) ?? []
        // What was broken before is `verify`'s to tell; what is broken by this change is in the newest rows.
        if let problem = problems.first(where: { $0.hasPrefix("Z_MAX") }) { throw Failure(description: problem) }
    }

    private func checkRowNumbers(_ store: InspectedStore) throws {
        guard store.description.keys.entries.filter({ !Self.historyEntities.contains($0.name) }) == keys else {
            throw Failure(description: "Z_PRIMARYKEY changed for an entity that is not the history's")
        }
    }

    private static func contents(
        _ tables: [String], _ store: InspectedStore, _ settings: SettingsTable, touched: Set<Int64>,
        _ lastRows: LastRows, _ database: Database
    ) throws -> Contents {
        var digests: [String: TableDigest] = [:]
        for table in tables {
            if table == settings.table.name {
                digests[table] = try TableDigest(of: table, where: { !touched.contains($0) }, database)
            } else if let last = lastRows.history[table] {
                digests[table] = try TableDigest(of: table, where: { $0 <= last }, database)
            } else {
                digests[table] = try TableDigest(of: table, database)
            }
        }
        return Contents(
            digests: digests, metadata: store.description.metadata.dictionary, uuid: store.description.metadata.uuid)
    }

    /// `Z_OPT` of these rows.
    private static func versions(
        of rows: [Int64], _ settings: SettingsTable, _ database: Database
    ) throws -> [Int64: Int64] {
        let statement = try PreparedStatement(
            database, "SELECT Z_OPT FROM \(settings.table.name.quotedIdentifier) WHERE Z_PK = ?")
        var versions: [Int64: Int64] = [:]
        for row in rows { try statement.forEachRow([.integer(row)]) { versions[row] = $0.integer(0) } }
        return versions
    }
}
