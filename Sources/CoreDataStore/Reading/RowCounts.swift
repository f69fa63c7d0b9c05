package import GRDB

extension Database {
    /// How many rows each of the tables has.
    /// - Throws: SQLite's errors.
    package func rowCounts(of tables: [SQLName]) throws -> [SQLName: Int] {
        var counts: [SQLName: Int] = [:]
        for table in tables {
            try forEachRow("SELECT COUNT(*) FROM \(table.quotedIdentifier)") { counts[table] = Int($0.integer(0)) }
        }
        return counts
    }
}
