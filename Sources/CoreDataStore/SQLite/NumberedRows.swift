package import GRDB

extension Database {
    /// Hands the rows of a table whose `Z_PK` is in `numbers` to `body`, in ascending order: `Z_PK` and then `columns`.
    /// Missing rows are skipped.
    /// - Parameter numbers: in ascending order.
    /// - Throws: SQLite's errors, and what `body` throws.
    package func forEachRow(
        numbered numbers: [Int64], in table: SQLName, columns: [SQLName], _ body: (SQLiteRow) throws -> Void
    ) throws {
        guard let first = numbers.first, let last = numbers.last else { return }
        let selection = (["Z_PK"] + columns).map(\.quotedIdentifier).joined(separator: ", ")
        let query = "SELECT \(selection) FROM \(table.quotedIdentifier)"
        let (width, overflow) = last.subtractingReportingOverflow(first)
        // Stepping over an unwanted row costs about an eighth of looking one up.
        guard !overflow, width / 8 < Int64(numbers.count) else {
            let statement = try PreparedStatement(self, query + " WHERE Z_PK = ?")
            for number in numbers { try statement.forEachRow([.integer(number)], body) }
            return
        }
        RowFilter.register(on: self)
        let filter = RowFilter(numbers)
        try withExtendedLifetime(filter) {
            try forEachRow(
                query + " WHERE Z_PK BETWEEN ? AND ? AND \(RowFilter.functionName)(?, Z_PK) ORDER BY Z_PK",
                [.integer(first), .integer(last), .filter(filter)], body)
        }
    }
}
