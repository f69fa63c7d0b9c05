private import CSQLiteOptions
internal import GRDB
private import GRDBSQLite

/// What happens to the `-wal` when the last connection to a database closes.
enum WALOnClose {
    /// It is checkpointed and removed.
    case removed
    /// It stays, empty, as Apple's SQLite leaves it.
    case emptied
    /// Every frame stays in it.
    case kept
}

extension Database {
    /// Reads nothing from the file.
    /// - Throws: `DatabaseError`.
    func setWALOnClose(_ log: WALOnClose) throws {
        meterfix_checkpoint_on_close(sqliteConnection, log == .kept ? 0 : 1)
        // Apple's SQLite leaves an empty one by default, with a -shm beside it
        // (https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntlpersistwal). If a file system does
        // not know this, none stays.
        var isPersistent: Int32 = log == .emptied ? 1 : 0
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
        if log == .emptied { try execute(sql: "PRAGMA journal_size_limit = 0") }
    }
}
