package import GRDB

/// The persistent history: how the CloudKit mirror, and other processes, learn what was changed.
package struct PersistentHistory: Hashable, Sendable {
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
    package enum ChangeType: Int64, Sendable {
        case insert = 0
        case update = 1
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

    /// The expression for the name of the context that saved.
    var contextName: String { contextColumn.map(text) ?? "NULL" }

    /// A summary of the history.
    package struct Overview: Hashable, Sendable {
        /// Who wrote, and how much.
        package struct Author: Hashable, Sendable {
            /// The transaction author, or the bundle if the app names none.
            package let name: String
            package let transactions: Int64
            /// Seconds since 2001.
            package let last: Double?
        }

        package let transactions: Int64
        package let changes: Int64
        /// Seconds since 2001.
        package let last: Double?
        /// Sorted by the last transaction, the latest first.
        package let authors: [Author]
    }

    /// Reads all transactions.
    /// - Throws: SQLite's errors.
    package func overview(_ database: Database) throws -> Overview {
        var authors: [Overview.Author] = []
        var transactions: Int64 = 0
        try database.forEachRow(
            """
            SELECT \(authorExpression) AS author, COUNT(*), MAX(t.ZTIMESTAMP) AS latest FROM ATRANSACTION t
            GROUP BY author ORDER BY latest DESC, author
            """
        ) { row in
            transactions += row.integer(1)
            authors.append(
                Overview.Author(
                    name: row.storageClass(0) == .text ? String(decoding: row.bytes(0), as: UTF8.self) : "(unnamed)",
                    transactions: row.integer(1), last: row.storageClass(2) == .null ? nil : row.real(2)))
        }
        return Overview(
            transactions: transactions, changes: try count("SELECT COUNT(*) FROM ACHANGE", database),
            last: authors.compactMap(\.last).max(), authors: authors)
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
