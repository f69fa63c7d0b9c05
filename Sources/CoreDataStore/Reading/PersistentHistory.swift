package import GRDB

/// The persistent history: how the CloudKit mirror, and other processes, learn what was changed.
public struct PersistentHistory: Hashable, Sendable {
    /// How transactions name their authors.
    package enum AuthorEncoding: Sendable {
        /// Author, bundle and process are row numbers in ATRANSACTIONSTRING.
        case strings
        /// macOS 10.13: they are text in ATRANSACTION.
        case inline
    }

    package let authorEncoding: AuthorEncoding
    /// The column of ATRANSACTION for the name of the context that saved; nil where there is none.
    private let contextColumn: SQLName?
    /// What ACHANGE keeps of deleted objects, in the order of the columns' numbers; none in most stores.
    let tombstoneColumns: [SQLName]

    /// `ZCHANGETYPE` (seen in real stores; public tools often swap them).
    public enum ChangeType: Int64, Sendable {
        /// A new object.
        case insert = 0
        /// A change of an object's properties.
        case update = 1
        /// An object that is gone.
        case delete = 2
    }

    /// Nil for a store whose history was never on.
    package init?(schema: StoreSchema) {
        guard let change = schema.tables["ACHANGE"], let transaction = schema.tables["ATRANSACTION"],
            ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"].allSatisfy(change.has),
            ["Z_PK", "ZTIMESTAMP"].allSatisfy(transaction.has),
            change.keepsNumbers(in: ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"]),
            transaction.keepsNumbers(in: ["ZTIMESTAMP", "ZAUTHORTS", "ZBUNDLEIDTS", "ZPROCESSIDTS"])
        else { return nil }
        let hasStrings = schema.tables["ATRANSACTIONSTRING"]?.has("ZNAME") ?? false
        if hasStrings, ["ZAUTHORTS", "ZBUNDLEIDTS", "ZPROCESSIDTS"].allSatisfy(transaction.has) {
            authorEncoding = .strings
            contextColumn = transaction.has("ZCONTEXTNAMETS") ? "ZCONTEXTNAMETS" : nil
        } else if ["ZAUTHOR", "ZBUNDLEID", "ZPROCESSID"].allSatisfy(transaction.has) {
            authorEncoding = .inline
            contextColumn = transaction.has("ZCONTEXTNAME") ? "ZCONTEXTNAME" : nil
        } else {
            return nil
        }
        tombstoneColumns = (0...).lazy.map { "ZTOMBSTONE\($0)" as SQLName }.prefix(while: change.has).map(\.self)
    }

    /// The columns of ATRANSACTION for author, bundle, process and context: texts, or row numbers of texts.
    var nameColumns: [SQLName] {
        let context = contextColumn ?? "NULL"
        return switch authorEncoding {
        case .strings: ["ZAUTHORTS", "ZBUNDLEIDTS", "ZPROCESSIDTS", context]
        case .inline: ["ZAUTHOR", "ZBUNDLEID", "ZPROCESSID", context]
        }
    }

    /// The column of ATRANSACTION, or the expression, that gives the author's text.
    var authorExpression: String {
        switch authorEncoding {
        case .strings:
            "COALESCE((SELECT s.ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.ZAUTHORTS), "
                + "(SELECT s.ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.ZBUNDLEIDTS))"
        case .inline: "COALESCE(t.ZAUTHOR, t.ZBUNDLEID)"
        }
    }

    /// The expression for the text of one of the columns of ATRANSACTION that name somebody.
    private func text(of column: SQLName) -> String {
        switch authorEncoding {
        case .strings: "(SELECT s.ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(column))"
        case .inline: "t.\(column)"
        }
    }

    /// The expression for the transaction author; without the bundle, which the mirror does not look at.
    var transactionAuthor: String { text(of: authorEncoding == .strings ? "ZAUTHORTS" : "ZAUTHOR") }

    /// The expression for the bundle of the app.
    var bundleName: String { text(of: nameColumns[1]) }

    /// The expression for the name of the context that saved.
    var contextName: String { contextColumn.map(text) ?? "NULL" }

    /// A summary of the history.
    package struct Overview: Hashable, Sendable {
        /// Who wrote, and how much.
        package struct Author: Hashable, Sendable {
            /// The transaction author, or the bundle if the app names none.
            package let name: String
            package let transactions: Int64
            /// Of the one with the highest number, in seconds since 2001.
            package let last: Double?
        }

        package let transactions: Int64
        package let changes: Int64
        /// Of the transaction with the highest number, in seconds since 2001; nil where it has none.
        package let last: Double?
        /// Transactions with a time more than a day after that one: a clock was ahead.
        package let later: Int64
        /// Sorted by the last transaction, the latest first.
        package let authors: [Author]
    }

    /// Reads all transactions.
    /// - Throws: SQLite's errors.
    package func overview(_ database: Database) throws -> Overview {
        var authors: [Overview.Author] = []
        var transactions: Int64 = 0
        // With one MAX, SQLite takes the other values from the row that has it.
        try database.forEachRow(
            """
            SELECT \(authorExpression) AS author, COUNT(*), t.ZTIMESTAMP, MAX(t.Z_PK) AS latest FROM ATRANSACTION t
            GROUP BY author ORDER BY latest DESC, author
            """
        ) { row in
            transactions += row.integer(1)
            authors.append(
                Overview.Author(
                    name: row.storageClass(0) == .text ? String(decoding: row.bytes(0), as: UTF8.self) : "(unnamed)",
                    transactions: row.integer(1), last: row.storageClass(2) == .null ? nil : row.real(2)))
        }
        var last: Double?
        try database.forEachRow("SELECT ZTIMESTAMP FROM ATRANSACTION ORDER BY Z_PK DESC LIMIT 1") { row in
            if row.storageClass(0) != .null { last = row.real(0) }
        }
        // A number is written as SQL reads it, whatever the locale is.
        let later = try last.map {
            try count("SELECT COUNT(*) FROM ATRANSACTION WHERE ZTIMESTAMP > \($0) + 86400", database)
        }
        return Overview(
            transactions: transactions, changes: try count("SELECT COUNT(*) FROM ACHANGE", database), last: last,
            later: later ?? 0, authors: authors)
    }

    /// What is inconsistent, as sentences for a person.
    /// - Throws: SQLite's errors.
    package func problems(_ database: Database, keys: PrimaryKeys) throws -> [String] {
        var problems: [String] = []
        try database.forEachRow(
            """
            SELECT
                SUM(ZTRANSACTIONID IS NULL OR ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)),
                SUM(ZCHANGETYPE IS NULL OR ZCHANGETYPE NOT IN (0, 1, 2))
            FROM ACHANGE
            """
        ) { row in
            let (orphaned, unknown) = (row.integer(0), row.integer(1))
            if orphaned > 0 {
                problems.append(
                    "\(orphaned == 1 ? "1 change belongs" : "\(orphaned) changes belong") to no transaction")
            }
            if unknown > 0 {
                problems.append("\(unknown == 1 ? "1 change is" : "\(unknown) changes are") of an unknown type")
            }
        }
        return try problems + numberProblems(database, keys: keys)
    }

    /// Row numbers in use beyond the last one that was given out, as sentences for a person.
    private func numberProblems(_ database: Database, keys: PrimaryKeys) throws -> [String] {
        try [("CHANGE", "ACHANGE"), ("TRANSACTION", "ATRANSACTION")].compactMap { name, table in
            let largest = try count("SELECT COALESCE(MAX(Z_PK), 0) FROM \(table)", database)
            let last = keys[name]?.lastRow ?? 0
            return last < largest ? "Z_MAX of \(name) is \(last) but \(table) goes up to \(largest)" : nil
        }
    }

    private func count(_ sql: String, _ database: Database) throws -> Int64 {
        var value: Int64 = 0
        try database.forEachRow(sql) { value = $0.integer(0) }
        return value
    }
}

extension PersistentHistory {
    /// One transaction, in numbers.
    package struct Transaction: Hashable, Sendable {
        /// `Z_PK`.
        package let number: Int64
        /// Seconds since 2001.
        package let time: Double
        package let inserts: Int
        package let updates: Int
        package let deletes: Int
    }

