internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

extension ChangeProof {
    /// The history has one transaction more, with each change of the plan in it.
    func checkHistory(_ store: InspectedStore, _ database: Database) throws {
        guard let history = store.description.history else { return }
        guard plan.changesRecords else {
            for table in lastHistoryRows.keys where try lastRow(of: table, database) != lastHistoryRows[table] {
                throw Failure(description: "rows were added to \(table) although no record changed")
            }
            return
        }
        let transaction = try addedTransaction(database)
        try checkChanges(of: transaction, database)
        if history.form == .strings {
            let strings = try added(["ZNAME"], to: "ATRANSACTIONSTRING", database)
            guard strings.isEmpty || strings == [[.text(HistoryWriter.author)]] else {
                throw Failure(description: "\(strings.count) rows were added to ATRANSACTIONSTRING")
            }
        }
        // What else was broken before is `verify`'s to tell; what is broken by this change is in the newest rows.
        if let problem = try history.numberProblems(database, keys: store.description.keys).first {
            throw Failure(description: problem)
        }
        for (name, table): (String, SQLName) in [("CHANGE", "ACHANGE"), ("TRANSACTION", "ATRANSACTION")]
        where try lastRow(of: table, database) != lastHistoryRows[table] {
            guard store.description.keys[name]?.lastRow == (try lastRow(of: table, database)) else {
                throw Failure(description: "Z_MAX of \(name) is not the last row of \(table)")
            }
        }
        if history.form == .strings {
            guard
                try store.description.keys["TRANSACTIONSTRING"]?.lastRow ?? 0
                    >= lastRow(of: "ATRANSACTIONSTRING", database)
                    || lastRow(of: "ATRANSACTIONSTRING", database) == lastHistoryRows["ATRANSACTIONSTRING"]
            else { throw Failure(description: "Z_MAX of TRANSACTIONSTRING is behind") }
        }
    }

    /// The number of the one transaction that was added.
    private func addedTransaction(_ database: Database) throws -> Int64 {
        let transactions = try added(["Z_PK", "ZTIMESTAMP"], to: "ATRANSACTION", database)
        guard transactions.count == 1, case .integer(let number) = transactions[0][0],
            let latest = transactions[0][1].timestamp
        else {
            throw Failure(description: "\(transactions.count) rows were added to ATRANSACTION instead of 1")
        }
        try database.forEachRow(
            "SELECT MAX(ZTIMESTAMP) FROM ATRANSACTION WHERE Z_PK <= ? AND typeof(ZTIMESTAMP) IN ('real', 'integer')",
            [.integer(lastHistoryRows["ATRANSACTION"] ?? 0)]
        ) { row in
            guard row.storageClass(0) == .null || row.real(0) <= latest.secondsSince2001 else {
                throw Failure(description: "the history goes back in time")
            }
        }
        return number
    }

    /// Each change of the plan stands in the history once, and nothing else.
    private func checkChanges(of transaction: Int64, _ database: Database) throws {
        let common: [FieldValue] = [.integer(settings.entity.number), .integer(transaction)]
        let columns = rows.fieldSets.map { $0.historyColumns.map(FieldValue.blob) ?? .null }
        var deleted: [Int64] = []
        var updated: [Int64] = []
        var inserted: [Int64] = []
        try database.forEachRow(
            """
            SELECT ZENTITYPK, ZCHANGETYPE, ZENTITY, ZTRANSACTIONID, ZCOLUMNS FROM ACHANGE WHERE Z_PK > ?
            """, [.integer(lastHistoryRows["ACHANGE"] ?? 0)]
        ) { change in
            let row = change.integer(0)
            var expectedColumns = FieldValue.null
            let type =
                change.storageClass(1) == .integer ? PersistentHistory.ChangeType(rawValue: change.integer(1)) : nil
            switch type {
            case .delete: deleted.append(row)
            case .insert: inserted.append(row)
            case .update:
                updated.append(row)
                if let fieldSet = rows.fieldSet(ofUpdated: row) { expectedColumns = columns[fieldSet] }
            case nil: break
            }
            guard type != nil, change.storageClass(0) == .integer, change.holds(common[0], at: 2),
                change.holds(common[1], at: 3), change.holds(expectedColumns, at: 4)
            else { throw Failure(description: "a row was added to ACHANGE that does not say what was done") }
        }
        guard deleted.sorted() == rows.deleted.map(\.row), updated.sorted() == rows.updated.map(\.row),
            inserted.sorted() == rows.inserted.map(\.row)
        else {
            throw Failure(
                description: "the \(deleted.count + updated.count + inserted.count) rows that were added to ACHANGE "
                    + "do not say what was done")
        }
    }

    /// The rows of a table of the history that were not there before.
    private func added(_ columns: [String], to table: SQLName, _ database: Database) throws -> [[FieldValue]] {
        var rows: [[FieldValue]] = []
        try database.forEachRow(
            "SELECT \(columns.map(\.quotedIdentifier).joined(separator: ", ")) FROM \(table) WHERE Z_PK > ? ORDER BY Z_PK",
            [.integer(lastHistoryRows[table] ?? 0)]
        ) { row in rows.append(columns.indices.map { FieldValue(row, $0) }) }
        return rows
    }

    private func lastRow(of table: SQLName, _ database: Database) throws -> Int64 {
        var last: Int64 = 0
        try database.forEachRow("SELECT COALESCE(MAX(Z_PK), 0) FROM \(table)") { last = $0.integer(0) }
        return last
    }
}
