private import CSQLiteOptions
package import GRDB
private import GRDBSQLite

extension Configuration {
    /// For a connection of a test's own, alone with its store, whose traces are not what is tested: with every SQLite it may
    /// write to `sqlite_master`, and leaves an empty `-wal` and no `-shm` when it closes.
    package static var forTests: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            database.allowSchemaWrites()
            // Before the first read: then there is no -shm.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_size_limit = 0")
            var isPersistent: Int32 = 1
            sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
        }
        return configuration
    }
}

extension Database {
    /// Lets `PRAGMA writable_schema` have its effect.
    package func allowSchemaWrites() { meterfix_set_defensive(sqliteConnection, 0) }
}
