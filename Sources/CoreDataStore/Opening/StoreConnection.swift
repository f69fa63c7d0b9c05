private import CSQLiteOptions
internal import Foundation
package import GRDB

/// One open store. How it was opened decides what may be done with it; what is read from it is the same.
package final class StoreConnection {
    /// As the user gave it.
    package let path: String
    package let files: StoreFiles
    private let queue: DatabaseQueue
    /// Kept for as long as the connection works on it.
    private let copy: PrivateCopy?

    /// Reads from the store, beside this connection where it can.
    package let reader: any StoreReader

    /// Whether a change was committed.
    private var hasChanged = false

    private init(files: StoreFiles, queue: DatabaseQueue, copy: PrivateCopy?, isReadOnly: Bool = false) {
        path = files.path
        self.files = files
        self.queue = queue
        self.copy = copy
        let mainFile = copy?.path ?? files.resolvedPath
        reader = ParallelReader(
            of: mainFile, size: files.main.size, hasLog: files.hasLog, isReadOnly: isReadOnly, shownAs: files.path
        ) { parameters in
            try? Self.open(mainFile, parameters: Self.immutable + parameters, for: .reading, shownAs: files.path)
        }
        Interruption.watch(queue)
    }

    deinit {
        reader.end()
        Interruption.forget(queue)
    }

    /// Keeps SQLite from counting the memory it uses, under a lock that all threads share. For the whole process: call
    /// once, from the program, before the first store is opened.
    package static func countNoMemory() { _ = meterfix_without_memory_statistics() }

    /// Reads from a store and leaves no trace. Where another process writes to it meanwhile, it is read again, for a
    /// moment.
    /// - Parameter body: may be called several times; what it returns in the end is of one moment.
    /// - Throws: what `body` throws; `inUse` where the store does not stop changing.
    package static func look<Value>(
        at path: String, _ body: (StoreConnection, Database) throws -> Value
    ) throws(StoreError) -> Value {
        try SteadyLook.at(path) { look throws(StoreError) in
            let connection = try openUntouched(path, &look)
            let value: Value
            do throws(StoreError) {
                value = try connection.read { try body(connection, $0) }
            } catch {
                try? connection.close()
                throw error
            }
            try connection.close()
            return value
        }
    }

    /// Opens the store for reading and leaves no trace: the file itself where all contents are in it, a private copy
    /// where part of them is in a `-wal` or a rollback journal. Works in a folder that cannot be written to.
    ///
    /// What is read from it is of one moment if `confirmUnchanged` says so afterwards. For a store that may be in use
    /// there is `look`.
    package static func untouched(_ path: String) throws(StoreError) -> StoreConnection {
        try SteadyLook.at(path) { look throws(StoreError) in try openUntouched(path, &look) }
    }

    private static func openUntouched(_ path: String, _ look: inout SteadyLook) throws(StoreError) -> StoreConnection {
        let files = try StoreFiles(path: path)
        // To copy a file takes less time than to read what is in it, and so it can be done between two writes.
        guard files.hasLog || look.attempt > 0 else {
            let queue = try open(files.resolvedPath, parameters: immutable, for: .reading, shownAs: path)
            return StoreConnection(files: files, queue: queue, copy: nil, isReadOnly: true)
        }
        return try onPrivateCopy(files, &look)
    }

    /// Opens a private copy that may be written to: what happens there stays there.
    package static func scratchCopy(_ path: String) throws(StoreError) -> StoreConnection {
        try SteadyLook.at(path) { look throws(StoreError) in try onPrivateCopy(try changeableFiles(path), &look) }
    }

    /// Keeps SQLite from locking, from recovery and from making a `-shm`.
    static let immutable = "mode=ro&immutable=1"

    private static func onPrivateCopy(
        _ files: StoreFiles, _ look: inout SteadyLook
    ) throws(StoreError) -> StoreConnection {
        let copy = try PrivateCopy(of: files)
        look.isSettled = true
        var files = files
        files.frames = copy.frames
        let queue = try open(copy.path, parameters: "mode=rw", for: .scratch, shownAs: files.path) { database in
            // Nobody needs the main file of the copy without its log.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            try database.setLogOnClose(.kept)
        }
        return StoreConnection(files: files, queue: queue, copy: copy)
    }

    /// Opens the store itself for a change, for this process alone: from now on nobody else writes to it.
    /// - Throws: `inUse` where another process has it open or locked.
    package static func exclusive(_ path: String) throws(StoreError) -> StoreConnection {
        try SteadyLook.at(path) { look throws(StoreError) in
            var files = try changeableFiles(path)
            // SQLite would open such a file for reading, and then fail in ways that do not tell why.
            guard access(files.resolvedPath, W_OK) == 0 else { throw FileError(code: errno).storeError(at: path) }
            let log: LogOnClose = files.hasLog ? .kept : files.has("-wal") ? .emptied : .removed
            let queue = try open(files.resolvedPath, parameters: "mode=rw", for: .changing, shownAs: path) {
                database in
                // Before the first read: then a WAL store is locked against idle readers too, and no `-shm` is made.
                try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
                // What fails before it changed anything leaves the log as it was. One that SQLite makes goes away.
                try database.setLogOnClose(log)
            }
            do {
                try queue.inDatabase { database in
                    // Takes the lock, which SQLite then keeps.
                    try database.inTransaction(.exclusive) { .rollback }
                    guard files.fingerprint.isCurrent(at: files.resolvedPath) else {
                        // What another process has written in the meantime may be in a log now.
                        try database.setLogOnClose(.kept)
                        throw StoreError.changedMeanwhile(path)
                    }
                }
                if files.header.isWAL, files.has("-wal") {
                    files.frames = try LogFrames(of: files)
                }
            } catch {
                try? queue.close()
                throw StoreError(error, at: path)
            }
            look.isSettled = true
            return StoreConnection(files: files, queue: queue, copy: nil)
        }
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
        _ resolvedPath: String, parameters: String, for purpose: ConnectionPurpose, shownAs path: String,
        prepare: (@Sendable (Database) throws -> Void)? = nil
    ) throws(StoreError) -> DatabaseQueue {
        let configuration = Configuration(for: purpose, prepare: prepare)
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
    /// - Throws: `StoreError`; `unsuitable` for a database whose text is in UTF-16.
    package func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try queue.inDatabase { database in
                try refuseOtherEncoding(database)
                return try body(database)
            }
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// Text is read as the bytes it has in the file, and those are UTF-8 in every store that Core Data makes. The log may
    /// have another header than the main file, so SQLite is asked.
    private func refuseOtherEncoding(_ database: Database) throws {
        var encoding = ""
        // In such a database the text of the answer is UTF-16 as well.
        try database.forEachRow("PRAGMA encoding") {
            encoding = String(decoding: $0.bytes(0).filter { $0 != 0 }, as: UTF8.self)
        }
        guard encoding != "UTF-8" else { return }
        throw StoreError(
            .unsuitable, at: path,
            "its text is in \(encoding), and meterfix reads stores in UTF-8, as Core Data makes them",
            hint: "a tool made this file anew; ask for the store as the app left it")
    }

    /// One transaction that nobody else can see into; it is rolled back where `body` throws.
    /// - Throws: `StoreError`; `unsuitable` for a database whose text is in UTF-16.
    package func change<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try queue.inDatabase { database in
                var value: Value?
                let before = database.totalChangesCount
                try database.inTransaction(.exclusive) {
                    try refuseOtherEncoding(database)
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
        reader.end()
        Interruption.forget(queue)
        do {
            if hasChanged && copy == nil {
                try queue.inDatabase { try $0.setLogOnClose(.removed) }
                try removeForeignLogIndex()
            }
            try queue.close()
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// Makes the contents of this store those of `source`, page by page and in the same file, in one transaction of
    /// SQLite's. Killed at any moment, the store has its own contents or those of `source`; and another process that has
    /// the file open, and has read nothing yet or waits for its turn, afterwards reads the new contents as after any
    /// other commit.
    ///
    /// For a connection from `exclusive`, with nothing under way.
    /// - Throws: `StoreError`. A disk that fails in the middle of the commit may have taken the change all the same.
    package func replaceContents(with source: StoreConnection) throws(StoreError) {
        do {
            try source.queue.inDatabase { source in
                let pageSize = try source.integer(of: "PRAGMA page_size")
                try queue.inDatabase { [path] database in
                    // What there is in a log is about to be replaced.
                    try database.setLogOnClose(.removed)
                    // A log has pages of one size.
                    if try database.integer(of: "PRAGMA page_size") != pageSize {
                        try database.execute(sql: "PRAGMA journal_mode = DELETE")
                    }
                    try source.backup(to: database, pagesPerStep: Self.pagesBetweenRequests) { _ in
                        try Interruption.check(path)
                    }
                    hasChanged = true
                }
            }
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// How many pages are replaced before the next look whether the user asked to stop.
    private static let pagesBetweenRequests: Int32 = 4_096

    /// The path of a main file that has all contents of the store, and has no log beside it.
    ///
    /// For a connection from `untouched`: the store's own file, or the one of the private copy with the log played in.
    package func mainFileWithAllContents() throws(StoreError) -> String {
        guard let copy else { return files.resolvedPath }
        try read { database in
            guard try database.integer(of: "PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
                throw StoreError(.internalFault, at: path, "a private copy is in use")
            }
        }
        return copy.path
    }

    /// Removes the `-shm` that another process left beside a log. A connection that has the store to itself neither uses
    /// it nor takes it away, so it would outlive the log and tell of frames that are long in the main file. One that tells
    /// of frames which were missing before the change stays: it is the only sign of them.
    private func removeForeignLogIndex() throws {
        guard files.header.isWAL, files.shm != nil,
            files.hasLog || files.has("-wal") && files.traceOfMissingLog() == nil
        else { return }
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

extension Database {
    /// The first number that a statement answers with; 0 where it answers nothing.
    fileprivate func integer(of sql: String) throws -> Int64 {
        var first: Int64?
        try forEachRow(sql) { first = first ?? $0.integer(0) }
        return first ?? 0
    }
}
