private import CSQLiteOptions
package import GRDB
private import GRDBSQLite

extension Configuration {
    /// For a connection of a test's own whose traces are not what is tested: with every SQLite it may write to
    /// `sqlite_master`, and takes the `-wal` and the `-shm` away when it closes. Apple's does neither unless it is asked.
    package static var forTests: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            database.allowSchemaWrites()
            var isPersistent: Int32 = 0
            sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
        }
        return configuration
    }
}

extension Database {
    /// Lets `PRAGMA writable_schema` have its effect.
    package func allowSchemaWrites() { meterfix_set_defensive(sqliteConnection, 0) }
}
