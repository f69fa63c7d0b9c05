import Foundation
import GRDB
import MeterTestSupport
import Testing

@testable import CoreDataStore

@Suite("a log before its commit")
struct UncommittedLogTests {
    /// The log of a transaction that changed most pages of a table, and the number of the store's pages.
    private func log() throws -> (bytes: [UInt8], pageCount: Int) {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pages.sqlite"
        let queue = try DatabaseQueue(path: path)
        let log = try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = WAL; CREATE TABLE one (a);
                    WITH numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 500)
                    INSERT INTO one SELECT zeroblob(900) FROM numbers;
                    PRAGMA wal_checkpoint(TRUNCATE); PRAGMA cache_size = 5; BEGIN; UPDATE one SET a = zeroblob(901)
                    """)
            let bytes = try FileBytes.read(path + "-wal")
            let pageCount = try Int.fetchOne(database, sql: "PRAGMA page_count")!
            try database.execute(sql: "ROLLBACK")
            return (bytes, pageCount)
        }
        try queue.close()
        return log
    }

    private func isReadable(_ bytes: [UInt8], pageCount: Int) throws -> Bool {
        let folder = try TemporaryFolder()
        try FileBytes.write(bytes, to: folder.path + "/log")
        return WALFrameIndex(folder.path + "/log", pageCount: pageCount) != nil
    }

    @Test("is read where it is whole and of one transaction, and otherwise not")
    func damaged() throws {
        let (bytes, pageCount) = try log()
        #expect(bytes.count > 100 * 4_120)
        #expect(try isReadable(bytes, pageCount: pageCount))
        let second = 32 + 4_120
        for (offset, value) in [
            // A page size there is not, page 0, the end of a commit, another salt.
            (9, UInt8(1)), (second + 3, 0), (second + 7, 1), (second + 8, bytes[second + 8] ^ 1),
        ] {
            var damaged = bytes
            damaged[offset] = value
            if offset == second + 3 { damaged[second + 2] = 0 }
            #expect(try !isReadable(damaged, pageCount: pageCount), "byte \(offset)")
        }
        #expect(try !isReadable(Array(bytes.dropLast()), pageCount: pageCount))
        #expect(try !isReadable([], pageCount: pageCount))
        #expect(WALFrameIndex("/nowhere", pageCount: pageCount) == nil)
        #expect(try !isReadable(bytes, pageCount: 0))
    }

    @Test("says which pages it holds; a page behind the end of the store does not count")
    func pages() throws {
        let (bytes, pageCount) = try log()
        let folder = try TemporaryFolder()
        try FileBytes.write(bytes, to: folder.path + "/log")
        let log = try #require(WALFrameIndex(folder.path + "/log", pageCount: pageCount))
        let held = (0..<pageCount).filter { log.holds(pageAt: $0 * 4_096) }
        #expect(held.count > 100)
        #expect(!log.holds(pageAt: pageCount * 4_096))
        let shorter = try #require(WALFrameIndex(folder.path + "/log", pageCount: held[50]))
        #expect((0..<pageCount).filter { shorter.holds(pageAt: $0 * 4_096) } == Array(held[..<50]))
        // The last bytes of the last page that was put in are the last of the file.
        var last = [UInt8](repeating: 1, count: 8)
        let page = try #require(
            held.first { page in
                last.withUnsafeMutableBytes { log.read($0, at: page * 4_096 + 4_088) } && last == bytes.suffix(8)
            })
        #expect(page > 0)
    }
}
