import Foundation
import GRDBSQLite
import MeterTestSupport

/// An app's connection to a store. It is made without a look into the file, which no wrapper of SQLite leaves out.
///
/// Closing a file drops this process's locks on it: as long as the app has one, the test opens the store nowhere else.
final class OtherProcess: @unchecked Sendable {
    private var database: OpaquePointer?

    init(opening path: String, creates: Bool = false, patience milliseconds: Int32 = 0) throws {
        guard
            sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0), nil)
                == SQLITE_OK
        else {
            throw MeterfixProcess.Failure(description: "\(path) cannot be opened")
        }
        // As Core Data's does. This does not look into the file either.
        var isPersistent: Int32 = 1
        sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
        sqlite3_busy_timeout(database, milliseconds)
    }

    deinit { close() }

    /// The code of SQLite's answer, 0 for none amiss.
    @discardableResult
    func execute(_ sql: String) -> Int32 { sqlite3_exec(database, sql, nil, nil, nil) }

    /// The first value of the first row, as text.
    func text(_ sql: String) -> String? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return sqlite3_column_text(statement, 0).map { String(cString: $0) }
    }

    func close() {
        sqlite3_close_v2(database)
        database = nil
    }
}