    /// The transactions of one author, in the order of their numbers.
    /// - Parameters:
    ///   - entity: the number of the only entity whose changes count; nil for those of all entities.
    ///   - isDeleting: whether only those that deleted one of its objects are wanted.
    /// - Throws: SQLite's errors.
    package func transactions(
        by author: String, ofEntity entity: Int64? = nil, deleting isDeleting: Bool = false, _ database: Database
    ) throws -> [Transaction] {
        // To find the author of each takes longer than to read all changes.
        let deletes =
            " AND t.Z_PK IN (SELECT d.ZTRANSACTIONID FROM ACHANGE d WHERE d.ZCHANGETYPE = 2 AND d.ZENTITY = ?2)"
        var transactions: [Transaction] = []
        try database.forEachRow(
            """
            SELECT t.Z_PK, t.ZTIMESTAMP, COALESCE(SUM(c.ZCHANGETYPE = 0), 0), COALESCE(SUM(c.ZCHANGETYPE = 1), 0), \
            COALESCE(SUM(c.ZCHANGETYPE = 2), 0) FROM ATRANSACTION t LEFT JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK \
            AND (?2 IS NULL OR c.ZENTITY = ?2) WHERE \(authorExpression) = ?1\(isDeleting ? deletes : "") \
            GROUP BY t.Z_PK ORDER BY t.Z_PK
            """, [.text(Array(author.utf8)), entity.map { .integer($0) } ?? .null]
        ) { row in
            transactions.append(
                Transaction(
                    number: row.integer(0), time: row.real(1), inserts: Int(row.integer(2)),
                    updates: Int(row.integer(3)), deletes: Int(row.integer(4))))
        }
        return transactions
    }

