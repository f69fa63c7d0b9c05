internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The part of the check before a commit that is about the history: it has one transaction more, with each change of the
/// plan in it. Without a change of a record its tables are compared as a whole, like all others.
struct HistoryProof {
    private let rows: PlannedRows
    private let settings: SettingsTable
    /// The last row of each table of the history: up to here they must stay as they are.
    let lastRows: [SQLName: Int64]
    /// How far the mirror has read.
    private let token: HistoryToken

    /// As a store gets them with its first transaction.
    static let entities = [(16_001, "CHANGE"), (16_002, "TRANSACTION"), (16_003, "TRANSACTIONSTRING")]
        .map { PrimaryKeys.Entry(number: $0, name: $1, parent: 0, lastRow: 0) }
    private static let tables: [SQLName] = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

    /// Before the change.
    init(
        before rows: PlannedRows, _ store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws {
        self.rows = rows
        self.settings = settings
        var lastRows: [SQLName: Int64] = [:]
        for table in Self.tables where store.description.schema.tables[table] != nil {
            try database.forEachRow("SELECT COALESCE(MAX(Z_PK), 0) FROM \(table)") { lastRows[table] = $0.integer(0) }
        }
        self.lastRows = lastRows
        token = try store.description.mirror?.historyToken(of: store.description, database) ?? .none
    }

    /// - Parameter store: after the change of a record.
    /// - Throws: `ProofError`.
    func check(_ store: InspectedStore, _ database: Database) throws {
        guard let history = store.description.history else { return }
        let transaction = try addedTransaction(history, store, database)
        try checkChanges(of: transaction, database)
        try checkGone(store, database)
        try checkRest(of: "ACHANGE", "CHANGE", besides: Self.changeColumns, store, database)
        if history.hasStrings {
            let strings = try added(["ZNAME"], to: "ATRANSACTIONSTRING", database)
            guard strings.isEmpty || strings == [[.text(HistoryWriter.author)]] else {
                throw ProofError(description: "\(strings.count) rows were added to ATRANSACTIONSTRING")
            }
            try checkRest(of: "ATRANSACTIONSTRING", "TRANSACTIONSTRING", besides: ["Z_PK", "ZNAME"], store, database)
        }
        for (name, table): (String, SQLName) in [("CHANGE", "ACHANGE"), ("TRANSACTION", "ATRANSACTION")] {
            guard store.description.keys[name]?.lastRow == (try lastRow(of: table, database)) else {
                throw ProofError(description: "Z_MAX of \(name) is not the last row of \(table)")
            }
        }
        if history.hasStrings {
            // Of older strings Z_MAX may be behind: that is `verify`'s to tell.
            let last = try lastRow(of: "ATRANSACTIONSTRING", database)
            guard
                last == lastRows["ATRANSACTIONSTRING"]
                    || store.description.keys["TRANSACTIONSTRING"]?.lastRow == last
            else {
                throw ProofError(description: "Z_MAX of TRANSACTIONSTRING is not the last row of ATRANSACTIONSTRING")
            }
        }
    }

    /// The number of the one transaction that was added.
    private func addedTransaction(
        _ history: PersistentHistory, _ store: InspectedStore, _ database: Database
    ) throws -> Int64 {
        let authors: [SQLName]
        let author: FieldValue
        if history.hasStrings {
            authors = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZPROCESSIDTS"]
            author = try authorString(database)
        } else {
            authors = ["ZAUTHOR", "ZBUNDLEID", "ZPROCESSID"]
            author = .text(HistoryWriter.author)
        }
        let transactions = try added(["Z_PK", "ZTIMESTAMP"] + authors, to: "ATRANSACTION", database)
        guard transactions.count == 1, case .integer(let number) = transactions[0][0],
            let time = transactions[0][1].timestamp
        else {
            throw ProofError(description: "\(transactions.count) rows were added to ATRANSACTION instead of 1")
        }
        guard number > token.transaction else {
            throw ProofError(description: "the mirror would take the transaction that was added for exported")
        }
        guard transactions[0].dropFirst(2).allSatisfy({ $0 == author }) else {
            throw ProofError(description: "the transaction that was added has another author")
        }
        try checkRest(
            of: "ATRANSACTION", "TRANSACTION", besides: ["Z_PK", "ZTIMESTAMP"] + authors, store, database)
        guard time == store.now else {
            throw ProofError(description: "the transaction that was added has another time than the change")
        }
        return number
    }

    /// What stands for the author in the columns of a transaction; NULL where the author's string is not there.
    private func authorString(_ database: Database) throws -> FieldValue {
        var number = FieldValue.null
        try database.forEachRow(
            "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", [.text(Array(HistoryWriter.author.utf8))]
        ) { number = FieldValue($0, 0) }
        return number
    }

    private static let changeColumns: [SQLName] = [
        "Z_PK", "ZENTITYPK", "ZCHANGETYPE", "ZENTITY", "ZTRANSACTIONID", "ZCOLUMNS",
    ]

    /// The new rows of a table of the history have the number of their own entity, and nothing in the columns besides.
    private func checkRest(
        of table: SQLName, _ entity: String, besides columns: [SQLName], _ store: InspectedStore, _ database: Database
    ) throws {
        let rest = (store.description.schema.tables[table]?.columns.map(\.name) ?? [])
            .filter { $0 != "Z_ENT" && !columns.contains($0) }
        let strange = ["Z_ENT IS NOT ?"] + rest.map { "\($0.quotedIdentifier) IS NOT NULL" }
        try database.forEachRow(
            "SELECT Z_PK FROM \(table) WHERE (\(strange.joined(separator: " OR "))) AND Z_PK > ? LIMIT 1",
            [
                store.description.keys[entity].map { .integer($0.number) } ?? .null,
                .integer(lastRows[table] ?? 0),
            ]
        ) { row in
            throw ProofError(description: "row \(row.integer(0)) of \(table) has values that nobody planned")
        }
    }

    /// Each change of the plan is in the history once, and nothing else.
    private func checkChanges(of transaction: Int64, _ database: Database) throws {
        let (entity, number) = (settings.entity.number, FieldValue.integer(transaction))
        let columns = rows.fieldSets.map { $0.historyColumns.map(FieldValue.blob) ?? .null }
        var deleted: [CloudKitMirror.Object] = []
        var updated: [Int64] = []
        var inserted: [Int64] = []
        deleted.reserveCapacity(rows.deleted.count + rows.gone.count)
        updated.reserveCapacity(rows.updated.count)
        inserted.reserveCapacity(rows.inserted.count)
        try database.forEachRow(
            """
            SELECT ZENTITYPK, ZCHANGETYPE, ZENTITY, ZTRANSACTIONID, ZCOLUMNS FROM ACHANGE WHERE Z_PK > ?
            """, [.integer(lastRows["ACHANGE"] ?? 0)]
        ) { change in
            let row = change.integer(0)
            var expectedColumns = FieldValue.null
            let type =
                change.storageClass(1) == .integer ? PersistentHistory.ChangeType(rawValue: change.integer(1)) : nil
            switch type {
            // Of any entity: which ones may be deleted is compared below.
            case .delete: deleted.append(CloudKitMirror.Object(entityNumber: change.integer(2), row: row))
            case .insert: inserted.append(row)
            case .update:
                updated.append(row)
                if let fieldSet = rows.fieldSet(ofUpdated: row) { expectedColumns = columns[fieldSet] }
            case nil: break
            }
            guard let type, change.storageClass(0) == .integer, change.storageClass(2) == .integer,
                type == .delete || change.integer(2) == entity, change.holds(number, at: 3),
                change.holds(expectedColumns, at: 4)
            else { throw ProofError(description: "a row was added to ACHANGE that does not say what was done") }
        }
        deleted.sort()
        updated.sort()
        inserted.sort()
        let expected = rows.deleted.map { CloudKitMirror.Object(entityNumber: entity, row: $0.row) }
        guard deleted == (expected + rows.gone.map(\.object)).sorted(),
            updated.elementsEqual(rows.updated.lazy.map(\.row)),
            inserted.elementsEqual(rows.inserted.lazy.map(\.row))
        else {
            throw ProofError(
                description: "the \(deleted.count + updated.count + inserted.count) rows that were added to ACHANGE "
                    + "do not say what was done")
        }
    }

    /// What is deleted in CloudKit only has no row in the store.
    private func checkGone(_ store: InspectedStore, _ database: Database) throws {
        for (number, gone) in Dictionary(grouping: rows.gone.map(\.object), by: \.entityNumber) {
            let keys = store.description.keys
            guard let table = keys[number: number].map(keys.table), store.description.schema.tables[table] != nil else {
                throw ProofError(description: "the store has no entity \(number), of which records were deleted")
            }
            try database.forEachRow(numbered: gone.map(\.row), in: table, columns: []) { row in
                throw ProofError(
                    description: "row \(row.integer(0)) of \(table) is there, and its delete in the history")
            }
        }
    }

    /// The rows of a table of the history that were not there before.
    private func added(_ columns: [SQLName], to table: SQLName, _ database: Database) throws -> [[FieldValue]] {
        var rows: [[FieldValue]] = []
        try database.forEachRow(
            "SELECT \(columns.map(\.quotedIdentifier).joined(separator: ", ")) FROM \(table) WHERE Z_PK > ? ORDER BY Z_PK",
            [.integer(lastRows[table] ?? 0)]
        ) { row in rows.append(columns.indices.map { FieldValue(row, $0) }) }
        return rows
    }

    private func lastRow(of table: SQLName, _ database: Database) throws -> Int64 {
        var last: Int64 = 0
        try database.forEachRow("SELECT COALESCE(MAX(Z_PK), 0) FROM \(table)") { last = $0.integer(0) }
        return last
    }
}
