internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The part of the check before a commit that is about the history: it has one transaction more, with each change of the
/// plan in it. Without a change of a record its tables are compared as a whole, like all others.
struct HistoryProof {
    private let rows: PlannedRows
    /// The number of the records' entity.
    private let entity: Int64
    /// The last row of each table of the history: up to here they must stay as they are.
    let lastRows: [SQLName: Int64]
    /// How far the mirror has read.
    private let token: HistoryToken

    /// As a store gets them with its first transaction.
    static let entities = [(16_001, "CHANGE"), (16_002, "TRANSACTION"), (16_003, "TRANSACTIONSTRING")]
        .map { PrimaryKeys.Entry(number: $0, name: $1, parent: 0, lastRow: 0) }
    private static let tables: [SQLName] = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

    /// Before the change.
    init(before rows: PlannedRows, in session: MeterSession) throws {
        self.rows = rows
        entity = session.settings.entity.number
        var lastRows: [SQLName: Int64] = [:]
        for table in Self.tables where session.description.schema.tables[table] != nil {
            lastRows[table] = try Self.lastRow(of: table, session.database)
        }
        self.lastRows = lastRows
        token = try session.mirror?.historyToken(of: session.description, session.database) ?? .none
    }

    /// - Parameter session: of the store after the change of a record.
    /// - Throws: `ProofError`.
    func check(_ session: Session) throws {
        guard let history = session.history else { return }
        let (keys, database) = (session.description.keys, session.database)
        let transaction = try addedTransaction(history, session)
        try checkChanges(of: transaction, session)
        try checkGone(session)
        try checkRest(of: "ACHANGE", "CHANGE", besides: Self.changeColumns, session)
        if history.hasStrings {
            let strings = try added(["ZNAME"], to: "ATRANSACTIONSTRING", database)
            guard strings.isEmpty || strings == [[.text(HistoryWriter.author)]] else {
                throw ProofError(description: "\(strings.count) rows were added to ATRANSACTIONSTRING")
            }
            try checkRest(of: "ATRANSACTIONSTRING", "TRANSACTIONSTRING", besides: ["Z_PK", "ZNAME"], session)
        }
        for (name, table): (String, SQLName) in [("CHANGE", "ACHANGE"), ("TRANSACTION", "ATRANSACTION")] {
            guard keys[name]?.lastRow == (try Self.lastRow(of: table, database)) else {
                throw ProofError(description: "Z_MAX of \(name) is not the last row of \(table)")
            }
        }
        if history.hasStrings {
            // Of older strings Z_MAX may be behind: that is `verify`'s to tell.
            let last = try Self.lastRow(of: "ATRANSACTIONSTRING", database)
            guard last == lastRows["ATRANSACTIONSTRING"] || keys["TRANSACTIONSTRING"]?.lastRow == last else {
                throw ProofError(description: "Z_MAX of TRANSACTIONSTRING is not the last row of ATRANSACTIONSTRING")
            }
        }
    }

    /// The number of the one transaction that was added.
    private func addedTransaction(_ history: PersistentHistory, _ session: Session) throws -> Int64 {
        let authors: [SQLName]
        let author: FieldValue
        if history.hasStrings {
            authors = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZPROCESSIDTS"]
            author = try authorString(session.database)
        } else {
            authors = ["ZAUTHOR", "ZBUNDLEID", "ZPROCESSID"]
            author = .text(HistoryWriter.author)
        }
        let transactions = try added(["Z_PK", "ZTIMESTAMP"] + authors, to: "ATRANSACTION", session.database)
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
        try checkRest(of: "ATRANSACTION", "TRANSACTION", besides: ["Z_PK", "ZTIMESTAMP"] + authors, session)
        guard time == session.store.now else {
            throw ProofError(description: "the transaction that was added has another time than the change")
        }
        return number
    }

