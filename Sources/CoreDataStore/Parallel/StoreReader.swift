internal import Foundation
package import GRDB
private import GRDBSQLite

/// Reads from a large store while its connection goes on, through connections of its own: from the main file as long as
/// nothing was changed, and afterwards, before the commit, from the main file with the pages of the log that the
/// transaction has written so far. Where that cannot be, it reads through the connection itself.
package final class StoreReader: @unchecked Sendable {
    private let mainFile: String
    private let name: String
    private let open: @Sendable (String) -> DatabaseQueue?
    /// Whether the store is worth a thread, and everything is in its main file.
    private let isLargeMainFile: Bool
    private let isReadOnly: Bool
    /// Guards what follows.
    private let lock = NSLock()
    private var source: Source
    private var begun: [(queue: DatabaseQueue, wait: () -> Void)] = []

    /// Where the store is read as it is at the moment.
    private enum Source {
        /// As long as nothing was changed.
        case mainFile
        case uncommitted(WALOverlayVFS, schemaVersion: Int32)
        /// Only the connection itself sees what it changed.
        case connection
    }

    init(
        of mainFile: String, size: Int, hasLog: Bool, isReadOnly: Bool, shownAs name: String,
        open: @escaping @Sendable (String) -> DatabaseQueue?
    ) {
        (self.mainFile, self.name, self.isReadOnly, self.open) = (mainFile, name, isReadOnly, open)
        isLargeMainFile = size >= Self.smallestStore && !hasLog
        source = .mainFile
    }

    /// Reads through the connection itself, one thing after the other.
    package init() {
        (mainFile, name, isReadOnly, isLargeMainFile, source) = ("", "", true, false, .connection)
        open = { _ in nil }
    }

    /// Bytes. To read a smaller store takes no longer than to open it once more.
    private static let smallestStore = 1 << 20

    /// Begins to read from the store as it is now, or reads it at once.
    /// - Parameters:
    ///   - database: the connection's. Where it has changed something, `exposeUncommittedChanges` was called since, and it
    ///     changes nothing more until the reading is done.
    ///   - body: uses the database it is handed, and no other.
    package func read<Value>(
        beside database: Database, _ body: @escaping @Sendable (Database) throws -> Value
    ) -> PendingRead<Value> {
        guard canReadConcurrently(database), let queue = openSource() else {
            return PendingRead(done: Result { try body(database) })
        }
        Interruption.watch(queue)
        let read = PendingRead { [name] in
            defer { Interruption.forget(queue) }
            // A request to stop may have come before the connection was watched.
            try Interruption.check(name)
            return try queue.inDatabase { database in
                // It stays open until `end`, and needs none of its pages any more.
                defer { sqlite3_db_release_memory(database.sqliteConnection) }
                return try body(database)
            }
        }
        // What was read may be large, and is not kept here: a read that nobody holds any more is done.
        lock.withLock { begun.append((queue, { [weak read] in read?.wait() })) }
        return read
    }

    private func openSource() -> DatabaseQueue? {
        switch lock.withLock({ source }) {
        case .mainFile: return open("")
        case .uncommitted(let fileSystem, let schemaVersion):
            guard let queue = open("&vfs=\(fileSystem.name)"),
                // The page from which the schema is read is not in the log before the commit.
                (try? queue.inDatabase { try $0.schemaVersion() }) == schemaVersion
            else { return nil }
            return queue
        case .connection: return nil
        }
    }

    /// Whether a read would go on beside the connection, and not before it.
    package func canReadConcurrently(_ database: Database) -> Bool {
        switch lock.withLock({ source }) {
        case .mainFile:
            // Another process may have written between the look at the files and the lock.
            let leavesMainFile = try? leavesMainFile(database)
            return leavesMainFile == true && (isReadOnly || (try? FileStatus(path: mainFile + "-wal")?.size ?? 0) == 0)
        case .uncommitted: return true
        case .connection: return false
        }
    }

    /// Whether another connection may take the main file for the store as it was before a change, and for one that does
    /// not change until the first one commits: nothing was in a log, and what is written goes into one.
    private func leavesMainFile(_ database: Database) throws -> Bool {
        try isLargeMainFile && (isReadOnly || database.isWAL())
    }

    /// From now on the store is read as the connection's transaction leaves it, before the commit. What is read then is
    /// proof of what is in the files; the connection may have something else in its memory.
    ///
    /// A change of the schema only the connection itself can see, and so it is with all changes where there is a rollback
    /// journal, or anything else in the log.
    /// - Parameter database: the connection's, in its first transaction that changes anything.
    package func exposeUncommittedChanges(of database: Database) {
        let source = uncommitted(of: database) ?? .connection
        lock.withLock { self.source = source }
    }

    private func uncommitted(of database: Database) -> Source? {
        guard !isReadOnly, (try? leavesMainFile(database)) == true,
            // From the connection's memory into the log.
            sqlite3_db_cacheflush(database.sqliteConnection) == SQLITE_OK,
            let schemaVersion = try? database.schemaVersion(),
            let pageCount = try? database.integer(of: "PRAGMA page_count"),
            let log = WALFrameIndex(mainFile + "-wal", pageCount: Int(pageCount))
        else { return nil }
        return WALOverlayVFS(of: log).map { .uncommitted($0, schemaVersion: schemaVersion) }
    }

    /// Interrupts what still reads, and returns when nothing does.
    package func end() {
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
