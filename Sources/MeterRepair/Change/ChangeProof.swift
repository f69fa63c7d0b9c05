internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The check before a commit: the store now differs from the store before by the plan and by nothing else.
///
/// What it rests on:
/// 1. `sqlite_master` is what it was, but for what the plan names (`SchemaProof`).
/// 2. SQLite told of every row it wrote (`WriteLog`): in the table of the records each deleted, updated and inserted row
///    of the plan once and no other; new rows in the tables of the history; nothing in any other table, but for the
///    ones of 3. The number of rows of each table fits that. A table that SQLite does not tell of is compared as a
///    whole, by a digest; so is every table but the ones of 3 where no record is to change.
/// 3. `Z_METADATA`, `Z_PRIMARYKEY` and a cached model that the plan replaces are compared by what they say.
/// 4. Each written record is read again (`ChangeProof+Records`): a planned field has the planned value, every other
///    column of an updated row its old one, `Z_OPT` is one more; a new row has its planned values and no others.
/// 5. The new rows of the history say what was done and nothing else (`ChangeProof+History`).
/// 6. The planner has nothing left to do.
///
/// 2 watches the writing and sees a mistake in a row that nobody reads again: another meter's, or an old row of the
/// history. 3 to 6 look at what is there, however it came about; they would find a mistake in a planned row, in a number
/// or in the new history also if SQLite told nothing. No step is there for what another one finds in any case.
struct ChangeProof {
    let plan: Plan
    let settings: SettingsTable
    let rows: PlannedRows
    /// The last row of each table of the history: up to here they must stay as they are.
    let lastHistoryRows: [SQLName: Int64]
    let schema: SchemaProof
    private let log: WriteLog
    /// The names of all tables, in order.
    let tables: [SQLName]
    /// Those of them that are compared as a whole.
    private let digested: [SQLName]
    private let before: Contents
    /// `Z_PRIMARYKEY`.
    private let keys: [PrimaryKeys.Entry]

    /// What is compared before and after.
    private struct Contents {
        /// Of the tables that are compared as a whole.
        var digests: [SQLName: TableDigest]
        var metadata: [String: PropertyList]?
        /// The rows of Z_METADATA without the property list.
        var identity: [[FieldValue]]
    }

    /// As a store gets them with its first transaction.
    private static let historyEntities = [(16_001, "CHANGE"), (16_002, "TRANSACTION"), (16_003, "TRANSACTIONSTRING")]
        .map { PrimaryKeys.Entry(number: $0, name: $1, parent: 0, lastRow: 0) }
    private static let historyTables: [SQLName] = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

    init(before plan: Plan, _ store: InspectedStore, _ settings: SettingsTable, _ database: Database) throws {
        self.plan = plan
        self.settings = settings
        rows = PlannedRows(plan, settings)
        schema = try SchemaProof(before: plan, store, database)
        var lastRows: [SQLName: Int64] = [:]
        for table in Self.historyTables where store.description.schema.tables[table] != nil {
            try database.forEachRow("SELECT COALESCE(MAX(Z_PK), 0) FROM \(table)") { lastRows[table] = $0.integer(0) }
        }
        lastHistoryRows = lastRows
        keys = store.description.keys.entries
        // Z_PRIMARYKEY is compared by what it says, and so is Z_METADATA where it is to change.
        var apart = schema.replacedTables.union(["Z_PRIMARYKEY"])
        if !plan.metadataChanges.isEmpty { apart.insert("Z_METADATA") }
        tables = store.description.schema.tables.keys.sorted()
        digested = try tables.filter { table in
            // SQLite keeps some tables of its own, which it does not tell of either.
            try !apart.contains(table)
                && (!plan.changesRecords || table.hasPrefix("sqlite_") || !database.hasRowNumbers(table))
        }
        before = try Self.contents(of: digested, columns: schema.columns, store, database)
        log = WriteLog(database)
    }