    /// The last change of an object in a transaction after the given one: when it was, in seconds since 2001, and the
    /// transaction author, or the bundle if there is none. Nil where there is no such change.
    /// - Parameter entities: the numbers under which the object may be listed.
    /// - Throws: SQLite's errors.
    package func lastChange(
        ofEntities entities: [Int64], row: Int64, after transaction: Int64, _ database: Database
    ) throws -> (time: Double, author: String?)? {
        let numbers = entities.map(String.init).joined(separator: ", ")
        var change: (time: Double, author: String?)?
        try database.forEachRow(
            """
            SELECT t.ZTIMESTAMP, \(authorExpression) FROM ACHANGE c JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID
            WHERE c.ZENTITY IN (\(numbers)) AND c.ZENTITYPK = ? AND t.Z_PK > ? ORDER BY t.Z_PK DESC LIMIT 1
            """, [.integer(row), .integer(transaction)]
        ) { row in
            change = (row.real(0), row.storageClass(1) == .text ? String(decoding: row.bytes(1), as: UTF8.self) : nil)
        }
        return change
    }

    /// `Z_PK` of the last transaction; nil if there is none.
    /// - Throws: SQLite's errors.
    package func lastTransaction(_ database: Database) throws -> Int64? {
        var last: Int64?
        try database.forEachRow("SELECT MAX(Z_PK) FROM ATRANSACTION") { row in
            if row.storageClass(0) != .null { last = row.integer(0) }
        }
        return last
    }

    /// The last transaction before another one, and when it was saved, in seconds since 2001; nil if there is none.
    /// - Throws: SQLite's errors.
    func transaction(before number: Int64, _ database: Database) throws -> (number: Int64, time: Double?)? {
        var earlier: Int64?
        try database.forEachRow("SELECT MAX(Z_PK) FROM ATRANSACTION WHERE Z_PK < ?", [.integer(number)]) { row in
            if row.storageClass(0) != .null { earlier = row.integer(0) }
        }
        return try earlier.map { ($0, try time(of: $0, database)) }
    }

    /// When a transaction was saved, in seconds since 2001; nil if it is not there or has no date.
    /// - Throws: SQLite's errors.
    package func time(of transaction: Int64, _ database: Database) throws -> Double? {
        var time: Double?
        try database.forEachRow("SELECT ZTIMESTAMP FROM ATRANSACTION WHERE Z_PK = ?", [.integer(transaction)]) { row in
            if row.storageClass(0) != .null { time = row.real(0) }
        }
        return time
    }
}

extension PersistentHistory {
    /// Objects of a table that one transaction deleted.
    package struct DeletedTogether: Hashable, Sendable {
        package let save: Save
        /// How many of them are still gone.
        package let count: Int
        /// How many of the objects are there that were there before, or were made again soon after.
        package let left: Int
    }

    /// Seconds. What an app deletes to make it again is there again by then.
    private static let soon: Double = 600

    /// What became of objects that one transaction deleted.
    /// - Parameters:
    ///   - rows: their numbers; one may be there more than once.
    ///   - least: how many of them have to be gone still.
    ///   - entities: the numbers of the entities in the table.
    /// - Returns: nil where too few are gone.
    /// - Throws: SQLite's errors.
    package func deletedTogether(
        _ rows: [Int64], by save: Save, atLeast least: Int, ofEntities entities: [Int64], in table: SQLName,
        _ database: Database
    ) throws -> DeletedTogether? {
        let objects = table.quotedIdentifier
        let living = try PreparedStatement(database, "SELECT 1 FROM \(objects) WHERE Z_PK = ?")
        var gone = Set(rows)
        for row in gone { try living.forEachRow([.integer(row)]) { _ in gone.remove(row) } }
        guard gone.count >= least else { return nil }
        let numbers = entities.map(String.init).joined(separator: ", ")
        var left = 0
        try database.forEachRow(
            """
            SELECT COUNT(*) FROM \(objects) WHERE Z_PK NOT IN (
                SELECT c.ZENTITYPK FROM ATRANSACTION t JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK
                WHERE t.Z_PK > ? AND t.ZTIMESTAMP > ? AND c.ZCHANGETYPE = ? AND c.ZENTITY IN (\(numbers))
                AND c.ZENTITYPK IS NOT NULL)
            """,
            [
                .integer(save.transaction ?? 0), .real((save.time ?? .infinity) + Self.soon),
                .integer(ChangeType.insert.rawValue),
            ]
        ) { left = Int($0.integer(0)) }
        return DeletedTogether(save: save, count: gone.count, left: left)
    }
}
