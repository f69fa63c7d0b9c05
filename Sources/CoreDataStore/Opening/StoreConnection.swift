private import CSQLiteOptions
internal import Foundation
package import GRDB
private import GRDBSQLite

/// One open store. How it was opened decides what may be done with it; what is read from it is the same.
package final class StoreConnection {
    /// As the user gave it.
    package let path: String
    package let files: StoreFiles
    private let queue: DatabaseQueue
    /// Kept for as long as the connection works on it.
    private let copy: PrivateCopy?

    /// Reads from the store beside this connection.
    package let parallel: ParallelReader

    /// Whether a change was committed.
    private var hasChanged = false

    private init(files: StoreFiles, queue: DatabaseQueue, copy: PrivateCopy?, isReadOnly: Bool = false) {
        path = files.path
        self.files = files
        self.queue = queue
        self.copy = copy
        parallel = ParallelReader(of: files, at: copy?.path ?? files.resolvedPath, isReadOnly: isReadOnly)
        Interruption.watch(queue)
    }

    deinit {
        parallel.end()
        Interruption.forget(queue)
    }

    /// Keeps SQLite from counting the memory it uses, under a lock that all threads share. For the whole process: call
    /// once, from the program, before the first store is opened.
    package static func countNoMemory() { _ = meterfix_without_memory_statistics() }

    /// Opens the store for reading and leaves no trace: the file itself where all contents are in it, a private copy
    /// where part of them is in a `-wal` or a rollback journal. Works in a folder that cannot be written to.
    package static func untouched(_ path: String) throws(StoreError) -> StoreConnection {
        let files = try StoreFiles(path: path)
        guard files.hasLog else {
            let queue = try open(files.resolvedPath, parameters: immutable, readonly: true, shownAs: path)
            return StoreConnection(files: files, queue: queue, copy: nil, isReadOnly: true)
        }
        return try onPrivateCopy(files)
    }

    /// Opens a private copy that may be written to: what happens there stays there.
    package static func rehearsal(_ path: String) throws(StoreError) -> StoreConnection {
        try onPrivateCopy(try changeableFiles(path))
    }

    /// Keeps SQLite from locking, from recovery and from making a `-shm`.
    static let immutable = "mode=ro&immutable=1"

    private static func onPrivateCopy(_ files: StoreFiles) throws(StoreError) -> StoreConnection {
        let copy = try PrivateCopy(of: files)
        let queue = try open(copy.path, parameters: "mode=rw", readonly: false, shownAs: files.path) { database in
            // Nobody needs the copy after a crash, or its main file without the log.
            try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0")
            meterfix_checkpoint_on_close(database.sqliteConnection, 0)
        }
        return StoreConnection(files: files, queue: queue, copy: copy)
    }

    /// Opens the store itself for a change, for this process alone.
    /// - Throws: `inUse` where another process has it open or locked.
    package static func exclusive(_ path: String) throws(StoreError) -> StoreConnection {
        let files = try changeableFiles(path)
        // SQLite would open such a file for reading, and then fail in ways that do not tell why.
        guard access(files.resolvedPath, W_OK) == 0 else { throw FileFault(code: errno).storeError(at: path) }
        let queue = try open(files.resolvedPath, parameters: "mode=rw", readonly: false, shownAs: path) { database in
            // Before the first read: then a WAL store is locked against idle readers too, and no `-shm` is made.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            // What fails before it changed anything leaves the log as it was. An empty log that SQLite makes goes away.
            meterfix_checkpoint_on_close(database.sqliteConnection, files.hasLog ? 0 : 1)
        }
        return StoreConnection(files: files, queue: queue, copy: nil)
    }

    /// SQLite deletes the log beside an empty main file: here it would be all that is left of the store.
    private static func changeableFiles(_ path: String) throws(StoreError) -> StoreFiles {
        let files = try StoreFiles(path: path)
        guard files.main.size > 0 else {
            throw StoreError(
                .damaged, at: path, "the main file is empty, 0 bytes; what there is of the store is in its log",
                hint: "ask for the main file again, and keep the -wal file")
        }
        guard files.header.writeVersion <= 2 else {
            throw StoreError(
                .unsuitable, at: path,
                "its header says file format \(files.header.writeVersion), which may only be read; the newest one is 2",
                hint: "ask for the store again; this one is damaged, or of an SQLite that is not out yet")
        }
        return files
    }

    /// How many bytes an absolute path may have for SQLite to open the file: 512, with room for the suffix of a journal.
    /// (`MAX_PATHNAME` in its os_unix.c, and `sqlite3PagerOpen`.)
    package static let longestPath = 504

    static func open(
        _ resolvedPath: String, parameters: String, readonly: Bool, shownAs path: String,
        prepare: (@Sendable (Database) throws -> Void)? = nil
    ) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = readonly
        // Deleting must not cascade: what goes is what the plan says.
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            // GRDB has each statement looked at while it is compiled, for those who observe what is written, which takes as
            // long as the compiling. Nobody observes a store; what was written `WriteLog` says.
            sqlite3_set_authorizer(database.sqliteConnection, nil, nil)
            // The schema is a customer's: what its views, triggers and defaults call may have no effect outside SQLite.
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try prepare?(database)
        }
        // Percent-encode all but what is safe everywhere, for `?`, `%` and `#` mean something in a URI.
        let safe = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~")
        let encoded = resolvedPath.addingPercentEncoding(withAllowedCharacters: safe) ?? resolvedPath
        do {
            return try DatabaseQueue(path: "file://\(encoded)?\(parameters)", configuration: configuration)
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// Reads from the store.
    package func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try queue.inDatabase(body)
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// One transaction that nobody else can see into; it is rolled back where `body` throws.
    package func change<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try queue.inDatabase { database in
                var value: Value?
                let before = database.totalChangesCount
                try database.inTransaction(.exclusive) {
                    value = try body(database)
                    return .commit
                }
                hasChanged = hasChanged || database.totalChangesCount != before
                return value!
            }
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// Closes the store. After a change the `-wal` goes into the main file, as when the app is the last one out; that of a
    /// private copy goes away with it.
    package func close() throws(StoreError) {
        parallel.end()
        Interruption.forget(queue)
        do {
            if hasChanged && copy == nil {
                queue.inDatabase { database in _ = meterfix_checkpoint_on_close(database.sqliteConnection, 1) }
                try removeForeignLogIndex()
            }
            try queue.close()
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// Puts the log into the main file and takes it away, the `-shm` too: the main file is then all there is. The store
    /// stays this process's own until `close`, which from now on leaves every file beside the main one alone.
    package func takeLogIn() throws(StoreError) {
        do {
            try queue.inDatabase { database in
                var isBusy = false
                try database.forEachRow("PRAGMA wal_checkpoint(TRUNCATE)") { isBusy = $0.integer(0) != 0 }
                guard !isBusy else {
                    throw StoreError(
                        .inUse, at: path, "another process has the store open",
                        hint: "close the app and every tool that uses it, then run it again")
                }
                _ = meterfix_checkpoint_on_close(database.sqliteConnection, 0)
            }
            for suffix in ["-wal", "-shm"] where unlink(files.resolvedPath + suffix) != 0 && errno != ENOENT {
                throw FileFault(code: errno)
            }
        } catch {
            throw StoreError(error, at: path)
        }
        try FileCopy.synchronize(folder: FileReplacement.folder(of: files.resolvedPath))
    }

    /// Removes the `-shm` that another process left beside a log. A connection that has the store to itself neither uses
    /// it nor takes it away, so it would outlive the log and tell of frames that are long in the main file.
    private func removeForeignLogIndex() throws {
        guard files.header.isWAL, files.hasLog, files.shm != nil else { return }
        try queue.inDatabase { database in
            // In a transaction nobody else can have the store open, so nobody uses the file.
            try database.inTransaction(.exclusive) {
                unlink(files.resolvedPath + "-shm")
                return .rollback
            }
        }
    }

    /// Whether the files are as they were when the store was opened: what was read from them is then of one moment.
    package func confirmUnchanged() throws(StoreError) {
        guard try StoreFiles(path: path).hasSameContents(as: files) else {
            throw StoreError(
                .inUse, at: path, "the store changed while it was read", hint: "close the app and run it again")
        }
    }
}
