internal import Foundation
package import GRDB
private import GRDBSQLite

/// Reads from the store of a connection while that connection goes on, through connections of its own.
package final class ParallelReader: @unchecked Sendable {
    private let files: StoreFiles
    /// The main file that the connection has open.
    private let mainFile: String
    private let isReadOnly: Bool
    /// Guards what follows.
    private let lock = NSLock()
    private var source = Source.mainFile
    private var begun: [(queue: DatabaseQueue, wait: () -> Void)] = []

    /// Where the store is read as it is at the moment.
    private enum Source {
        /// As long as nothing was changed.
        case mainFile
        case uncommitted(WALOverlayVFS, schemaVersion: Int32)
        /// Only the connection itself sees what it changed.
        case connection
    }

    init(of files: StoreFiles, at mainFile: String, isReadOnly: Bool) {
        self.files = files
        self.mainFile = mainFile
        self.isReadOnly = isReadOnly
    }

    /// Bytes. To read a smaller store takes no longer than to open it once more.
    private static let smallestStore = 1 << 20

    /// Begins to read from the store as it is now. Where that cannot be done in parallel, or is not worth a thread, it
    /// is read at once.
    /// - Parameters:
    ///   - database: the connection's. Where it has changed something, `showChanges` was called since, and it changes
    ///     nothing more until the reading is done.
    ///   - body: uses the database it is handed, and no other.
    package func read<Value>(
        beside database: Database, _ body: @escaping @Sendable (Database) throws -> Value
    ) -> ParallelRead<Value> {
        guard canRead(beside: database), let queue = open() else {
            return ParallelRead(done: Result { try body(database) })
        }
        Interruption.watch(queue)
        let read = ParallelRead { [path = files.path] in
            defer { Interruption.forget(queue) }
            // A request to stop may have come before the connection was watched.
            try Interruption.check(path)
            return try queue.inDatabase { database in
                // It stays open until `end`, and needs none of its pages any more.
                defer { sqlite3_db_release_memory(database.sqliteConnection) }
                return try body(database)
            }
        }
        lock.withLock { begun.append((queue, read.wait)) }
        return read
    }

    private func open() -> DatabaseQueue? {
        func open(_ parameters: String = "") -> DatabaseQueue? {
            try? StoreConnection.open(
                mainFile, parameters: StoreConnection.immutable + parameters, for: .reading, shownAs: files.path)
        }
        switch lock.withLock({ source }) {
        case .mainFile: return open()
        case .uncommitted(let fileSystem, let schemaVersion):
            guard let queue = open("&vfs=\(fileSystem.name)"),
                // The page from which the schema is read is not in the log before the commit.
                (try? queue.inDatabase { try $0.schemaVersion() }) == schemaVersion
            else { return nil }
            return queue
        case .connection: return nil
        }
    }

    /// Whether a store is worth a thread, and can be read in parallel.
    /// - Parameter database: the connection's.
    package func canRead(beside database: Database) -> Bool {
        switch lock.withLock({ source }) {
        case .mainFile:
            // Another process may have written between the look at the files and the lock.
            return (try? leavesMainFile(database) && (isReadOnly || logSize() == 0)) == true
        case .uncommitted: return true
        case .connection: return false
        }
    }

    /// Whether another connection may take the main file for the store as it was before a change, and for one that does
    /// not change until the first one commits: nothing was in a log, and what is written goes into one.
    private func leavesMainFile(_ database: Database) throws -> Bool {
        guard files.main.size >= Self.smallestStore, !files.hasLog else { return false }
        guard !isReadOnly else { return true }
        var isWAL = false
        try database.forEachRow("PRAGMA journal_mode") { isWAL = $0.bytes(0).elementsEqual("wal".utf8) }
        return isWAL
    }

    /// Bytes.
    private func logSize() throws -> Int { try FileStatus(path: mainFile + "-wal")?.size ?? 0 }

    /// From now on the store is read as the connection's transaction leaves it, before the commit. That is proof of what
    /// is in the files; the connection may have something else in its memory.
    ///
    /// A change of the schema only the connection itself can see, and so it is with all changes where there is a rollback
    /// journal, or anything else in the log.
    /// - Parameter database: the connection's, in its first transaction that changes anything.
    package func showChanges(of database: Database) {
        let source = uncommitted(of: database) ?? .connection
        lock.withLock { self.source = source }
    }

    private func uncommitted(of database: Database) -> Source? {
        guard !isReadOnly, (try? leavesMainFile(database)) == true,
            // From the connection's memory into the log.
            sqlite3_db_cacheflush(database.sqliteConnection) == SQLITE_OK,
            let schemaVersion = try? database.schemaVersion(), let pageCount = try? database.pageCount(),
            let log = WALFrameIndex(mainFile + "-wal", pageCount: pageCount)
        else { return nil }
        return WALOverlayVFS(of: log).map { .uncommitted($0, schemaVersion: schemaVersion) }
    }

    /// Interrupts what still reads, and returns when nothing does.
    func end() {
        let begun = lock.withLock {
            defer { self.begun = [] }
            return self.begun
        }
        for read in begun {
            read.queue.interrupt()
            read.wait()
            try? read.queue.close()
        }
    }
}

extension Database {
    /// As this connection sees it.
    fileprivate func pageCount() throws -> Int {
        var count: Int64 = 0
        try forEachRow("PRAGMA page_count") { count = $0.integer(0) }
        return Int(count)
    }
}
