import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

@Suite("the beginning of a file")
struct HeaderTests {
    private static let fixture = StoreFixture(records: [FixtureRecord(row: 1, macAddress: "A4:C1:38:0B:7E:21")])

    @Test("is read whatever the length of the file, and never taken for a whole store")
    func prefixes() throws {
        let store = try TestStore(Self.fixture)
        let whole = try StoreFiles(path: store.path)
        #expect(whole.header.isWAL)
        #expect(whole.header.pageSize == 4096)
        #expect(whole.header.pageCount * 4096 == whole.main.size)
        let handle = try #require(FileHandle(forWritingAtPath: store.path))
        for length in stride(from: whole.main.size - 1, through: 0, by: -1)
        where length < 200 || length % 4096 < 2 || length % 97 == 0 {
            try handle.truncate(atOffset: UInt64(length))
            let error = #expect(throws: StoreError.self, "\(length) bytes") { _ = try StoreFiles(path: store.path) }
            #expect(error?.kind == .damaged, "\(length) bytes")
        }
    }

    @Test("with any byte changed is an error or a store, never a trap")
    func changedBytes() throws {
        let store = try TestStore(Self.fixture)
        let bytes = try FileBytes.read(store.path)
        let target = store.folder.path + "/changed.sqlite"
        for index in 0..<100 {
            for value in [0, 1, 2, 0x7F, 0x80, 0xFF] as [UInt8] where bytes[index] != value {
                var changed = bytes
                changed[index] = value
                try FileBytes.write(changed, to: target)
                do {
                    let connection = try StoreConnection.untouched(target)
                    _ = try connection.read { try StoreDescription($0) }
                    try connection.close()
                } catch {
                    #expect([.damaged, .unsuitable, .inputOutput, .permissionDenied].contains(error.kind), "\(index)")
                }
            }
        }
    }

    @Test("says what it is if it is not a store")
    func kinds() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        for (bytes, words) in [
            ([], "an empty file, 0 bytes"), (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
            ([0x37, 0x7F, 0x06, 0x82] + [UInt8](repeating: 0, count: 200), "the -wal file of a store"),
            (Array("SQLite format 3\u{0}".utf8), "not a SQLite database"), ([1], "not a SQLite database"),
        ] as [([UInt8], String)] {
            try FileBytes.write(bytes, to: path)
            let error = #expect(throws: StoreError.self) { _ = try StoreFiles(path: path) }
            #expect(error?.kind == .damaged)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
        let error = #expect(throws: StoreError.self) { _ = try StoreFiles(path: folder.path) }
        #expect(error?.kind == .damaged)
    }

    @Test("of a WAL does not change the rules for the main file: a short one may have a WAL")
    func shortMainFile() throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = .rowsInLogOnly })
        #expect(try StoreFiles(path: store.path).hasLog)
        for garbage in [[0], [UInt8](repeating: 0xA5, count: 40_000)] as [[UInt8]] {
            try FileBytes.write(garbage, to: store.path + "-wal")
            let connection = try StoreConnection.untouched(store.path)
            // SQLite ignores a log that is none.
            #expect(try connection.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS") } == 0)
            try connection.close()
        }
    }
}
