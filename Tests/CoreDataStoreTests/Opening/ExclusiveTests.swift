import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

@Suite("a store that somebody else has open")
struct ExclusiveTests {
    private static let fixture = StoreFixture(records: [FixtureRecord(row: 4, macAddress: "A4:C1:38:0B:7E:21")])

    /// What the other connection does all the while.
    enum Other: String, CaseIterable {
        /// Has read and holds no transaction, as an app in the background.
        case idle
        case reading = "BEGIN; SELECT * FROM ZDEVICESETTINGS"
        case writing = "BEGIN IMMEDIATE; UPDATE ZDEVICESETTINGS SET Z_OPT = 2"
    }

    @Test("is in use, and nothing is changed", arguments: Other.allCases, [StoreOptions.JournalMode.wal, .delete])
    func inUse(other: Other, mode: StoreOptions.JournalMode) throws {
        let store = try TestStore(Self.fixture.with { $0.journalMode = mode })
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let app = try DatabaseQueue(path: store.path, configuration: configuration)
        try app.writeWithoutTransaction { database in
            _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS")
            if other != .idle {
                try database.execute(sql: other.rawValue)
            }
        }
        let before = try store.snapshot()
        func change() throws {
            let connection = try StoreConnection.exclusive(store.path)
            try connection.change { try $0.execute(sql: "DELETE FROM ZDEVICESETTINGS") }
        }
        if other == .idle && mode == .delete {
            // An idle connection to a store with a rollback journal has no lock: nothing is in the way.
            try change()
            #expect(try !store.snapshot().hasSameBytes(as: before))
            return
        }
        let error = #expect(throws: StoreError.self) { try change() }
        #expect(error?.kind == .inUse)
        #expect(try store.snapshot().hasSameBytes(as: before))
        try app.writeWithoutTransaction { database in
            if other != .idle { try database.execute(sql: "ROLLBACK") }
            #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS") == 1)
        }
        try app.close()
    }

    @Test("exclusively cannot be read by others, and is unchanged after an error")
    func exclusive() throws {
        let store = try TestStore(Self.fixture)
        let text = try StoreText(of: store.path)
        struct Mistake: Error {}
        let connection = try StoreConnection.exclusive(store.path)
        let error = #expect(throws: StoreError.self) {
            try connection.change { database in
                try database.execute(sql: "DELETE FROM ZDEVICESETTINGS")
                let rows = try? DatabaseQueue(path: store.path).read {
                    try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM Z_METADATA")
                }
                #expect(rows == nil)
                throw Mistake()
            }
        }
        #expect(error?.kind == .internalFault)
        try connection.close()
        #expect(try StoreText(of: store.path) == text)
        #expect(try store.snapshot().names == ["CKModel.sqlite", "CKModel.sqlite-wal"])
    }
}

@Suite("a private copy")
struct PrivateCopyTests {
    @Test("is in a folder only for its owner, and is removed with the value")
    func folder() throws {
        let store = try TestStore(StoreFixture())
        var copy: PrivateCopy? = try PrivateCopy(of: StoreFiles(path: store.path))
        let place = try #require(copy.map { FileReplacement.folder(of: $0.path) })
        #expect(try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int == 0o700)
        #expect(copy?.path == place + "/store.sqlite")
        copy = nil
        #expect(!FileManager.default.fileExists(atPath: place))
    }

    @Test("of a connection is removed when it is closed, and after an error")
    func connection() throws {
        let store = try TestStore(StoreFixture().with { $0.logPlacement = .rowsInLogOnly })
        var place: String?
        var connection: StoreConnection? = try StoreConnection.scratchCopy(store.path)
        place = try connection?.read { try String.fetchOne($0, sql: "SELECT file FROM pragma_database_list") }
        let copy = try #require(place)
        #expect(FileManager.default.fileExists(atPath: copy))
        _ = try? connection?.change { _ in throw FixtureClock.Mistake() }
        try connection?.close()
        connection = nil
        #expect(!FileManager.default.fileExists(atPath: copy))
        #expect(!FileManager.default.fileExists(atPath: String(copy.dropLast("/store.sqlite".count))))
    }
}

extension PrivateCopyTests {
    @Test("needs no -shm, because nobody else opens it", arguments: [false, true])
    func noSharedMemory(hasLog: Bool) throws {
        let store = try TestStore(
            StoreFixture().with { if hasLog { $0.logPlacement = .rowsInLogOnly } })
        let connection = try StoreConnection.scratchCopy(store.path)
        let copy = try #require(
            try connection.read { try String.fetchOne($0, sql: "SELECT file FROM pragma_database_list") })
        try connection.change { try $0.execute(sql: "DELETE FROM ZDEVICESETTINGS") }
        let names = try FileManager.default.contentsOfDirectory(atPath: FileReplacement.folder(of: copy)).sorted()
        #expect(names == ["store.sqlite", "store.sqlite-wal"])
        try connection.close()
    }
}

extension FixtureClock {
    fileprivate struct Mistake: Error {}
}
