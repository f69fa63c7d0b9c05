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
    private let schema: SchemaProof
    private let settings: SettingsTable
    private let tables: [String]
    private let before: Contents
    private let lastRows: LastRows
    private let versions: [Int64: Int64]
    /// What the updated records have beside `Z_OPT` and the fields of their updates.
    private let rest: [Int64: [FieldValue]]
    /// `Z_PRIMARYKEY` without the history's entities.
    private let keys: [PrimaryKeys.Entry]
    private let deleted: Set<Int64>
    private let updated: [Int64: RecordUpdate]
    private let inserted: [Int64: RecordInsertion]

    /// Everything that must stay: per table a digest of the rows that no change names.
    private struct Contents: Equatable {
        var digests: [String: TableDigest]
        var metadata: [String: PropertyList]?
        /// The rows of Z_METADATA without the property list.
        var identity: [[FieldValue]]
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
        var inserted: [Int64: RecordInsertion] = [:]
        for change in plan.changes {
            switch change {
            case .delete(let deletion): deleted.insert(deletion.record.row)
            case .update(let update): updated[update.row] = update
            case .insert(let insertion): inserted[insertion.row] = insertion
            case .schema, .metadata: break
            }
        }
        self.deleted = deleted
        self.updated = updated
        self.inserted = inserted
        // Z_PRIMARYKEY is compared by what it says, and so is Z_METADATA where it is to change.
        var apart: Set<String> = ["Z_PRIMARYKEY"]
        if !plan.metadataChanges.isEmpty {
            apart.insert("Z_METADATA")
        }
        schema = try SchemaProof(before: plan, store, database)
        apart.formUnion(schema.replacedTables)
        tables = store.description.schema.tables.keys.filter { !apart.contains($0) }.sorted()
        var lastRows = LastRows()
        for table in Self.historyTables where store.description.schema.tables[table] != nil {
            try database.forEachRow("SELECT COALESCE(MAX(Z_PK), 0) FROM \(table)") {
                lastRows.history[table] = $0.integer(0)
            }
        }
        self.lastRows = lastRows
        keys = store.description.keys.entries.filter { !Self.historyEntities.contains($0.name) }
        versions = try Self.versions(of: updated.keys.sorted(), settings, database)
        if let row = versions.first(where: { $0.value == .max })?.key {
            throw StoreError(
                .unsuitable, at: store.path,
                "Z_OPT of row \(row) of \(settings.table.name) is the largest number there is")
        }
        rest = try Self.rest(of: updated, settings, database)
        before = try Self.contents(
            tables, store, settings, touched: deleted.union(updated.keys).union(inserted.keys), lastRows,
            schema: schema, database)
    }

    /// - Parameter remaining: what the planner would still do.
    /// - Returns: each table with its rows before and after, those that the plan names left out.
    /// - Throws: `Failure`; the transaction must not be committed then.
    @discardableResult
    func check(_ store: InspectedStore, remaining: Plan, _ database: Database) throws -> [TableContents] {
        try schema.check(store, database)
        let after = try Self.contents(
            tables, store, settings, touched: deleted.union(updated.keys).union(inserted.keys), lastRows,
            schema: schema, database)
        for table in tables where before.digests[table] != after.digests[table] {
            throw Failure(description: "rows of \(table) changed that the plan does not name")
        }
        guard before.identity == after.identity else { throw Failure(description: "the store's identity changed") }
        guard plan.applied(to: before.metadata) == after.metadata else {
            throw Failure(description: "the metadata is not what was planned")
        }
        guard remaining.isEmpty else {
            throw Failure(description: "\(remaining.changes.count) changes would still be planned")
        }
        try checkRecords(store, database)
        try checkHistory(store, database)
        try checkRowNumbers(store)
        return tables.compactMap { table in
            guard let before = before.digests[table], let after = after.digests[table] else { return nil }
            return TableContents(name: table, rows: after.rows, before: before.sha256, after: after.sha256)
        }
    }

    private func checkRecords(_ store: InspectedStore, _ database: Database) throws {
        guard store.addresses.records == plan.summary.records - deleted.count + inserted.count else {
            throw Failure(description: "\(store.addresses.records) records are left instead of the planned number")
        }
        let rows = updated.keys.sorted() + inserted.keys.sorted()
        let versions = try Self.versions(of: rows, settings, database)
        let rest = try Self.rest(of: updated, settings, database)
        var seen = 0
        try settings.forEachRecord(of: rows, cloudRecords: CloudRecords(), database) { record in
            let row = record.row
            seen += 1
            guard rest[row] == self.rest[row] else {
                throw Failure(description: "a field of row \(row) changed that the plan does not name")
            }
            let planned = updated[row]?.fields ?? inserted[row]?.fields ?? []
            for change in planned
            where settings.layout.position(named: change.field.name).map({ record.values[$0] }) != change.after {
                throw Failure(description: "\(change.field.name) of row \(row) is not what was planned")
            }
            // A new record has the values of the plan and no others.
            guard inserted[row] == nil || record.values.count(where: { !$0.isNull }) == planned.count else {
                throw Failure(description: "the new row \(row) has values that the plan does not name")
            }
            guard versions[row] == (self.versions[row] ?? 0) &+ 1 else {
                throw Failure(description: "Z_OPT of row \(row) did not go up by one")
            }
        }
        guard seen == rows.count else { throw Failure(description: "\(rows.count - seen) planned rows are gone") }
    }

    private func checkHistory(_ store: InspectedStore, _ database: Database) throws {
        guard let history = store.description.history else { return }
        guard plan.changesRecords else {
            for table in lastRows.history.keys where try lastRow(of: table, database) != lastRows.history[table] {
                throw Failure(description: "rows were added to \(table) although no record changed")
            }
            return
        }
        let transaction = try addedTransaction(database)
        try checkChanges(of: transaction, store, database)
        if history.form == .strings {
            let strings = try added(["ZNAME"], to: "ATRANSACTIONSTRING", database)
            guard strings.isEmpty || strings == [[.text(HistoryWriter.author)]] else {
                throw Failure(description: "\(strings.count) rows were added to ATRANSACTIONSTRING")
            }
        }
        let problems = try history.problems(database, keys: store.description.keys)
        // What was broken before is `verify`'s to tell; what is broken by this change is in the newest rows.
        if let problem = problems.first(where: { $0.hasPrefix("Z_MAX") }) { throw Failure(description: problem) }
        for (name, table) in [("CHANGE", "ACHANGE"), ("TRANSACTION", "ATRANSACTION")]
        where try lastRow(of: table, database) != lastRows.history[table] {
            guard store.description.keys[name]?.lastRow == (try lastRow(of: table, database)) else {
                throw Failure(description: "Z_MAX of \(name) is not the last row of \(table)")
            }
        }
        if history.form == .strings {
            guard
                try store.description.keys["TRANSACTIONSTRING"]?.lastRow ?? 0
                    >= lastRow(of: "ATRANSACTIONSTRING", database)
                    || lastRow(of: "ATRANSACTIONSTRING", database) == lastRows.history["ATRANSACTIONSTRING"]
            else { throw Failure(description: "Z_MAX of TRANSACTIONSTRING is behind") }
        }
    }

    /// The number of the one transaction that was added.
    private func addedTransaction(_ database: Database) throws -> FieldValue {
        let transactions = try added(["Z_PK", "ZTIMESTAMP"], to: "ATRANSACTION", database)
        guard transactions.count == 1, let latest = transactions[0][1].timestamp else {
            throw Failure(description: "\(transactions.count) rows were added to ATRANSACTION instead of 1")
        }
        try database.forEachRow(
            "SELECT MAX(ZTIMESTAMP) FROM ATRANSACTION WHERE Z_PK <= ? AND typeof(ZTIMESTAMP) IN ('real', 'integer')",
            [.integer(lastRows.history["ATRANSACTION"] ?? 0)]
        ) { row in
            guard row.storageClass(0) == .null || row.real(0) <= latest.secondsSince2001 else {
                throw Failure(description: "the history goes back in time")
            }
        }
        return transactions[0][0]
    }

    /// Each change of the plan stands in the history once, and nothing else.
    private func checkChanges(of transaction: FieldValue, _ store: InspectedStore, _ database: Database) throws {
        var expected: [Int64: [FieldValue]] = [:]
        let entity = FieldValue.integer(settings.entity.number)
        for row in deleted {
            expected[row] = [.integer(PersistentHistory.ChangeType.delete.rawValue), entity, transaction, .null]
        }
        var known: [Set<String>: [UInt8]?] = [:]
        for (row, update) in updated {
            let names = Set(update.fields.map(\.field.name))
            let columns = known[names] ?? settings.changedColumns(names)
            known[names] = columns
            expected[row] = [
                .integer(PersistentHistory.ChangeType.update.rawValue), entity, transaction,
                columns.map(FieldValue.blob) ?? .null,
            ]
        }
        for row in inserted.keys {
            expected[row] = [.integer(PersistentHistory.ChangeType.insert.rawValue), entity, transaction, .null]
        }
        let columns = ["ZENTITYPK", "ZCHANGETYPE", "ZENTITY", "ZTRANSACTIONID", "ZCOLUMNS"]
        let changes = try added(columns, to: "ACHANGE", database)
        guard changes.count == expected.count else {
            throw Failure(description: "\(changes.count) rows were added to ACHANGE instead of \(expected.count)")
        }
        for change in changes {
            guard case .integer(let row) = change[0], expected[row] == Array(change.dropFirst()) else {
                throw Failure(description: "a row was added to ACHANGE that does not say what was done")
            }
        }
    }

    /// The rows of a table of the history that were not there before.
    private func added(_ columns: [String], to table: String, _ database: Database) throws -> [[FieldValue]] {
        var rows: [[FieldValue]] = []
        try database.forEachRow(
            "SELECT \(columns.map(\.quotedIdentifier).joined(separator: ", ")) FROM \(table) WHERE Z_PK > ? ORDER BY Z_PK",
            [.integer(lastRows.history[table] ?? 0)]
        ) { row in rows.append(columns.indices.map { FieldValue(row, $0) }) }
        return rows
    }

    private func lastRow(of table: String, _ database: Database) throws -> Int64 {
        var last: Int64 = 0
        try database.forEachRow("SELECT COALESCE(MAX(Z_PK), 0) FROM \(table)") { last = $0.integer(0) }
        return last
    }

    private func checkRowNumbers(_ store: InspectedStore) throws {
        let expected = keys.map { entry in
            var entry = entry
            if entry == settings.entity, let last = inserted.keys.max() { entry.lastRow = last }
            return entry
        }
        let entries = store.description.keys.entries.filter { !Self.historyEntities.contains($0.name) }
        guard entries == (expected + schema.addedEntities).sorted(by: { $0.number < $1.number }) else {
            throw Failure(description: "Z_PRIMARYKEY is not what was planned")
        }
    }

    private static func contents(
        _ tables: [String], _ store: InspectedStore, _ settings: SettingsTable, touched: Set<Int64>,
        _ lastRows: LastRows, schema: SchemaProof, _ database: Database
    ) throws -> Contents {
        var digests: [String: TableDigest] = [:]
        for table in tables {
            let columns = schema.columns[table]
            if table == settings.table.name, !touched.isEmpty {
                digests[table] = try TableDigest(
                    of: table, columns: columns, where: { !touched.contains($0) }, database)
            } else if let last = lastRows.history[table] {
                digests[table] = try TableDigest(of: table, columns: columns, where: { $0 <= last }, database)
            } else {
                digests[table] = try TableDigest(of: table, columns: columns, database)
            }
        }
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

    private static func rest(
        of updated: [Int64: RecordUpdate], _ settings: SettingsTable, _ database: Database
    ) throws -> [Int64: [FieldValue]] {
        let columns = settings.table.columns.map(\.name)
        let statement = try PreparedStatement(
            database,
            """
            SELECT \(columns.map(\.quotedIdentifier).joined(separator: ", ")) \
            FROM \(settings.table.name.quotedIdentifier) WHERE Z_PK = ?
            """)
        var rest: [Int64: [FieldValue]] = [:]
        for (row, update) in updated {
            let changed = Set(
                update.fields.compactMap { change in
                    settings.layout.position(named: change.field.name).map { settings.columns[$0] }
                } + ["Z_OPT"])
            try statement.forEachRow([.integer(row)]) { found in
                rest[row] = columns.indices.filter { !changed.contains(columns[$0]) }.map { FieldValue(found, $0) }
            }
        }
        return rest
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
