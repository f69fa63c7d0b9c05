private import CSQLiteOptions
internal import GRDB
private import GRDBSQLite

/// What a connection is opened for.
enum ConnectionPurpose {
    /// To read a file that does not change while it is open.
    case reading
    /// To change a file that must be intact after a crash or a power failure.
    case changing
    /// To change a file that nobody needs after a crash.
    case scratch
}

extension Configuration {
    /// The configuration of every connection to a file of a store. It settles what SQLite's builds do differently, so
    /// that Apple's and those of Linux distributions behave alike.
    /// - Parameter prepare: what has to be set before the first read, such as the locking mode.
    init(for purpose: ConnectionPurpose, prepare: (@Sendable (Database) throws -> Void)? = nil) {
        self.init()
        readonly = purpose == .reading
        // Deletes must not cascade: only what the plan says is deleted.
        foreignKeysEnabled = false
        prepareDatabase { database in
            // GRDB's authorizer examines each statement while it is compiled, for database observation, which takes as
            // long as the compiling. Nobody observes a store; `WriteLog` says what was written.
            sqlite3_set_authorizer(database.sqliteConnection, nil, nil)
            // The schema is a customer's: the functions that its views, triggers and defaults call must have no effect
            // outside SQLite.
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            // The default of Apple's SQLite. Nothing that meterfix does needs more.
            meterfix_set_defensive(database.sqliteConnection, 1)
            if purpose != .reading { try database.setWALOnClose(.removed) }
            try prepare?(database)
            switch purpose {
            case .reading: break
            case .changing:
                // With a WAL, Apple's SQLite waits for the disk only at a checkpoint, and fsync does not reach the
                // drive on a Mac. (`synchronous` reads the schema, so it comes last.)
                try database.execute(
                    sql: "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA synchronous = FULL")
            case .scratch: try database.execute(sql: "PRAGMA synchronous = OFF")
            }
        }
    }
}
