internal import Foundation
package import GRDB

/// Reads from the store of a connection while that connection goes on, through connections of its own. They see nothing
/// of a change before it is committed.
package final class ParallelReader: @unchecked Sendable {
    private let files: StoreFiles
    /// The main file that the connection has open.
    private let mainFile: String
    private let isReadOnly: Bool
    /// Guards what follows.
    private let lock = NSLock()
    private var begun: [(queue: DatabaseQueue, wait: () -> Void)] = []

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
    ///   - database: the connection's; nothing has been changed on it so far.
    ///   - body: uses the database it is handed, and no other.
    package func read<Value>(
        beside database: Database, _ body: @escaping @Sendable (Database) throws -> Value
    ) -> ParallelRead<Value> {
        guard canRead(beside: database),
            let queue = try? StoreConnection.open(
                mainFile, parameters: StoreConnection.immutable, readonly: true, shownAs: files.path)
        else { return ParallelRead(done: Result { try body(database) }) }
        Interruption.watch(queue)
        let read = ParallelRead { [path = files.path] in
            defer { Interruption.forget(queue) }
            // A request to stop may have come before the connection was watched.
            try Interruption.check(path)
            return try queue.inDatabase(body)
        }
        lock.withLock { begun.append((queue, read.wait)) }
        return read
    }

    /// Whether a store is worth a thread, and can be read in parallel.
    /// - Parameter database: the connection's; nothing has been changed on it so far.
    package func canRead(beside database: Database) -> Bool {
        files.main.size >= Self.smallestStore && (try? isWholeInMainFile(database)) == true
    }

    /// Whether another connection may take the main file for the whole store, and for one that does not change, until
    /// the first one commits: nothing is in a log, and what is written goes into one.
    private func isWholeInMainFile(_ database: Database) throws -> Bool {
        guard !files.hasLog else { return false }
        guard !isReadOnly else { return true }
        var isWAL = false
        try database.forEachRow("PRAGMA journal_mode") { isWAL = $0.bytes(0).elementsEqual("wal".utf8) }
        // Another process may have written between the look at the files and the lock.
        return try isWAL && (FileStatus(path: mainFile + "-wal")?.size ?? 0) == 0
    }

    /// Interrupts what still reads, and returns when nothing does.
    func end() {
        let begun = lock.withLock { self.begun }
        for read in begun {
            read.queue.interrupt()
            read.wait()
        }
    }
}
