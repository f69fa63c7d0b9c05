package import GRDB

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

    /// The transactions that deleted at least so many objects of a table, the first one first.
    /// - Parameter entities: the numbers of the entities in the table.
    /// - Throws: SQLite's errors.
    package func deletions(
        ofAtLeast least: Int, ofEntities entities: [Int64], in table: SQLName, _ database: Database
    ) throws -> [DeletedTogether] {
        let numbers = entities.map(String.init).joined(separator: ", ")
        let objects = table.quotedIdentifier
        var found: [(transaction: Int64, count: Int)] = []
        try database.forEachRow(
            """
            SELECT ZTRANSACTIONID, COUNT(DISTINCT ZENTITYPK) AS gone FROM ACHANGE
            WHERE ZCHANGETYPE = ? AND ZENTITY IN (\(numbers)) AND ZENTITYPK NOT IN (SELECT Z_PK FROM \(objects))
            AND ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION) GROUP BY ZTRANSACTIONID HAVING gone >= ?
            ORDER BY ZTRANSACTIONID
            """, [.integer(ChangeType.delete.rawValue), .integer(Int64(least))]
        ) { found.append(($0.integer(0), Int($0.integer(1)))) }
        return try found.compactMap { transaction, count in
            guard let save = try save(transaction, database) else { return nil }
            var left = 0
            try database.forEachRow(
                """
                SELECT COUNT(*) FROM \(objects) WHERE Z_PK NOT IN (
                    SELECT c.ZENTITYPK FROM ATRANSACTION t JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK
                    WHERE t.Z_PK > ? AND t.ZTIMESTAMP > ? AND c.ZCHANGETYPE = ? AND c.ZENTITY IN (\(numbers))
                    AND c.ZENTITYPK IS NOT NULL)
                """,
                [
                    .integer(transaction), .real((save.time ?? .infinity) + Self.soon),
                    .integer(ChangeType.insert.rawValue),
                ]
            ) { left = Int($0.integer(0)) }
            return DeletedTogether(save: save, count: count, left: left)
        }
    }

    private func save(_ transaction: Int64, _ database: Database) throws -> Save? {
        var selection = Selection()
        selection.transaction = transaction
        var save: Save?
        try forEachChange(selection, database) { if save == nil { save = try $0.save() } }
        return save
    }
}
