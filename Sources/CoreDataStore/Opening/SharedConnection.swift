internal import Foundation
package import GRDB

/// A store that is open beside other processes, such as its own app: it is locked only while something is read or
/// written.
///
/// Only SQLite opens the file: as soon as a process closes any descriptor of a file it loses its locks on it, also those
/// that another part of the process, such as Core Data, relies on
/// (https://www.sqlite.org/howtocorrupt.html, "POSIX advisory locks canceled by a separate thread doing close()").
package final class SharedConnection: OpenStore {
    private let path: String
    private let main: FileStatus
    private let queue: DatabaseQueue

    /// Seconds that an operation waits for another process to end its transaction.
    package static let patience: Double = 5

    /// - Throws: `StoreError` for a path that does not lead to a store that can be written to; `damaged` for one in WAL
    ///   mode without its `-wal`, which Core Data leaves beside it also when it is closed.
    package init(_ path: String) throws(StoreError) {
        let files = try FilesOnDisk(path: path)
        guard files.main.size > 0 else {
            throw StoreError(
                .damaged, at: path, "the main file is empty (0 bytes)", hint: StoreError.hintOnDamage,
                orRecover: true)
        }
        try FilesOnDisk.refuseUnwritable(files.resolvedPath, shownAs: path)
        self.path = path
        main = files.main
        queue = try StoreConnection.open(files.resolvedPath, parameters: "mode=rw", for: .sharing, shownAs: path) {
            // As the app leaves it that closes the store last.
            try $0.setWALOnClose(.emptied)
        }
        let queue = queue
        try StoreError.at(path) {
            try queue.inDatabase { database in
                try database.refuseOtherEncoding(at: path)
                if try database.isWAL(), files.wal == nil {
                    throw StoreError(
                        .damaged, at: path, "the -wal file is missing", hint: "put it back beside the main file")
                }
            }
        }
    }

    deinit { queue.closeAndKeep() }

    /// Reads one state of the store, whatever other processes write meanwhile.
    /// - Throws: `StoreError`; `inUse` if another process keeps the store locked for longer than `patience`.
    package func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try StoreError.at(path) { try queue.inDatabase { try $0.transaction(.deferred, body) } }
    }

    /// One transaction, in which nobody else writes; it is rolled back if `body` throws.
    /// - Throws: `StoreError`; `inUse` if another process keeps the store locked for longer than `patience`.
    package func change<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try StoreError.at(path) { try queue.inDatabase { try $0.transaction(.immediate, body) } }
    }

    /// A number that is another one after somebody else, in this process or another, has changed the store: SQLite's
    /// `data_version` (https://www.sqlite.org/pragma.html#pragma_data_version). Nil once the path leads to another file,
    /// of which this connection would see nothing.
    /// - Throws: `StoreError` where SQLite fails.
    package func dataVersion() throws(StoreError) -> Int64? {
        try StoreError.at(path) {
            guard let now = try FileStatus(path: path), now.isSameFile(as: main) else { return nil }
            return try queue.inDatabase { try $0.integer(of: "PRAGMA data_version") }
        }
    }

    /// Closes the store. Where no other process has it open, what is in the `-wal` goes into the main file.
    /// - Throws: `StoreError` where SQLite fails.
    package func close() throws(StoreError) { try StoreError.at(path) { try queue.close() } }
}
