import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

/// What the `-shm` says when a store comes without its `-wal`.
struct WALTraceTests {
    /// A WAL database in a folder of its own, and copies of its files.
    final class Shelf {
        private let folder: TemporaryFolder
        var live: String { folder.path + "/live.sqlite" }
        let queue: DatabaseQueue

        init() throws {
            folder = try TemporaryFolder()
            var configuration = Configuration()
            configuration.prepareDatabase {
                try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
            }
            queue = try DatabaseQueue(path: folder.path + "/live.sqlite", configuration: configuration)
            try run("CREATE TABLE t (x)")
            try checkpoint("TRUNCATE")
        }

        func run(_ sql: String) throws { try queue.write { try $0.execute(sql: sql) } }

        func checkpoint(_ mode: String) throws {
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(\(mode))") }
        }

        /// A copy of the main file and the named files beside it.
        func copy(with suffixes: [String]) throws -> String {
            let path = folder.path + "/" + UUID().uuidString + ".sqlite"
            for suffix in [""] + suffixes {
                try FileManager.default.copyItem(atPath: live + suffix, toPath: path + suffix)
            }
            return path
        }

        /// What the `-shm` says of a copy without its log.
        func trace() throws -> MissingWAL? { try WALTraceTests.trace(of: copy(with: ["-shm"])) }
    }

    static func trace(of path: String) throws -> MissingWAL? {
        let connection = try StoreConnection.untouched(path)
        defer { try? connection.close() }
        return connection.files.missingWALEvidence()
    }

    @Test("frames that are only in the WAL leave a trace")
    func missingWAL() throws {
        let shelf = try Shelf()
        try shelf.run("INSERT INTO t VALUES (1)")
        let trace = try #require(try shelf.trace())
        #expect(trace.lastFrame == 1)
        #expect(trace.checkpointedFrames == 0)
    }

    @Test("a main file that came alone is probably not the whole store; with its WAL, also an empty one, it is")
    func noEvidence() throws {
        let shelf = try Shelf()
        try shelf.run("INSERT INTO t VALUES (1)")
        #expect(try Self.trace(of: shelf.copy(with: ["-wal", "-shm"])) == nil)
        #expect(try Self.trace(of: shelf.copy(with: ["-wal"])) == nil)
        let path = try shelf.copy(with: [])
        let alone = try #require(try Self.trace(of: path))
        #expect(alone.log == .alone)
        #expect(alone.missingFrames == 0)
        try FileBytes.write([], to: path + "-wal")
        #expect(try Self.trace(of: path) == nil)
    }

    @Test("a WAL that was checkpointed leaves no frame missing", arguments: ["PASSIVE", "FULL", "RESTART", "TRUNCATE"])
    func checkpointedWAL(mode: String) throws {
        let shelf = try Shelf()
        try shelf.run("INSERT INTO t VALUES (1)")
        try shelf.checkpoint(mode)
        #expect(try shelf.trace()?.log == .alone)
        #expect(try Self.trace(of: shelf.copy(with: ["-wal", "-shm"])) == nil)
        try shelf.run("INSERT INTO t VALUES (2)")
        #expect(try shelf.trace()?.log == .absent)
        #expect(try Self.trace(of: shelf.copy(with: ["-wal", "-shm"])) == nil)
        #expect(try Self.trace(of: shelf.copy(with: ["-wal"])) == nil)
    }

    @Test("a change empties the WAL and removes the -shm of another process")
    func changeRemovesIndex() throws {
        let shelf = try Shelf()
        try shelf.run("INSERT INTO t VALUES (1)")
        let path = try shelf.copy(with: ["-wal", "-shm"])
        try StoreConnection.changing(path, "INSERT INTO t VALUES (2)")
        let files = try StoreFiles(path: path)
        #expect(files.wal?.size == 0)
        #expect(files.shm == nil)
        #expect(files.missingWALEvidence() == nil)
        #expect(try StoreConnection.reading(path) { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") } == 2)
    }

    @Test("a change of a store without its WAL, which takes it for lost, leaves no trace of it")
    func changeEndsEvidence() throws {
        let shelf = try Shelf()
        try shelf.run("INSERT INTO t VALUES (1)")
        let path = try shelf.copy(with: ["-shm"])
        try StoreConnection.changing(path, "INSERT INTO t VALUES (2)")
        #expect(try StoreFiles(path: path).missingWALEvidence() == nil)
    }

    /// A `-shm` of these bytes beside a store.
    private func trace(
        journalMode: String = "WAL", lastFrame: UInt32 = 9, checkpointed: UInt32 = 4, rawPageSize: UInt16 = 4096
    ) throws -> MissingWAL? {
        let shelf = try Shelf()
        try shelf.run("INSERT INTO t VALUES (1)")
        try shelf.checkpoint("TRUNCATE")
        try shelf.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(journalMode)") }
        let path = try shelf.copy(with: [])
        let bytes = SharedMemoryHeaderTests.bytes(
            lastFrame: lastFrame, checkpointed: checkpointed, rawPageSize: rawPageSize)
        try Data(bytes).write(to: URL(fileURLWithPath: path + "-shm"))
        return try StoreFiles(path: path).missingWALEvidence()
    }

    @Test("a -shm of another database, of a store without a log, or with every frame in the main file proves nothing")
    func foreignIndex() throws {
        #expect(try trace()?.log == .absent)
        #expect(try trace(rawPageSize: 8192)?.log == .alone)
        #expect(try trace(journalMode: "DELETE") == nil)
        #expect(try trace(checkpointed: 8)?.log == .absent)
        #expect(try trace(checkpointed: 9)?.log == .alone)
        #expect(try trace(lastFrame: 0, checkpointed: 0)?.log == .alone)
    }
}