    /// What stands for the author in the columns of a transaction; NULL where the author's string is not there.
    private func authorString(_ database: Database) throws -> FieldValue {
        try database.rows("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", [.string(HistoryWriter.author)]) {
            FieldValue($0, 0)
        }.last ?? .null
    }

    private static let changeColumns: [SQLName] = [
        "Z_PK", "ZENTITYPK", "ZCHANGETYPE", "ZENTITY", "ZTRANSACTIONID", "ZCOLUMNS",
    ]

    /// The new rows of a table of the history have the number of their own entity, and nothing in the columns besides.
    private func checkRest(
        of table: SQLName, _ entity: String, besides columns: [SQLName], _ session: Session
    ) throws {
        let rest = (session.description.schema.tables[table]?.columns.map(\.name) ?? [])
            .filter { $0 != "Z_ENT" && !columns.contains($0) }
        let strange = ["Z_ENT IS NOT ?"] + rest.map { "\($0.quotedIdentifier) IS NOT NULL" }
        try session.database.forEachRow(
            "SELECT Z_PK FROM \(table) WHERE (\(strange.joined(separator: " OR "))) AND Z_PK > ? LIMIT 1",
            [
                session.description.keys[entity].map { .integer($0.number) } ?? .null,
                .integer(lastRows[table] ?? 0),
            ]
        ) { row in
            throw ProofError(description: "row \(row.integer(0)) of \(table) has values that nobody planned")
        }
    }

    /// Of each updated record: what `ACHANGE.ZCOLUMNS` says of it, by the model that the store has now.
    private func changedColumns(_ settings: SettingsTable?) -> [Int64: FieldValue] {
        var columns: [Int64: FieldValue] = [:]
        var known: [[RecordLayout.Field]: FieldValue] = [:]
        for update in rows.updated {
            let fields = update.fields.map(\.field)
            let value = known[fields] ?? settings?.changedColumns(Set(fields.map(\.name))).map(FieldValue.blob) ?? .null
            known[fields] = value
            columns[update.row] = value
        }
        return columns
    }

    /// Each change of the plan is in the history once, and nothing else.
    private func checkChanges(of transaction: Int64, _ session: Session) throws {
        let columns = changedColumns(session.store.settings)
        let number = FieldValue.integer(transaction)
        var deleted: [CloudKitMirror.Object] = []
        var updated: [Int64] = []
        var inserted: [Int64] = []
        deleted.reserveCapacity(rows.deleted.count + rows.gone.count)
        updated.reserveCapacity(rows.updated.count)
        inserted.reserveCapacity(rows.inserted.count)
        try session.database.forEachRow(
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
                expectedColumns = columns[row] ?? .null
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
        let expected = rows.deleted.map { CloudKitMirror.Object(entityNumber: entity, row: $0.record.row) }
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
    private func checkGone(_ session: Session) throws {
        let (keys, tables) = (session.description.keys, session.description.schema.tables)
        for (number, gone) in Dictionary(grouping: rows.gone.map(\.object), by: \.entityNumber) {
            guard let table = keys[number: number].map(keys.table), tables[table] != nil else {
                throw ProofError(description: "the store has no entity \(number), of which records were deleted")
            }
            try session.database.forEachRow(numbered: gone.map(\.row), in: table, columns: []) { row in
                throw ProofError(
                    description: "row \(row.integer(0)) of \(table) is there, and its delete in the history")
            }
        }
    }

    /// The rows of a table of the history that were not there before.
    private func added(_ columns: [SQLName], to table: SQLName, _ database: Database) throws -> [[FieldValue]] {
        try database.rows(
            "SELECT \(columns.map(\.quotedIdentifier).joined(separator: ", ")) FROM \(table) WHERE Z_PK > ? ORDER BY Z_PK",
            [.integer(lastRows[table] ?? 0)]
        ) { row in columns.indices.map { FieldValue(row, $0) } }
    }

    private static func lastRow(of table: SQLName, _ database: Database) throws -> Int64 {
        try database.integer(of: "SELECT MAX(Z_PK) FROM \(table)")
    }
}
