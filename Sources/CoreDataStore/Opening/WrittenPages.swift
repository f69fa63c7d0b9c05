package import GRDB
private import GRDBSQLite

extension Database {
    /// Puts what the transaction has written so far into the log of the store and forgets it, so that what is read from now
    /// on is what is in the files. (Where there is a rollback journal, pages go into the main file only with the commit,
    /// and are read from memory until then.)
    /// - Throws: SQLite's errors.
    package func readBackWrittenPages() throws {
        guard try isWAL() else { return }
        let code = sqlite3_db_cacheflush(sqliteConnection)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        sqlite3_db_release_memory(sqliteConnection)
    }
}
