private import CSQLiteOptions
internal import GRDB
private import GRDBSQLite

/// What a connection is opened for.
enum ConnectionPurpose {
    /// To read a file that does not change meanwhile.
    case reading
    /// To change a file that must be whole after a crash or a power failure.
    case changing
    /// To change a file that nobody needs after a crash.
    case scratch
}

extension Configuration {
    /// How SQLite is set up for every connection to a file of a store. What its builds do differently is settled here:
    /// Apple's and those of Linux distributions then behave alike.
    /// - Parameter prepare: what has to come before the first read, such as the locking mode.
    init(for purpose: ConnectionPurpose, prepare: (@Sendable (Database) throws -> Void)? = nil) {
        self.init()
        readonly = purpose == .reading
        // Deleting must not cascade: what goes is what the plan says.
        foreignKeysEnabled = false
        prepareDatabase { database in
            // GRDB has each statement looked at while it is compiled, for those who observe what is written, which takes as
            // long as the compiling. Nobody observes a store; what was written `WriteLog` says.
            sqlite3_set_authorizer(database.sqliteConnection, nil, nil)
            // The schema is a customer's: what its views, triggers and defaults call may have no effect outside SQLite.
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            // Apple's SQLite is so by default. Nothing that meterfix does needs more.
            meterfix_set_defensive(database.sqliteConnection, 1)
            if purpose != .reading { try database.setLogOnClose(.removed) }
            try prepare?(database)
            switch purpose {
            case .reading: break
            case .changing:
                // Apple's SQLite waits for the disk only at a checkpoint where there is a log, and fsync does not reach the
                // drive on a Mac. (`synchronous` reads the schema, so it comes last.)
                try database.execute(
                    sql: "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA synchronous = FULL")
            case .scratch: try database.execute(sql: "PRAGMA synchronous = OFF")
            }
        }
    }
}
