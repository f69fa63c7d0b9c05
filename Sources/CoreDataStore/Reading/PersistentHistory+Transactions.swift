package import GRDB

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
    /// - Parameter entity: the number of the only entity whose changes count; nil for those of all entities.
    /// - Throws: SQLite's errors.
    package func transactions(
        by author: String, ofEntity entity: Int64? = nil, _ database: Database
    ) throws -> [Transaction] {
        var transactions: [Transaction] = []
        try database.forEachRow(
            """
            SELECT t.Z_PK, t.ZTIMESTAMP, COALESCE(SUM(c.ZCHANGETYPE = 0), 0), COALESCE(SUM(c.ZCHANGETYPE = 1), 0), \
            COALESCE(SUM(c.ZCHANGETYPE = 2), 0) FROM ATRANSACTION t LEFT JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK \
            AND (?2 IS NULL OR c.ZENTITY = ?2) WHERE \(authorExpression) = ?1 GROUP BY t.Z_PK ORDER BY t.Z_PK
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