    /// 2, 3 and 5; the rest is in `checkRecords`.
    /// - Parameters:
    ///   - store: after the change; may be without its records.
    ///   - recordsBefore: has seen the updated records as they were, and counted the rows of `tables`.
    /// - Returns: the tables that were compared as a whole, each with its rows before and after.
    /// - Throws: `ProofError`; the transaction must not be committed then.
    func check(
        _ store: InspectedStore, _ recordsBefore: RecordsBefore, _ database: Database
    ) throws -> [TableContents] {
        let after = try Self.contents(of: digested, columns: schema.columns, store, database)
        try checkWrites(after.digests, recordsBefore.counts, database)
        guard before.identity == after.identity else { throw ProofError(description: "the store's identity changed") }
        guard plan.applied(to: before.metadata) == after.metadata else {
            throw ProofError(description: "the metadata is not what was planned")
        }
        try checkHistory(store, database)
        try checkRowNumbers(store)
        return digested.compactMap { table in
            guard let before = before.digests[table], let after = after.digests[table] else { return nil }
            return TableContents(name: table.text, rows: after.rows, before: before.sha256, after: after.sha256)
        }
    }

    /// - Parameters:
    ///   - digests: of the tables that are compared as a whole, after the change.
    ///   - countsBefore: how many rows each table had.
    private func checkWrites(
        _ digests: [SQLName: TableDigest], _ countsBefore: [SQLName: Int], _ database: Database
    ) throws {
        let written = log.tables
        for (table, rows) in written {
            let isPlanned =
                switch table {
                case settings.table.name:
                    [rows.deleted.sorted(), rows.updated.sorted(), rows.inserted.sorted()] == [
                        self.rows.deleted.map(\.row), self.rows.updated.map(\.row), self.rows.inserted.map(\.row),
                    ]
                case "Z_PRIMARYKEY": true
                case "Z_METADATA" where !plan.metadataChanges.isEmpty: true
                case _ where schema.replacedTables.contains(table): true
                default:
                    lastHistoryRows[table].map { last in
                        rows.updated.isEmpty && rows.deleted.isEmpty && rows.inserted.allSatisfy { $0 > last }
                    } ?? false
                }
            guard isPlanned else {
                throw ProofError(description: "rows of \(table) changed that the plan does not name")
            }
        }
        let counts = try database.rowCounts(of: tables)
        for table in tables {
            let added = written[table].map { $0.inserted.count - $0.deleted.count } ?? 0
            guard counts[table] == countsBefore[table].map({ $0 + added }), before.digests[table] == digests[table]
            else {
                throw ProofError(description: "rows of \(table) changed that the plan does not name")
            }
        }
    }

    private func checkRowNumbers(_ store: InspectedStore) throws {
        var entries = store.description.keys.entries
        var expected = keys.map { entry in
            var entry = entry
            if entry == settings.entity, let last = rows.inserted.last { entry.lastRow = last.row }
            return entry
        }
        if plan.changesRecords {
            let known = Set(keys.map(\.name))
            let found = Set(entries.map(\.name))
            expected += Self.historyEntities.filter { !known.contains($0.name) && found.contains($0.name) }
            // Which numbers the history has come to is in `checkHistory`.
            let history = Set(Self.historyEntities.map(\.name))
            for index in entries.indices where history.contains(entries[index].name) { entries[index].lastRow = 0 }
            for index in expected.indices where history.contains(expected[index].name) { expected[index].lastRow = 0 }
        }
        guard entries == (expected + schema.addedEntities).sorted(by: { $0.number < $1.number }) else {
            throw ProofError(description: "Z_PRIMARYKEY is not what was planned")
        }
    }

    /// - Parameters:
    ///   - tables: which are compared as a whole.
    ///   - columns: the columns that each table had before the change.
    private static func contents(
        of tables: [SQLName], columns: [SQLName: [SQLName]], _ store: InspectedStore, _ database: Database
    ) throws -> Contents {
        var digests: [SQLName: TableDigest] = [:]
        for table in tables { digests[table] = try TableDigest(of: table, columns: columns[table], database) }
        return Contents(
            digests: digests, metadata: store.description.metadata.dictionary,
            identity: try identity(store, database))
    }

    private static func identity(_ store: InspectedStore, _ database: Database) throws -> [[FieldValue]] {
        let columns =
            store.description.schema.tables["Z_METADATA"]?.columns.map(\.name).filter { $0 != "Z_PLIST" } ?? []
        guard !columns.isEmpty else { return [] }
        var rows: [[FieldValue]] = []
        try database.forEachRow(
            "SELECT \(columns.map(\.quotedIdentifier).joined(separator: ", ")) FROM Z_METADATA ORDER BY rowid"
        ) { row in rows.append(columns.indices.map { FieldValue(row, $0) }) }
        return rows
    }
}

/// What is not as it must be before a commit: our own mistake, and the reason to roll back.
struct ProofError: Error, CustomStringConvertible {
    let description: String
}
