private import CSQLiteOptions
internal import Foundation
internal import GRDB
private import GRDBSQLite

/// What a connection is opened for.
enum ConnectionPurpose {
    /// To read a file that does not change while it is open.
    case reading
    /// To change a file that must be intact after a crash or a power failure.
    case changing
    /// The same beside other processes, whose transactions end soon.
    case sharing
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
        if purpose == .sharing { busyMode = .timeout(SharedConnection.patience) }
        // Deletes must not cascade: only what the plan says is deleted.
        foreignKeysEnabled = false
        prepareDatabase { database in
            // GRDB's authorizer examines each statement while it is compiled, for database observation, which takes as
            // long as the compiling. Nobody observes a store; `WriteLog` says what was written.
            sqlite3_set_authorizer(database.sqliteConnection, nil, nil)
            // The schema is a customer's: the functions that its views, triggers and defaults call must have no effect
            // outside SQLite.
            meterfix_trust_schema(database.sqliteConnection, 0)
            // The default of Apple's SQLite. Nothing that meterfix does needs more.
            meterfix_set_defensive(database.sqliteConnection, 1)
            if purpose != .reading {
                try database.setWALOnClose(.removed)
                // Debian's default, not Apple's. What meterfix deletes is in its backup, and nowhere else; and what is
                // not in use of a page that it writes is zeros, not what memory held before.
                try database.execute(sql: "PRAGMA secure_delete = ON")
            }
            try prepare?(database)
            switch purpose {
            case .reading: break
            case .changing, .sharing:
                // With a WAL, Apple's SQLite waits for the disk only at a checkpoint, and fsync does not reach the
                // drive on a Mac. (`synchronous` reads the schema, so it comes last.)
                try database.execute(
                    sql: "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA synchronous = FULL")
            case .scratch: try database.execute(sql: "PRAGMA synchronous = OFF")
            }
        }
    }
}

extension DatabaseQueue {
    /// Closes the connection, and keeps the queue until the next one is closed or the program ends: when GRDB's queue goes,
    /// Dispatch starts a thread to clear up, which takes a twentieth of a command on a small store. A connection that is in
    /// use closes when its queue goes.
    func closeAndKeep() {
        guard (try? close()) != nil else { return }
        // The one before goes when the lock is free again.
        let before = lastQueue.withLock { last in
            defer { last = self }
            return last
        }
        withExtendedLifetime(before) {}
    }
}

private let lastQueue = Locked<DatabaseQueue?>(nil)

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
    func setWALOnClose(_ log: WALOnClose) throws {
        meterfix_checkpoint_on_close(sqliteConnection, log == .kept ? 0 : 1)
        // Apple's SQLite leaves an empty one by default, with a -shm beside it
        // (https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntlpersistwal). If a file system does
        // not know this, none stays.
        var isPersistent: Int32 = log == .emptied ? 1 : 0
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isPersistent)
        if log == .emptied { try execute(sql: "PRAGMA journal_size_limit = 0") }
    }

    /// Checkpoints the WAL into the main file and removes it: from now on there is a rollback journal. What fails leaves
    /// the WAL there.
    func removeWAL() throws {
        do {
            try setWALOnClose(.removed)
            try execute(sql: "PRAGMA journal_mode = DELETE")
        } catch {
            try setWALOnClose(.kept)
            throw error
        }
    }
}
