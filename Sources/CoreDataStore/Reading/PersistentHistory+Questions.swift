package import GRDB

/// What is asked of a history by its indexes.
extension PersistentHistory {
    /// Whether the history has a change of an object of some entities in a transaction between two others.
    /// - Throws: SQLite's errors.
    package func hasChange(
        ofEntities entities: [Int64], between first: Int64, and last: Int64, _ database: Database
    ) throws -> Bool {
        try database.hasRow(
            """
            SELECT 1 FROM ACHANGE WHERE ZTRANSACTIONID > ? AND ZTRANSACTIONID < ? AND ZENTITY IN (\(entities.sqlList))
            LIMIT 1
            """, [.integer(first), .integer(last)])
    }

    /// The rows of some entities that transactions after one name.
    /// - Throws: SQLite's errors.
    package func rows(ofEntities entities: [Int64], after transaction: Int64, _ database: Database) throws -> Set<Int64>
    {
        Set(
            try database.rows(
                "SELECT DISTINCT ZENTITYPK FROM ACHANGE WHERE ZTRANSACTIONID > ? AND ZENTITY IN (\(entities.sqlList))",
                [.integer(transaction)]
            ) { $0.integer(0) })
    }

    /// Whether CloudKit's mirror ever saved anything.
    /// - Throws: SQLite's errors.
    package func hasWorkOfMirror(_ database: Database) throws -> Bool {
        try hasWork(of: "LIKE 'NSCloudKitMirroringDelegate.%'", database)
    }

    /// Whether an author ever saved anything.
    /// - Parameter author: without a quotation mark in its name.
    /// - Throws: SQLite's errors.
    func hasWork(by author: String, _ database: Database) throws -> Bool { try hasWork(of: "= '\(author)'", database) }

    /// - Parameter name: the condition for an author or a context.
    private func hasWork(of name: String, _ database: Database) throws -> Bool {
        // Every store is asked, and this statement is compiled in no time.
        if hasStrings { return try database.hasRow("SELECT 1 FROM ATRANSACTIONSTRING WHERE ZNAME \(name) LIMIT 1") }
        return try database.hasRow("SELECT 1 FROM ATRANSACTION t WHERE \(isAuthor(name)) OR \(isContext(name)) LIMIT 1")
    }

    /// Whether CloudKit's import ever changed an object of some entities.
    /// - Throws: SQLite's errors.
    package func hasImport(ofEntities entities: [Int64], _ database: Database) throws -> Bool {
        let name = "= '\(CloudKitMirror.Work.import.rawValue)'"
        return try database.hasRow(
            """
            SELECT 1 FROM ATRANSACTION t CROSS JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK
            WHERE (\(isAuthor(name)) OR \(isContext(name))) AND c.ZENTITY IN (\(entities.sqlList)) LIMIT 1
            """)
    }

    /// Whether the history has a change of an object of some entities, or of any with nil.
    func hasChange(ofEntities entities: [Int64]?, _ database: Database) throws -> Bool {
        let condition = entities.map { "WHERE ZENTITY IN (\($0.sqlList))" } ?? ""
        return try database.hasRow("SELECT 1 FROM ACHANGE \(condition) LIMIT 1")
    }

    /// - Throws: SQLite's errors.
    package func hasDelete(ofEntities entities: [Int64], _ database: Database) throws -> Bool {
        try database.hasRow(
            """
            SELECT 1 FROM ACHANGE WHERE ZCHANGETYPE = \(ChangeType.delete.rawValue) AND ZENTITY IN
            (\(entities.sqlList)) LIMIT 1
            """)
    }

    /// When an object of some entities was last deleted, in seconds since 2001; nil where none was.
    /// - Throws: SQLite's errors.
    package func lastDelete(ofEntities entities: [Int64], _ database: Database) throws -> Double? {
        try database.rows(
            """
            SELECT MAX(ZTIMESTAMP) FROM ATRANSACTION WHERE Z_PK IN (SELECT ZTRANSACTIONID FROM ACHANGE
            WHERE ZCHANGETYPE = \(ChangeType.delete.rawValue) AND ZENTITY IN (\(entities.sqlList)))
            """
        ) { $0.realOrNil(0) }[0]
    }

    /// Whether a transaction before this one has this very time: the times of a history never go backwards, so a clock
    /// that is behind does not count.
    /// - Throws: SQLite's errors.
    package func hasTime(_ time: Double, before transaction: Int64, _ database: Database) throws -> Bool {
        try database.hasRow(
            "SELECT 1 FROM ATRANSACTION WHERE Z_PK < ? AND ZTIMESTAMP = ? LIMIT 1",
            [.integer(transaction), .real(time)])
    }
}
