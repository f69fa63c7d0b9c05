private import CSQLiteOptions
internal import Foundation
package import GRDB

/// An open store. How it was opened decides what may be done with it; reading is the same for all.
package final class StoreConnection: OpenStore {
    /// As the user gave it.
    package let path: String
    package let files: StoreFiles
    private let queue: DatabaseQueue
    /// Kept as long as the connection works on it.
    private let copy: PrivateCopy?

    /// Whether it works on a private copy, which no other process changes.
    var isOnCopy: Bool { copy != nil }

    private var hasChanged = false

    /// The main file and its `-wal` as they were opened for a change; empty where no change can reach them.
    let opened: [String: FileStatus]

    private init(
        files: StoreFiles, queue: DatabaseQueue, copy: PrivateCopy?, opened: [String: FileStatus] = [:]
    ) {
        path = files.path
        self.files = files
        self.opened = opened
        self.queue = queue
        self.copy = copy
        Interruption.watch(queue)
    }

    deinit {
        Interruption.forget(queue)
        queue.closeAndKeep()
    }

    /// Stops SQLite from counting the memory it uses, under a lock that all threads share. For the whole process: call
    /// once, from the program, before the first store is opened.
    package static func countNoMemory() { _ = meterfix_without_memory_statistics() }

    /// Reads from a store and leaves no trace. If another process writes to it meanwhile, it is read again, for a
    /// limited time.
    /// - Parameter body: may be called several times; what it returns in the end is consistent.
    /// - Throws: what `body` throws; `inUse` if the store does not stop changing.
    package static func look<Value>(
        at path: String, _ body: (StoreConnection, Database) throws -> Value
    ) throws(StoreError) -> Value {
        try StableSnapshot.at(path) { look throws(StoreError) in
            try openUntouched(path, &look).closing { connection throws(StoreError) in
                try connection.read { try body(connection, $0) }
            }
        }
    }

    /// Opens the store for reading and leaves no trace: the file itself if all contents are in it, a private copy if
    /// part of them is in a `-wal` or a rollback journal. Works in a read-only folder.
    ///
    /// What is read from it is consistent if `confirmUnchanged` succeeds afterwards. For a store that may be in use
    /// there is `look`.
    /// - Throws: `StoreError` if the path does not lead to a database; `inUse` if the store does not stop changing.
    package static func untouched(_ path: String) throws(StoreError) -> StoreConnection {
        try StableSnapshot.at(path) { look throws(StoreError) in try openUntouched(path, &look) }
    }

    private static func openUntouched(_ path: String, _ look: inout StableSnapshot) throws(StoreError)
        -> StoreConnection
    {
        var files = try StoreFiles(path: path, look.before)
        // Copying a file takes less time than reading its contents, so it can be done between two writes.
        guard files.hasLog || look.attempt > 0 else {
            files.pathOfContents = files.resolvedPath
            let queue = try open(files.resolvedPath, parameters: immutable, for: .reading, shownAs: path)
            return StoreConnection(files: files, queue: queue, copy: nil)
        }
        return try onPrivateCopy(files, &look, isOnlyRead: true)
    }

    /// Opens a private copy that may be written to: what happens there stays there.
    /// - Throws: `StoreError` where the store cannot be read or copied.
    package static func scratchCopy(_ path: String) throws(StoreError) -> StoreConnection {
        try StableSnapshot.at(path) { look throws(StoreError) in
            try onPrivateCopy(try changeableFiles(path, look.before), &look, isOnlyRead: false)
        }
    }

    /// Stops SQLite from locking, from recovery and from creating a `-shm`.
    static let immutable = "mode=ro&immutable=1"

    private static func onPrivateCopy(
        _ files: StoreFiles, _ look: inout StableSnapshot, isOnlyRead: Bool
    ) throws(StoreError) -> StoreConnection {
        let copy = try PrivateCopy(of: files)
        look.isSettled = true
        var files = files
        files.frames = copy.frames
        if isOnlyRead { files.pathOfContents = copy.path }
        if files.hasLog { WorkProgress.begin("playing the log in") }
        let isCheckedApart = isOnlyRead && files.size >= smallestCheckedApart
        let queue = try open(copy.path, parameters: "mode=rw", for: .scratch, shownAs: files.path) { database in
            // Nobody else opens the copy, so it needs neither a `-shm` nor a lock for each read.
            if !isCheckedApart { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
            // Nobody needs the main file of the copy without its WAL.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            try database.setWALOnClose(.kept)
        }
        return StoreConnection(files: files, queue: queue, copy: copy)
    }

    /// Opens the store itself for a change, exclusively: from now on no other process writes to it.
    /// - Throws: `inUse` if another process has it open or locked.
    package static func exclusive(_ path: String) throws(StoreError) -> StoreConnection {
        try StableSnapshot.at(path) { look throws(StoreError) in
            var files = try changeableFiles(path, look.before)
            try FilesOnDisk.refuseUnwritable(files.resolvedPath, shownAs: path)
            if files.hasLog { WorkProgress.begin("playing the log in") }
            let log: WALOnClose = files.hasLog ? .kept : files.has("-wal") ? .emptied : .removed
            let queue = try open(files.resolvedPath, parameters: "mode=rw", for: .changing, shownAs: path) {
                database in
                // Before the first read: then a WAL store is locked against idle readers too, and no `-shm` is made.
                try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
                // What fails before anything has changed leaves the WAL as it was. One that SQLite creates is removed.
                try database.setWALOnClose(log)
            }
            var opened = ["": files.main]
            do {
                try queue.inDatabase { database in
                    // Takes the lock, which SQLite then keeps.
                    try database.inTransaction(.exclusive) { .rollback }
                    guard files.fingerprint.isCurrent(at: files.resolvedPath) else {
                        // What another process has written in the meantime may be in a WAL now.
                        try database.setWALOnClose(.kept)
                        throw StoreError.changedMeanwhile(path)
                    }
                }
                if files.header.isWAL, files.has("-wal") {
                    files.frames = try WALFrames(beside: files.resolvedPath, shownAs: path)
                }
                opened["-wal"] = try FileStatus(path: files.resolvedPath + "-wal")
            } catch {
                try? queue.close()
                throw StoreError(error, at: path)
            }
            look.isSettled = true
            return StoreConnection(files: files, queue: queue, copy: nil, opened: opened)
        }
    }

    /// SQLite deletes the log beside an empty main file: here it would be all that is left of the store.
    private static func changeableFiles(
        _ path: String, _ fingerprint: StoreFingerprint
    ) throws(StoreError) -> StoreFiles {
        let files = try StoreFiles(path: path, fingerprint)
        guard files.main.size > 0 else {
            throw StoreError(
                .damaged, at: path, "the main file is empty (0 bytes); the rest of the store is in its -wal",
                hint: "ask for the main file again, and keep the -wal file")
        }
        guard files.header.writeVersion <= 2 else {
            throw StoreError(
                .unsuitable, at: path,
                "its header says file format \(files.header.writeVersion), which is read-only; the newest format is 2",
                hint: "ask for the store again; this one is damaged, or a newer SQLite wrote it")
        }
        return files
    }

    /// How many bytes an absolute path may have for SQLite to open the file: 512, with room for the suffix of a journal.
    /// (`MAX_PATHNAME` in its os_unix.c, and `sqlite3PagerOpen`.)
    package static let longestPath = 504

    /// To a store that is only looked at, beside this connection. Nil where there can be none.
    func secondConnection() -> DatabaseQueue? {
        let (path, parameters) = copy.map { ($0.path, "mode=ro") } ?? (files.resolvedPath, Self.immutable)
        return try? Self.open(path, parameters: parameters, for: .reading, shownAs: files.path)
    }

    static func open(
        _ resolvedPath: String, parameters: String, for purpose: ConnectionPurpose, shownAs path: String,
        prepare: (@Sendable (Database) throws -> Void)? = nil
    ) throws(StoreError) -> DatabaseQueue {
        func open(_ prepare: (@Sendable (Database) throws -> Void)?) throws -> DatabaseQueue {
            try DatabaseQueue(
                path: "\(uri(of: resolvedPath))?\(parameters)",
                configuration: Configuration(for: purpose, prepare: prepare))
        }
        return try StoreError.at(path) {
            do {
                return try open(prepare)
            } catch let error as DatabaseError {
                // Beside the app, to read the file in another way would drop its locks.
                guard purpose != .sharing,
                    let newer = NewerSQLite(
                        error, in: resolvedPath,
                        opening: { last in
                            try open {
                                try prepare?($0)
                                try last($0)
                            }
                        })
                else { throw error }
                throw newer.error(at: path)
            }
        }
    }

    /// The URI of a file, without parameters. All bytes are percent-encoded but those that are safe everywhere: `?`, `%`
    /// and `#` mean something there.
    static func uri(of path: String) -> String {
        // Foundation's function takes a thirtieth of what it takes to look at a small store.
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes = Array("file://".utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "~"):  // also . and /
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads from the store.
    /// - Throws: `StoreError`; `unsuitable` for a database whose text is in UTF-16.
    package func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        // Whoever is handed one object of a `StoreSnapshot` after another may ask it for more in between.
        try StoreError.at(path) {
            try queue.unsafeReentrantRead { database in
                try database.refuseOtherEncoding(at: path)
                return try body(database)
            }
        }
    }

    /// One exclusive transaction; it is rolled back if `body` throws.
    /// - Throws: `StoreError`; `unsuitable` for a database whose text is in UTF-16.
    package func change<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try StoreError.at(path) {
            try queue.inDatabase { database in
                let before = database.totalChangesCount
                let value = try database.transaction(.exclusive) { database in
                    try database.refuseOtherEncoding(at: path)
                    let value = Result { try body(database) }
                    // What failed may have failed because of that.
                    try refuseOtherFiles(database)
                    return try value.get()
                }
                hasChanged = hasChanged || database.totalChangesCount != before
                return value
            }
        }
    }

    /// Closes the store. After a change the `-wal` is checkpointed into the main file and stays, empty, as when the app
    /// closes the store last; that of a private copy is removed with the copy.
    /// - Throws: `StoreError` where SQLite cannot close it.
    package func close() throws(StoreError) {
        Interruption.forget(queue)
        try StoreError.at(path) {
            if hasChanged && copy == nil {
                WorkProgress.begin("playing the log in")
                let isWAL = files.header.isWAL
                try queue.inDatabase { try $0.setWALOnClose(isWAL ? .emptied : .removed) }
                if isInPlace {
                    try removeForeignLogIndex()
                } else if isWAL {
                    // On its own SQLite leaves the log of a file that was moved full: beside the file that has the name
                    // now, which it would change.
                    _ = try queue.inDatabase { try $0.integer(of: "PRAGMA wal_checkpoint(TRUNCATE)") }
                }
            }
            try queue.close()
        }
    }

    /// Replaces the contents of this store by those of `source`, page by page and in the same file, in one SQLite
    /// transaction. If the process is killed at any moment, the store has its old contents or those of `source`.
    /// Another process that has the file open, but has read nothing yet or waits for its turn, afterwards reads the new
    /// contents as after any other commit.
    ///
    /// For a connection from `exclusive`, with nothing under way. What fails leaves the WAL where it is, with frames behind
    /// its own that nobody reads; `FilesBefore` takes these away.
    /// - Throws: `StoreError`. If the disk fails during the commit, the change may have been written all the same.
    package func replaceContents(with source: StoreConnection) throws(StoreError) {
        try StoreError.at(path) {
            try source.queue.inDatabase { source in
                let pageSize = try source.integer(of: "PRAGMA page_size")
                try queue.inDatabase { [path] database in
                    try refuseOtherFiles(database)
                    // All pages of a WAL have the same size.
                    if try database.integer(of: "PRAGMA page_size") != pageSize {
                        try database.removeWAL()
                    }
                    let pages = try source.integer(of: "PRAGMA page_count")
                    WorkProgress.begin("restoring", of: Int(pages * pageSize), .bytes)
                    try source.backup(to: database, pagesPerStep: Self.pagesBetweenRequests) { _ in
                        try Interruption.check(path)
                        WorkProgress.advance(.bytes, by: Int(Self.pagesBetweenRequests) * Int(pageSize))
                    }
                    hasChanged = true
                }
            }
        }
    }

    /// How many pages are replaced before checking again whether the user asked to stop.
    private static let pagesBetweenRequests: Int32 = 4_096

    /// The path of a main file that has all contents of the store, without a WAL beside it.
    ///
    /// For a connection from `untouched`: the store's own file, or that of the private copy after a checkpoint.
    /// - Throws: `StoreError` where the store cannot be read or copied.
    package func mainFileWithAllContents() throws(StoreError) -> String {
        guard let copy else { return files.resolvedPath }
        try read { database in
            guard try database.integer(of: "PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
                throw StoreError(.internalFault, at: path, "a private copy is in use")
            }
        }
        return copy.path
    }

    /// Removes the `-shm` that another process left beside a WAL. An exclusive connection neither uses nor removes it,
    /// so it would outlive the frames of the WAL and point to some that have long been in the main file, or that whoever asked
    /// for the change holds to be lost.
    private func removeForeignLogIndex() throws {
        guard files.header.isWAL, files.shm != nil else { return }
        try queue.inDatabase { database in
            // During an exclusive transaction nobody else can have the store open, so nobody uses the file.
            try database.inTransaction(.exclusive) {
                unlink(files.resolvedPath + "-shm")
                return .rollback
            }
        }
    }

    /// Checks that the files are as they were when the store was opened: what was read from them is then consistent.
    /// - Throws: `StoreError`, `inUse` if they are not.
    package func confirmUnchanged() throws(StoreError) {
        guard try StoreFiles(path: path).hasSameContents(as: files) else { throw .changedMeanwhile(path) }
    }
}

extension Database {
    /// Text is read as the bytes in the file, and those are UTF-8 in every store that Core Data creates. The WAL may
    /// have another header than the main file, so SQLite is asked.
    /// - Throws: `StoreError`, `unsuitable`; SQLite's errors.
    func refuseOtherEncoding(at path: String) throws {
        // In such a database the answer itself is in UTF-16 too.
        let encoding = try first("PRAGMA encoding") { String(decoding: $0.bytes(0).filter { $0 != 0 }, as: UTF8.self) }
        guard let encoding, encoding != "UTF-8" else { return }
        throw StoreError(
            .unsuitable, at: path,
            "its text is in \(encoding); meterfix reads only UTF-8, which Core Data writes",
            hint: "another tool recreated this file; ask for the store as the app left it")
    }
}
