package import GRDB
private import GRDBSQLite

/// The current row of a statement, read through SQLite's own interface: no object is made for a value that is only
/// looked at. Valid inside the closure it is handed to.
package struct SQLiteRow {
    package enum StorageClass: Sendable { case null, integer, real, text, blob }

    fileprivate let statement: SQLiteStatement

    package var columnCount: Int { Int(sqlite3_column_count(statement)) }

    /// The storage class of a column, before any of the calls below converts the value.
    package func storageClass(_ column: Int) -> StorageClass {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }
    package func real(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }

    /// Nil for NULL.
    package func integerOrNil(_ column: Int) -> Int64? { storageClass(column) == .null ? nil : integer(column) }

    /// Nil for NULL.
    package func realOrNil(_ column: Int) -> Double? { storageClass(column) == .null ? nil : real(column) }

    /// Nil for what is not text. Bytes that are not UTF-8 become U+FFFD.
    package func text(_ column: Int) -> String? {
        storageClass(column) == .text ? String(decoding: bytes(column), as: UTF8.self) : nil
    }

    /// The bytes of a text or a blob, valid until the next step of the statement.
    package func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_blob(statement, Int32(column))
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count)
    }
}

extension SQLiteRow {
    /// A value as SQLite holds it, valid until the next step of the statement.
    package enum Value {
        case null
        case integer(Int64)
        case real(Double)
        /// Text that may not be UTF-8.
        case text(UnsafeBufferPointer<UInt8>)
        case blob(UnsafeBufferPointer<UInt8>)
    }

    /// The value of a column, whatever it is. If the value is used anyway, this takes half the time of one call for the
    /// storage class and another for the value. (SQLite's functions for values may be used on it, because no other
    /// thread uses the connection. https://www.sqlite.org/c3ref/value.html)
    package subscript(column: Int) -> Value {
        let value = sqlite3_column_value(statement, Int32(column))
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
        case SQLITE_TEXT: return .text(Self.bytes(of: value))
        case SQLITE_BLOB: return .blob(Self.bytes(of: value))
        default: return .null
        }
    }

    private static func bytes(of value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_value_blob(value)
        let count = Int(sqlite3_value_bytes(value))
        return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count)
    }
}

/// A value to bind, exactly as it is: text that is not UTF-8 or contains a NUL keeps its bytes.
package enum SQLiteBinding {
    case null
    case integer(Int64)
    case real(Double)
    /// Text that may not be UTF-8.
    case text([UInt8])
    case string(String)
    case blob([UInt8])
    /// For `RowFilter`'s function.
    case filter(RowFilter)
}

extension Database {
    /// Runs a query and hands each row to `body`, in the query's order. What is asked once more is not compiled again: for
    /// a small store that takes longer than the answer.
    /// - Throws: SQLite's errors; what `body` throws.
    package func forEachRow(
        _ sql: String, _ values: [SQLiteBinding] = [], _ body: (SQLiteRow) throws -> Void
    ) throws {
        let kept = try PreparedStatement(self, sql, isKept: true)
        // `body` may ask what is being read.
        let statement = kept.isRunning ? try PreparedStatement(self, sql) : kept
        try statement.forEachRow(values, body)
    }

    /// What `body` makes of each row, in the query's order.
    /// - Throws: SQLite's errors; what `body` throws.
    package func rows<Value>(
        _ sql: String, _ values: [SQLiteBinding] = [], _ body: (SQLiteRow) throws -> Value
    ) throws -> [Value] {
        var rows: [Value] = []
        try forEachRow(sql, values) { rows.append(try body($0)) }
        return rows
    }

    /// What `body` makes of the first row; nil where there is none.
    /// - Throws: SQLite's errors; what `body` throws.
    package func first<Value>(
        _ sql: String, _ values: [SQLiteBinding] = [], _ body: (SQLiteRow) throws -> Value?
    ) throws -> Value? {
        try rows(sql, values, body).first ?? nil
    }

    /// - Throws: SQLite's errors.
    package func hasRow(_ sql: String, _ values: [SQLiteBinding] = []) throws -> Bool {
        try first(sql, values) { _ in true } ?? false
    }

    /// The first number in the result of a statement; 0 if there is none.
    /// - Throws: SQLite's errors.
    package func integer(of sql: String, _ values: [SQLiteBinding] = []) throws -> Int64 {
        try first(sql, values) { $0.integer(0) } ?? 0
    }
}

