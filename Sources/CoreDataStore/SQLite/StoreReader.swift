internal import Foundation
package import GRDB
private import GRDBSQLite

/// Reads from the store of a connection, perhaps while that connection goes on.
package protocol StoreReader: AnyObject, Sendable {
    /// Whether a read would go on beside the connection, and not before it.
    func canReadConcurrently(_ database: Database) -> Bool

    /// Begins to read from the store as it is now, or reads it at once.
    /// - Parameters:
    ///   - database: the connection's. Where it has changed something, `exposeUncommittedChanges` was called since, and it changes
    ///     nothing more until the reading is done.
    ///   - body: uses the database it is handed, and no other.
    func read<Value>(
        beside database: Database, _ body: @escaping @Sendable (Database) throws -> Value
    ) -> PendingRead<Value>

    /// From now on the store is read as the connection's transaction leaves it, before the commit.
    /// - Parameter database: the connection's, in its first transaction that changes anything.
    func exposeUncommittedChanges(of database: Database)

    /// Interrupts what still reads, and returns when nothing does.
    func end()
}

/// Reads through the connection itself, one thing after the other.
package final class SequentialReader: StoreReader {
    package init() {}

    package func canReadConcurrently(_ database: Database) -> Bool { false }

    package func read<Value>(
        beside database: Database, _ body: @escaping @Sendable (Database) throws -> Value
    ) -> PendingRead<Value> {
        PendingRead(done: Result { try body(database) })
    }

    package func exposeUncommittedChanges(of database: Database) {}

    package func end() {}
}

/// Something that is read while the thread that asked for it goes on.
package final class PendingRead<Value>: @unchecked Sendable {
    /// Guards the result, and is signalled when it is there.
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?

    /// Begins to read on a thread of its own; reads at once where there can be no more threads.
    package init(_ body: @escaping @Sendable () throws -> Value) {
        let progress = WorkProgress.current
        let isBegun = WorkerThread.start {
            let result = WorkProgress.$current.withValue(progress) { Result(catching: body) }
            self.condition.withLock {
                self.result = result
                self.condition.broadcast()
            }
        }
        if !isBegun { result = Result(catching: body) }
    }

    /// Was read at once.
    package init(done result: Result<Value, any Error>) { self.result = result }

    /// What was read, as soon as it is.
    /// - Throws: what the reading threw.
    package func value() throws -> Value {
        wait()
        return try result!.get()
    }

    /// The same, with every error as one of the store at `path`.
    package func value(at path: String) throws(StoreError) -> Value {
        do {
            return try value()
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// Returns when nothing is read any more.
    package func wait() {
        condition.lock()
        defer { condition.unlock() }
        while result == nil { condition.wait() }
    }
}

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
