package import GRDB

/// A digest of a table's contents, in 32 bytes: two tables with equal digests have equal rows.
package struct TableDigest: Hashable, Sendable {
    package let rows: Int
    /// SHA-256 over each row in the order of row numbers, every value with its storage class and length.
    package let sha256: [UInt8]

    /// A digest from a document.
    package init(rows: Int, sha256: [UInt8]) {
        self.rows = rows
        self.sha256 = sha256
    }

    /// - Parameter columns: the columns that count; nil for all.
    /// - Throws: SQLite's errors.
    package init(of table: SQLName, columns: [SQLName]? = nil, _ database: Database) throws {
        var digest = ValueDigest()
        var count = 0
        // A WITHOUT ROWID table is read in the order of its own key.
        let isNumbered = try database.hasRowNumbers(table)
        let number = isNumbered ? "rowid" : "0"
        let selection = columns.map { $0.map(\.quotedIdentifier).joined(separator: ", ") } ?? "*"
        try database.forEachRow(
            "SELECT \(number), \(selection) FROM \(table.quotedIdentifier)\(isNumbered ? " ORDER BY rowid" : "")"
        ) { row in
            count += 1
            for column in 0..<row.columnCount { digest.add(row, column) }
        }
        rows = count
        sha256 = digest.finish()
    }
}

extension Database {
    /// Whether a table has rowids; false for a WITHOUT ROWID table. There the index of the primary key is the table
    /// itself and is not among the store's indexes: https://www.sqlite.org/withoutrowid.html
    /// - Throws: SQLite's errors.
    package func hasRowNumbers(_ table: SQLName) throws -> Bool {
        var found = true
        try forEachRow(
            """
            SELECT 1 FROM pragma_index_list(?) AS key WHERE origin = 'pk'
            AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = key.name COLLATE NOCASE)
            """, [.string(table.text)]
        ) { _ in found = false }
        return found
    }
}
