import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

/// What tells that a `-wal` that is there is not whole, and the states of a sound one.
@Suite("a WAL that is there")
struct CutWALTraceTests {
    private typealias Shelf = WALTraceTests.Shelf

    private static let frame = 24 + 4096

    /// A log with this many commits of a frame each, and the rest of the files.
    private static func shelf(commits: Int) throws -> Shelf {
        let shelf = try Shelf()
        for number in 0..<commits { try shelf.run("INSERT INTO t VALUES (\(number))") }
        return shelf
    }

    private static func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
        var bytes = try FileBytes.read(path)
        body(&bytes)
        try FileBytes.write(bytes, to: path)
    }

    /// The log with a header whose checksum is right (https://www.sqlite.org/fileformat2.html#checksum_algorithm).
    private static func withHeaderChecksum(_ log: [UInt8]) -> [UInt8] {
        func word(_ offset: Int) -> UInt32 {
            let bytes = log[offset..<offset + 4]
            // The last bit of the first number says in which order they are.
            return (log[3] & 1 == 1 ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
        }
        var (first, second): (UInt32, UInt32) = (0, 0)
        for offset in stride(from: 0, to: 24, by: 8) {
            first = first &+ word(offset) &+ second
            second = second &+ word(offset + 4) &+ first
        }
        var finished = log
        for (offset, sum) in [(24, first), (28, second)] {
            finished.replaceSubrange(offset..<offset + 4, with: withUnsafeBytes(of: sum.bigEndian) { Array($0) })
        }
        return finished
    }

    @Test("is truncated if it has fewer frames than the -shm knows, wherever it was cut")
    func truncated() throws {
        let shelf = try Self.shelf(commits: 5)
        for size in stride(from: 33, through: 32 + 5 * Self.frame, by: 515) {
            let path = try shelf.copy(with: ["-wal", "-shm"])
            try Self.change(path + "-wal") { $0.removeSubrange(size...) }
            let frames = (size - 32) / Self.frame
            let trace = try WALTraceTests.trace(of: path)
            #expect(trace?.log == (frames == 5 ? nil : .cut), "\(size)")
            #expect(trace?.missingFrames == (frames == 5 ? nil : 5 - frames))
            #expect(trace?.readableFrames == (frames == 5 ? nil : frames))
        }
    }

    @Test("is lost where it ends in zeros, unless a -shm says that this was all")
    func zeros() throws {
        let shelf = try Self.shelf(commits: 5)
        for kept in 0..<5 {
            let path = try shelf.copy(with: ["-wal"])
            try Self.change(path + "-wal") { bytes in
                for place in (32 + kept * Self.frame)..<bytes.count { bytes[place] = 0 }
            }
            let trace = try WALTraceTests.trace(of: path)
            #expect(trace?.log == .zeros && trace?.readableFrames == kept && trace?.lastFrame == 5, "\(kept)")
        }
        let whole = try shelf.copy(with: ["-wal", "-shm"])
        try Self.change(whole + "-wal") { $0 += [UInt8](repeating: 0, count: 3 * Self.frame) }
        #expect(try WALTraceTests.trace(of: whole) == nil)
    }

    @Test("is damaged if one bit of a frame or of its header is wrong", arguments: [true, false])
    func flippedBit(hasIndex: Bool) throws {
        let shelf = try Self.shelf(commits: 3)
        for offset in [0, 9, 17, 25, 32, 36, 40, 48, 60, 32 + Self.frame + 4000] {
            let path = try shelf.copy(with: ["-wal"] + (hasIndex ? ["-shm"] : []))
            try Self.change(path + "-wal") { $0[offset] ^= 0x10 }
            let trace = try WALTraceTests.trace(of: path)
            if offset < 32 {
                // Without a -shm nothing tells how many pages were in it.
                #expect(trace?.log == .unreadable, "\(offset)")
                #expect(trace?.lastFrame == (hasIndex ? 3 : 0))
            } else {
                #expect(trace?.log == (hasIndex ? .cut : .damaged), "\(offset)")
                #expect(trace?.readableFrames == (offset < 32 + Self.frame ? 0 : 1))
                #expect(trace?.lastFrame == 3)
            }
        }
    }

    @Test("is noticed whichever byte of its first 32 is wrong, with a -shm or without", arguments: [true, false])
    func damagedHeader(hasIndex: Bool) throws {
        let shelf = try Self.shelf(commits: 3)
        for offset in 0..<32 {
            for flip in [0x01, 0x80, 0xFF] as [UInt8] {
                let path = try shelf.copy(with: ["-wal"] + (hasIndex ? ["-shm"] : []))
                try Self.change(path + "-wal") { $0[offset] ^= flip }
                // The version of the format is refused, as SQLite does.
                if (4..<8).contains(offset) {
                    #expect(throws: StoreError.self, "\(offset)") { try WALTraceTests.trace(of: path) }
                } else {
                    #expect(try WALTraceTests.trace(of: path)?.log == .unreadable, "\(offset)")
                }
            }
        }
    }

    @Test("with a damaged header may have had changes if a frame fits into it, and had none if it is shorter")
    func shortWithDamagedHeader() throws {
        let shelf = try Self.shelf(commits: 1)
        for isShorter in [false, true] {
            let path = try shelf.copy(with: ["-wal"])
            try Self.change(path + "-wal") { log in
                log[17] ^= 1
                log.removeSubrange((32 + Self.frame - (isShorter ? 1 : 0))...)
            }
            #expect(try WALTraceTests.trace(of: path)?.log == (isShorter ? nil : .unreadable))
        }
    }

    @Test("is complete if only what follows the last commit is torn", arguments: [true, false])
    func tornTail(hasIndex: Bool) throws {
        let shelf = try Self.shelf(commits: 3)
        for tail in [1, 24, 1000, Self.frame, 2 * Self.frame] {
            let path = try shelf.copy(with: ["-wal"] + (hasIndex ? ["-shm"] : []))
            try Self.change(path + "-wal") { log in
                // Frames with the right salts that end no commit, as of a transaction that did not come to its end.
                var frame = Array(log[32..<32 + Self.frame])
                frame.replaceSubrange(4..<8, with: [0, 0, 0, 0])
                log += (frame + frame).prefix(tail)
            }
            #expect(try WALTraceTests.trace(of: path) == nil, "\(tail)")
        }
    }

    @Test("is complete if frames from before a restart follow", arguments: [true, false])
    func restarted(hasIndex: Bool) throws {
        let shelf = try Self.shelf(commits: 5)
        try shelf.checkpoint("RESTART")
        let before = try shelf.copy(with: ["-wal", "-shm"])
        // SQLite has restarted it, and the next commit will write the header.
        #expect(try WALTraceTests.trace(of: before) == nil)
        try shelf.run("INSERT INTO t VALUES (9)")
        let path = try shelf.copy(with: ["-wal"] + (hasIndex ? ["-shm"] : []))
        #expect(try FileBytes.read(path + "-wal").count == 32 + 5 * Self.frame)
        #expect(try WALTraceTests.trace(of: path) == nil)
        try Self.change(path + "-wal") { $0.removeSubrange((32 + Self.frame)...) }
        #expect(try WALTraceTests.trace(of: path) == nil)
    }

    @Test("is complete beside a -shm from before it was restarted")
    func olderIndex() throws {
        let shelf = try Self.shelf(commits: 5)
        let before = try FileBytes.read(shelf.live + "-shm")
        for round in 0..<3 {
            try shelf.checkpoint("RESTART")
            try shelf.run("INSERT INTO t VALUES (\(round))")
            let path = try shelf.copy(with: ["-wal"])
            try FileBytes.write(before, to: path + "-shm")
            #expect(try WALTraceTests.trace(of: path) == nil, "\(round)")
        }
    }

    @Test("is complete beside a -shm from before it grew")
    func shorterIndex() throws {
        let shelf = try Self.shelf(commits: 2)
        let before = try FileBytes.read(shelf.live + "-shm")
        try shelf.run("INSERT INTO t VALUES (9)")
        let path = try shelf.copy(with: ["-wal"])
        try FileBytes.write(before, to: path + "-shm")
        #expect(try WALTraceTests.trace(of: path) == nil)
    }

    @Test("is foreign if it is that of another store, or one from before a restart")
    func foreign() throws {
        let (shelf, other) = (try Self.shelf(commits: 5), try Self.shelf(commits: 2))
        let earlier = try FileBytes.read(shelf.live + "-wal")
        let path = try shelf.copy(with: ["-shm"])
        try FileManager.default.copyItem(atPath: other.live + "-wal", toPath: path + "-wal")
        let trace = try #require(try WALTraceTests.trace(of: path))
        #expect(trace.log == .foreign)
        #expect(trace.missingFrames == 5)
        try shelf.checkpoint("RESTART")
        try shelf.run("INSERT INTO t VALUES (9)")
        let later = try shelf.copy(with: ["-shm"])
        try FileBytes.write(earlier, to: later + "-wal")
        #expect(try WALTraceTests.trace(of: later)?.log == .foreign)
        // The first header of a new log has random numbers, so that they look later only by chance.
        let salts = try FileBytes.read(shelf.live + "-shm")[32..<36]
        let byChance = try shelf.copy(with: ["-shm"])
        try FileManager.default.copyItem(atPath: other.live + "-wal", toPath: byChance + "-wal")
        try Self.change(byChance + "-wal") { log in
            let first = salts.withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self)) } &+ 1
            log.replaceSubrange(12..<16, with: [0, 0, 0, 0])
            log.replaceSubrange(16..<20, with: withUnsafeBytes(of: first.bigEndian) { Array($0) })
            log = Self.withHeaderChecksum(log)
        }
        #expect(try WALTraceTests.trace(of: byChance)?.log == .foreign)
        // Where all of it is in the main file nothing is missing.
        try shelf.checkpoint("PASSIVE")
        let done = try shelf.copy(with: ["-shm"])
        try FileManager.default.copyItem(atPath: other.live + "-wal", toPath: done + "-wal")
        #expect(try WALTraceTests.trace(of: done) == nil)
    }

    @Test("is truncated if it would bring back older pages, although all is in the main file")
    func olderPages() throws {
        let shelf = try Self.shelf(commits: 5)
        try shelf.checkpoint("PASSIVE")
        let path = try shelf.copy(with: ["-wal", "-shm"])
        #expect(try WALTraceTests.trace(of: path) == nil)
        try Self.change(path + "-wal") { $0.removeSubrange((32 + 2 * Self.frame)...) }
        let trace = try #require(try WALTraceTests.trace(of: path))
        #expect(trace.log == .cut)
        #expect(trace.missingFrames == 0)
        // Nothing of it is read, and the main file is all there is.
        try Self.change(path + "-wal") { $0.removeSubrange(32...) }
        #expect(try WALTraceTests.trace(of: path) == nil)
    }

    @Test("is noticed by a connection for a change too")
    func exclusive() throws {
        let shelf = try Self.shelf(commits: 5)
        let path = try shelf.copy(with: ["-wal", "-shm"])
        try Self.change(path + "-wal") { $0.removeSubrange((32 + 2 * Self.frame)...) }
        let store = try StoreConnection.exclusive(path)
        #expect(store.files.missingWALEvidence()?.missingFrames == 3)
        try store.close()
    }

    @Test("is read as far as SQLite reads it, however it was damaged", arguments: 1...40 as ClosedRange<UInt64>)
    func sameAsSQLite(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let shelf = try Shelf()
        try shelf.run(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO t SELECT printf('%0198d', i) FROM n"
        )
        if seed.isMultiple(of: 3) { try shelf.checkpoint("RESTART") }
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let least = Int.random(in: 1...600, using: &generator)
            try shelf.run("UPDATE t SET x = printf('%0197d', \(least)) WHERE rowid >= \(least)")
        }
        let path = try shelf.copy(with: ["-wal"])
        try Self.change(path + "-wal") { log in
            let place = Int.random(in: 0..<log.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: log.removeSubrange(place...)
            case 1: log[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: for offset in place..<min(log.count, place + 5_000) { log[offset] = 0 }
            case 3: log.insert(7, at: place)
            default: break
            }
        }
        let connection = try StoreConnection.untouched(path)
        let frames = connection.files.frames
        try connection.close()
        let queue = try DatabaseQueue(path: path)
        let count = try queue.writeWithoutTransaction { database -> Int in
            _ = try? Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_schema")
            // How many frames SQLite found in the log.
            return try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")?["log"] ?? 0
        }
        try queue.close()
        #expect(frames?.last == max(0, count))
    }
}