extension Sequence<Int64> {
    /// For `IN (…)`.
    package var sqlList: String { map(String.init).joined(separator: ", ") }
}

/// A statement that can be run many times.
package final class PreparedStatement {
    private let database: Database
    /// Keeps the pointer below alive.
    private let statement: Statement
    private let pointer: SQLiteStatement

    /// - Parameter isKept: the connection keeps it, compiled, for the next time; not for one that may be running then.
    /// - Throws: SQLite's errors.
    package init(_ database: Database, _ sql: String, isKept: Bool = false) throws {
        self.database = database
        statement = try isKept ? database.cachedStatement(sql: sql) : database.makeStatement(sql: sql)
        pointer = statement.sqliteStatement
    }

    /// Whether rows of it are being read.
    fileprivate var isRunning: Bool { sqlite3_stmt_busy(pointer) != 0 }

    /// Runs the statement, hands each row to `body`.
    /// - Throws: SQLite's errors; what `body` throws.
    package func forEachRow(_ values: [SQLiteBinding] = [], _ body: (SQLiteRow) throws -> Void) throws {
        try bind(values)
        defer { sqlite3_reset(pointer) }
        while let row = try step() { try body(row) }
    }

    /// The next row of a statement without parameters; for two queries that are read side by side.
    /// - Returns: nil after the last row; the next call starts again from the first.
    /// - Throws: SQLite's errors.
    package func next() throws -> SQLiteRow? {
        var row: SQLiteRow?
        defer { if row == nil { sqlite3_reset(pointer) } }
        row = try step()
        return row
    }

    private func step() throws -> SQLiteRow? {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return SQLiteRow(statement: pointer)
        case SQLITE_DONE: return nil
        case let code: throw error(code)
        }
    }

    /// Runs a statement that changes rows.
    /// - Returns: how many rows it inserted, updated or deleted itself, not counting triggers.
    /// - Throws: SQLite's errors.
    @discardableResult
    package func run(_ values: [SQLiteBinding]) throws -> Int {
        // SQLite looks for an interruption only where a statement loops.
        guard !Interruption.isRequested else { throw error(SQLITE_INTERRUPT) }
        try forEachRow(values) { _ in }
        return database.changesCount
    }

    private func bind(_ values: [SQLiteBinding]) throws {
        // `forEachRow` leaves the statement reset. What is not bound is NULL.
        if values.count < sqlite3_bind_parameter_count(pointer) { sqlite3_clear_bindings(pointer) }
        // SQLite copies the bytes: they are gone when this returns.
        let copy = unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
        for (index, value) in zip(Int32(1)..., values) {
            let code: Int32
            switch value {
            case .null: code = sqlite3_bind_null(pointer, index)
            case .integer(let number): code = sqlite3_bind_int64(pointer, index, number)
            case .real(let number): code = sqlite3_bind_double(pointer, index, number)
            case .text(let bytes): code = bytes.withUnsafeBufferPointer { bind($0, at: index, copy) }
            case .string(var text): code = text.withUTF8 { bind($0, at: index, copy) }
            case .blob(let bytes):
                code =
                    bytes.isEmpty
                    ? sqlite3_bind_zeroblob(pointer, index, 0)
                    : sqlite3_bind_blob64(pointer, index, bytes, UInt64(bytes.count), copy)
            case .filter(let filter): code = filter.bind(to: pointer, at: index)
            }
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    private func bind(
        _ text: UnsafeBufferPointer<UInt8>, at index: Int32, _ copy: sqlite3_destructor_type
    ) -> Int32 {
        // An empty buffer may have no address, which SQLite would take for NULL.
        guard !text.isEmpty else { return sqlite3_bind_text64(pointer, index, "", 0, copy, UInt8(SQLITE_UTF8)) }
        return text.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text64(pointer, index, $0.baseAddress, UInt64($0.count), copy, UInt8(SQLITE_UTF8))
        }
    }

    private func error(_ code: Int32) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage, sql: statement.sql)
    }
}

extension String {
    /// As a quoted SQL identifier. Names of tables and columns come from a customer's file.
    package var quotedIdentifier: String {
        // Hardly any name has one, and to look for text takes longer than for a byte.
        let name = utf8.contains(UInt8(ascii: "\"")) ? replacing("\"", with: "\"\"") : self
        return "\"\(name)\""
    }
}
