package import GRDB
private import GRDBSQLite

/// Tells SQLite which rows are wanted before it parses their columns, which is most of the cost of a row.
package final class RowFilter {
    /// Its name in SQL: a function of a filter and a row number. It is called for rows in ascending order.
    static let functionName = "meterfix_is_wanted"

    private let numbers: [Int64]
    private var next = 0

    /// - Parameter numbers: of the wanted rows, in ascending order.
    init(_ numbers: [Int64]) { self.numbers = numbers }

    fileprivate func isWanted(_ number: Int64) -> Bool {
        while next < numbers.count, numbers[next] < number { next += 1 }
        return next < numbers.count && numbers[next] == number
    }

    /// The type name of a pointer to a filter. (SQLite keeps the pointer to this text, not a copy.)
    private static let pointerType: StaticString = "meterfix-row-filter"

    private static var pointerTypeText: UnsafePointer<CChar> {
        UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// The filter must outlive the execution of the statement.
    func bind(to statement: SQLiteStatement, at index: Int32) -> Int32 {
        sqlite3_bind_pointer(statement, index, Unmanaged.passUnretained(self).toOpaque(), Self.pointerTypeText, nil)
    }

    /// Registers the function. It may be registered already; SQLite then reports an error if a statement is running.
    static func register(on database: Database) {
        sqlite3_create_function_v2(
            database.sqliteConnection, functionName, 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
            { context, _, values in
                guard let values, let filter = sqlite3_value_pointer(values[0], RowFilter.pointerTypeText) else {
                    return sqlite3_result_error(context, "not a filter", -1)
                }
                let isWanted = Unmanaged<RowFilter>.fromOpaque(filter).takeUnretainedValue()
                    .isWanted(sqlite3_value_int64(values[1]))
                sqlite3_result_int(context, isWanted ? 1 : 0)
            }, nil, nil, nil)
    }
}

extension Database {
    /// Hands the rows of a table whose `Z_PK` is in `numbers` to `body`, in ascending order: `Z_PK` and then `columns`.
    /// Missing rows are skipped.
    /// - Parameter numbers: in ascending order.
    /// - Throws: SQLite's errors; what `body` throws.
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
