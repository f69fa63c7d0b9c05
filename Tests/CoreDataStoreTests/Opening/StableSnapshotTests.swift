import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

@Suite("reading a store that another process writes to")
struct SteadyLookTests {
    private static let fixture = StoreFixture(records: [
        FixtureRecord(row: 4, macAddress: "A4:C1:38:0B:7E:21", meterName: "Kitchen")
    ])

    /// Changes the store as the app does.
    private static func rename(_ path: String, _ name: String) throws {
        let app = try DatabaseQueue(path: path)
        try app.writeWithoutTransaction { try $0.execute(sql: "UPDATE ZDEVICESETTINGS SET ZMETERNAME = '\(name)'") }
        try app.close()
    }

    private static func name(_ database: Database) throws -> String? {
        try String.fetchOne(database, sql: "SELECT ZMETERNAME FROM ZDEVICESETTINGS")
    }

    @Test("is repeated, and returns what is there in the end", arguments: [StoreOptions.JournalMode.wal, .delete])
    func again(mode: StoreOptions.JournalMode) throws {
        let store = try TestStore(Self.fixture.with { $0.journalMode = mode })
        var looks = 0
        let name = try StoreConnection.look(at: store.path) { _, database in
            looks += 1
            let name = try Self.name(database)
            if looks == 1 { try Self.rename(store.path, "Lab") }
            return name
        }
        #expect(looks == 2)
        #expect(name == "Lab")
    }

    @Test("ignores an error while the store changes, and reports it at once otherwise")
    func errors() throws {
        let store = try TestStore(Self.fixture)
        let damaged = StoreError(.damaged, at: store.path, "damaged")
        var looks = 0
        let name = try StoreConnection.look(at: store.path) { _, database in
            looks += 1
            if looks == 1 {
                try Self.rename(store.path, "Lab")
                throw damaged
            }
            return try Self.name(database)
        }
        #expect(looks == 2)
        #expect(name == "Lab")
        looks = 0
        let error = #expect(throws: StoreError.self) {
            try StoreConnection.look(at: store.path) { _, _ in
                looks += 1
                throw damaged
            }
        }
        #expect(looks == 1)
        #expect(error == damaged)
    }

    @Test("ends with `inUse` if the store keeps changing")
    func never() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/store"
        var looks = 0
        let error = #expect(throws: StoreError.self) {
            try StableSnapshot.at(path, patience: .zero) { look throws(StoreError) in
                #expect(look.attempt == looks)
                looks += 1
                // It is there at every second look.
                if unlink(path) != 0 { try FileOutput.write([1], to: path) }
                throw StoreError(.damaged, at: path, "damaged")
            }
        }
        #expect(looks == 2)
        #expect(error?.kind == .inUse)
    }

    @Test("is not repeated once a private copy was made: what is read from that is consistent")
    func copy() throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = .rowsInLogOnly })
        var looks = 0
        let name = try StoreConnection.look(at: store.path) { _, database in
            looks += 1
            try Self.rename(store.path, "Lab")
            return try Self.name(database)
        }
        #expect(looks == 1)
        #expect(name == "Kitchen")
    }

    @Test("makes a private copy while the WAL grows and is checkpointed, but not when it is restarted")
    func growingLog() throws {
        let shelf = try WALTraceTests.Shelf()
        try shelf.run("INSERT INTO t VALUES (1)")
        let files = try StoreFiles(path: shelf.live)
        try shelf.run("INSERT INTO t VALUES (2)")
        try shelf.checkpoint("PASSIVE")
        _ = try PrivateCopy(of: files)
        let later = try StoreFiles(path: shelf.live)
        try shelf.checkpoint("RESTART")
        try shelf.run("INSERT INTO t VALUES (3)")
        let error = #expect(throws: StoreError.self) { _ = try PrivateCopy(of: later) }
        #expect(error?.kind == .inUse)
    }

    /// On many file systems the time of a change is only exact to some milliseconds.
    @Test(
        "notices a change that the modification time does not show", arguments: [StoreOptions.JournalMode.wal, .delete])
    func sameTime(mode: StoreOptions.JournalMode) throws {
        let store = try TestStore(Self.fixture.with { $0.journalMode = mode })
        let app = try DatabaseQueue(path: store.path)
        try app.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0; UPDATE ZDEVICESETTINGS SET Z_OPT = 2")
            if mode == .wal { try $0.execute(sql: "PRAGMA wal_checkpoint(RESTART)") }
        }
        let suffixes = mode == .wal ? ["", "-wal"] : [""]
        func setTimes() throws {
            for suffix in suffixes {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1_750_000_000)], ofItemAtPath: store.path + suffix)
            }
        }
        try setTimes()
        let files = try StoreFiles(path: store.path)
        try app.writeWithoutTransaction { try $0.execute(sql: "UPDATE ZDEVICESETTINGS SET Z_OPT = 3") }
        try setTimes()
        #expect(try !StoreFiles(path: store.path).hasSameContents(as: files))
        try app.close()
    }
}
