private import CSQLiteOptions
package import GRDB
private import GRDBSQLite

extension Configuration {
    /// For a connection of a test's own, alone with its store, whose traces are not what is tested: with every SQLite it may
    /// write to `sqlite_master`, and leaves an empty `-wal` and no `-shm` when it closes.
    package static var forTests: Configuration {
        var configuration = ofApp
        configuration.foreignKeysEnabled = false
        // As in SQLite's own shell.
        configuration.acceptsDoubleQuotedStringLiterals = true
        // Before the first read: then there is no -shm.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        return configuration
    }

    /// For a connection beside others that leaves an empty `-wal`, as Core Data does.
    package static var ofApp: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            database.allowSchemaWrites()
            // GRDB's, which observes what nobody here asks for and takes as long as compiling a statement.
            sqlite3_set_authorizer(database.sqliteConnection, nil, nil)
            // Debian's default, not Apple's: what a test deletes is not found again, unless it says otherwise.
            try database.execute(sql: "PRAGMA journal_size_limit = 0; PRAGMA secure_delete = ON")
            database.keepLog()
        }
        return configuration
    }
}

extension DatabaseQueue {
    /// Changes a database behind everybody's back, as a script would.
    @discardableResult
    package static func script<Value>(at path: String, _ body: (Database) throws -> Value) throws -> Value {
        let queue = try DatabaseQueue(path: path, configuration: .forTests)
        let value = try queue.writeWithoutTransaction(body)
        try queue.close()
        return value
    }

    package static func script(at path: String, _ sql: String) throws {
        try script(at: path) { try $0.execute(sql: sql) }
    }
}

extension Database {
    /// Lets `PRAGMA writable_schema` have its effect.
    package func allowSchemaWrites() { meterfix_set_defensive(sqliteConnection, 0) }

    /// Whether the `-wal` stays when the last connection closes, as Apple's SQLite leaves it, or goes.
    package func keepLog(_ isKept: Bool = true) {
        var isPersistent: Int32 = isKept ? 1 : 0
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
    }
}
