package import GRDB

/// The persistent history: how the CloudKit mirror, and other processes, learn what was changed.
public struct PersistentHistory: Hashable, Sendable {
    /// Whether author, bundle and process are row numbers in ATRANSACTIONSTRING; on macOS 10.13 they are text in
    /// ATRANSACTION.
    package let hasStrings: Bool
    /// The columns of ATRANSACTION for author, bundle, process and context: texts, or row numbers of texts. NULL where there
    /// is none for the context.
    let nameColumns: [SQLName]
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
        func columns(_ suffix: String) -> [SQLName]? {
            let names = ["ZAUTHOR", "ZBUNDLEID", "ZPROCESSID", "ZCONTEXTNAME"].map { SQLName($0 + suffix) }
            guard names.dropLast().allSatisfy(transaction.has) else { return nil }
            return names.map { transaction.has($0) ? $0 : "NULL" }
        }
        if schema.tables["ATRANSACTIONSTRING"]?.has("ZNAME") ?? false, let columns = columns("TS") {
            (hasStrings, nameColumns) = (true, columns)
        } else if let columns = columns("") {
            (hasStrings, nameColumns) = (false, columns)
        } else {
            return nil
        }
        tombstoneColumns = (0...).lazy.map { "ZTOMBSTONE\($0)" as SQLName }.prefix(while: change.has).map(\.self)
    }

    /// The expression that gives the author's text, or that of the bundle.
    var authorExpression: String { "COALESCE(\(transactionAuthor), \(bundleName))" }

    /// The expression for the text of one of the columns of ATRANSACTION that name somebody.
    private func text(of column: SQLName) -> String {
        hasStrings ? "(SELECT s.ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(column))" : "t.\(column)"
    }

    /// The expression for the transaction author; without the bundle, which the mirror does not look at.
    var transactionAuthor: String { text(of: nameColumns[0]) }

    var bundleName: String { text(of: nameColumns[1]) }

    var contextName: String { nameColumns[3] == "NULL" ? "NULL" : text(of: nameColumns[3]) }

    /// The condition that a column of ATRANSACTION names one of some texts. Core Data has an index on each of these columns:
    /// without it, the text of every transaction would be looked up.
    /// - Parameter texts: the condition for a text `ZNAME`, such as `= ?1`.
    private func names(_ column: SQLName, _ texts: String) -> String {
        guard hasStrings else { return "t.\(column) \(texts)" }
        return "t.\(column) IN (SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME \(texts))"
    }

    /// The condition that the transaction author is one of some texts.
    func isAuthor(_ texts: String) -> String { names(nameColumns[0], texts) }

    /// The condition that the transaction author, or the bundle of a transaction without one, is one of some texts.
    func isAuthorOrBundle(_ texts: String) -> String {
        "(\(isAuthor(texts)) OR t.\(nameColumns[0]) IS NULL AND \(names(nameColumns[1], texts)))"
    }

    /// The condition that the context is one of some texts.
    func isContext(_ texts: String) -> String { nameColumns[3] == "NULL" ? "0" : names(nameColumns[3], texts) }

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

    /// - Throws: SQLite's errors.
    package func overview(_ database: Database) throws -> Overview {
        /// A number or a text, as ATRANSACTION has it.
        enum Name: Hashable {
            case none
            case number(Int64)
            case text(String)

            init(_ row: SQLiteRow, _ column: Int) {
                switch row.storageClass(column) {
                case .integer: self = .number(row.integer(column))
                case .text: self = .text(row.text(column) ?? "")
                case .null, .real, .blob: self = .none
                }
            }
        }
        /// Transactions that name the same author and, where there is none, the same bundle.
        struct Group {
            var transactions: Int64 = 0
            var last: Int64 = 0
        }
        var groups: [[Name]: Group] = [:]
        var (names, group): ([Name], Group) = ([], Group())
        let (author, bundle) = (nameColumns[0], nameColumns[1])
        // To sort a million transactions takes SQLite four times as long as to read them.
        try database.forEachRow(
            "SELECT Z_PK, \(author), CASE WHEN \(author) IS NULL THEN \(bundle) END FROM ATRANSACTION ORDER BY Z_PK"
        ) { row in
            let (author, bundle) = (Name(row, 1), Name(row, 2))
            if names.isEmpty || names[0] != author || names[1] != bundle {
                if !names.isEmpty { groups[names] = group }
                names = [author, bundle]
                group = groups[names] ?? Group()
            }
            group.transactions += 1
            group.last = row.integer(0)
        }
        if !names.isEmpty { groups[names] = group }
        let saves = saves(database)
        var authors: [String: Group] = [:]
        for group in groups.values {
            let save = try saves.save(group.last)
            let name = save?.author ?? save?.bundle ?? Self.unnamed
            authors[name, default: Group()].transactions += group.transactions
            authors[name, default: Group()].last = max(authors[name]?.last ?? 0, group.last)
        }
        let last = try lastTransaction(database).flatMap { try time(of: $0, database) }
        let later = try last.map {
            try database.integer(of: "SELECT COUNT(*) FROM ATRANSACTION WHERE ZTIMESTAMP > ?", [.real($0 + 86_400)])
        }
        return Overview(
            transactions: groups.values.reduce(0) { $0 + $1.transactions },
            changes: try database.integer(of: "SELECT COUNT(*) FROM ACHANGE"), last: last, later: later ?? 0,
            authors: try authors.sorted { ($1.value.last, $0.key) < ($0.value.last, $1.key) }.map { name, group in
                Overview.Author(
                    name: name, transactions: group.transactions, last: try time(of: group.last, database))
            })
    }

    private static let unnamed = "(unnamed)"

    /// What is inconsistent, as sentences for a person.
    /// - Parameter token: the last transaction that the mirror has read; nil where there is no mirror. It passes over a
    ///   change of an entity that it does not know; of one that a migration removed, older ones may have been kept.
    /// - Throws: SQLite's errors.
    package func problems(_ database: Database, keys: PrimaryKeys, after token: Int64? = nil) throws -> [String] {
        var problems: [String] = []
        let known = keys.appEntries.map(\.number)
        let isStrange =
            if let token, !known.isEmpty {
                "ZTRANSACTIONID > \(token) AND ZENTITY BETWEEN 1 AND 15999 AND ZENTITY NOT IN (\(known.sqlList))"
            } else {
                "0"
            }
        try database.forEachRow(
            """
            SELECT
                SUM(ZTRANSACTIONID IS NULL OR ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)),
                SUM(ZCHANGETYPE IS NULL OR ZCHANGETYPE NOT IN (0, 1, 2)),
                MAX(Z_PK), (SELECT MAX(Z_PK) FROM ATRANSACTION), SUM(\(isStrange))
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
            let strange = row.integer(4)
            if strange > 0 {
                problems.append(
                    "\(strange == 1 ? "1 change is" : "\(strange) changes are") of an entity that the store does not have"
                )
            }
            // Beyond the last one that was given out.
            for (name, largest) in [("CHANGE", row.integer(2)), ("TRANSACTION", row.integer(3))] {
                let last = keys[name]?.lastRow ?? 0
                if last < largest {
                    problems.append("Z_MAX of \(name) is \(last) but A\(name) goes up to \(largest)")
                }
            }
        }
        return problems
    }
}

extension PersistentHistory {
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
    /// - Parameter entity: the number of the only entity whose changes count; nil for those of all entities.
    /// - Throws: SQLite's errors.
    package func transactions(
        by author: String, ofEntity entity: Int64? = nil, _ database: Database
    ) throws -> [Transaction] {
        try database.rows(
            """
            SELECT t.Z_PK, t.ZTIMESTAMP, COALESCE(SUM(c.ZCHANGETYPE = 0), 0), COALESCE(SUM(c.ZCHANGETYPE = 1), 0), \
            COALESCE(SUM(c.ZCHANGETYPE = 2), 0) FROM ATRANSACTION t LEFT JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK \
            AND (?2 IS NULL OR c.ZENTITY = ?2) WHERE \(isAuthorOrBundle("= ?1")) GROUP BY t.Z_PK ORDER BY t.Z_PK
            """, [.string(author), entity.map { .integer($0) } ?? .null]
        ) { row in
            Transaction(
                number: row.integer(0), time: row.real(1), inserts: Int(row.integer(2)),
                updates: Int(row.integer(3)), deletes: Int(row.integer(4)))
        }
    }

    /// The last change of an object in a transaction after the given one: when it was, in seconds since 2001, and the
    /// transaction author, or the bundle if there is none. Nil where there is no such change.
    /// - Parameter entities: the numbers under which the object may be listed.
    /// - Throws: SQLite's errors.
    package func lastChange(
        ofEntities entities: [Int64], row: Int64, after transaction: Int64, _ database: Database
    ) throws -> (time: Double, author: String?)? {
        try database.first(
            """
            SELECT t.ZTIMESTAMP, \(authorExpression) FROM ACHANGE c JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID
            WHERE c.ZENTITY IN (\(entities.sqlList)) AND c.ZENTITYPK = ? AND t.Z_PK > ? ORDER BY t.Z_PK DESC LIMIT 1
            """, [.integer(row), .integer(transaction)]
        ) { ($0.real(0), $0.text(1)) }
    }

    /// `Z_PK` of the last transaction; nil if there is none.
    /// - Throws: SQLite's errors.
    package func lastTransaction(_ database: Database) throws -> Int64? {
        try database.first("SELECT MAX(Z_PK) FROM ATRANSACTION") { $0.integerOrNil(0) }
    }

    /// From the first of the transactions' times to the last, in seconds since 2001; nil where none has a time. Core Data has
    /// an index of them.
    /// - Throws: SQLite's errors.
    package func times(_ database: Database) throws -> ClosedRange<Double>? {
        try database.first(
            "SELECT (SELECT MIN(ZTIMESTAMP) FROM ATRANSACTION), (SELECT MAX(ZTIMESTAMP) FROM ATRANSACTION)"
        ) { row -> ClosedRange<Double>? in
            switch row.storageClass(1) {
            case .null: nil
            case .integer, .real: row.real(0)...row.real(1)
            // What is no time is behind all times.
            case .text, .blob: -.infinity ... .infinity
            }
        }
    }

    /// The last transaction before another one, and when it was saved, in seconds since 2001; nil if there is none.
    func transaction(before number: Int64, _ database: Database) throws -> (number: Int64, time: Double?)? {
        try database.first(
            "SELECT Z_PK, ZTIMESTAMP FROM ATRANSACTION WHERE Z_PK < ? ORDER BY Z_PK DESC LIMIT 1", [.integer(number)]
        ) { ($0.integer(0), $0.realOrNil(1)) }
    }

    /// When a transaction was saved, in seconds since 2001; nil if it is not there or has no date.
    /// - Throws: SQLite's errors.
    package func time(of transaction: Int64, _ database: Database) throws -> Double? {
        try database.first("SELECT ZTIMESTAMP FROM ATRANSACTION WHERE Z_PK = ?", [.integer(transaction)]) {
            $0.realOrNil(0)
        }
    }

    /// The bundle of the app that made the last transaction; nil where none is named.
    /// - Parameter author: whose transactions do not count.
    /// - Throws: SQLite's errors.
    package func lastBundle(notBy author: String, _ database: Database) throws -> String? {
        try database.first(
            """
            SELECT \(bundleName) AS bundle FROM ATRANSACTION t
            WHERE typeof(bundle) = 'text' AND bundle <> ? AND length(bundle) < 256 ORDER BY t.Z_PK DESC LIMIT 1
            """, [.string(author)]
        ) { $0.text(0) }
    }
}

extension PersistentHistory {
    /// Objects of a table that were deleted together.
    package struct DeletedTogether: Hashable, Sendable {
        /// The first that deleted some of them.
        package let save: Save
        /// How many of them are still gone.
        package let count: Int
        /// How many of the objects are there that were there before, or were made again soon after.
        package let left: Int
    }

    /// Seconds. What an app deletes to make it again is there again by then.
    private static let soon: Double = 600

    /// What became of objects that were deleted together.
    /// - Parameter save: the first that deleted some of them.
    /// - Parameter least: how many of them have to be gone still.
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
        let left = try database.integer(
            of: """
                SELECT COUNT(*) FROM \(objects) WHERE Z_PK NOT IN (
                    SELECT c.ZENTITYPK FROM ACHANGE c CROSS JOIN ATRANSACTION t ON c.ZTRANSACTIONID = t.Z_PK
                    WHERE t.Z_PK > ? AND t.ZTIMESTAMP > ? AND c.ZCHANGETYPE = ? AND c.ZENTITY IN (\(entities.sqlList))
                    AND c.ZENTITYPK IS NOT NULL)
                """,
            [
                .integer(save.transaction ?? 0), .real((save.time ?? .infinity) + Self.soon),
                .integer(ChangeType.insert.rawValue),
            ])
        return DeletedTogether(save: save, count: gone.count, left: Int(left))
    }
}
