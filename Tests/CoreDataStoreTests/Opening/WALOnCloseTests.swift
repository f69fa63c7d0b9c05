import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

@Suite("a store opened for a change")
struct WALOnCloseTests {
    private static let fixture = StoreFixture(records: [FixtureRecord(row: 4, macAddress: "A4:C1:38:0B:7E:21")])
    private struct Mistake: Error {}

    private static func settings(_ connection: StoreConnection) throws -> [Int] {
        try connection.read { database in
            try ["synchronous", "fullfsync", "checkpoint_fullfsync"].map {
                try Int.fetchOne(database, sql: "PRAGMA \($0)") ?? -1
            }
        }
    }

    @Test("waits for the disk at every commit, whatever this SQLite does by itself; a private copy never does")
    func durability() throws {
        for mode in [StoreOptions.JournalMode.wal, .delete] {
            let store = try TestStore(Self.fixture.with { $0.journalMode = mode })
            let connection = try StoreConnection.exclusive(store.path)
            #expect(try Self.settings(connection) == [2, 1, 1])
            try connection.close()
            let copy = try StoreConnection.scratchCopy(store.path)
            #expect(try Self.settings(copy).first == 0)
            try copy.close()
        }
    }

    /// With the empty log, and the index of it, that Apple's SQLite leaves when the app ends.
    private static func storeOfAMac(_ folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/CKModel.sqlite"
        let workshop = try TemporaryFolder()
        let draft = try workshop.store(fixture)
        let app = try DatabaseQueue(path: draft)
        try app.writeWithoutTransaction { database in
            try database.execute(
                sql: "UPDATE ZDEVICESETTINGS SET Z_OPT = 7; PRAGMA wal_checkpoint(TRUNCATE)")
            for suffix in ["", "-wal", "-shm"] {
                try FileBytes.write(FileBytes.read(draft + suffix), to: path + suffix)
            }
        }
        try app.close()
        #expect(try FileBytes.read(path + "-wal").isEmpty)
        return path
    }

    /// More than the cache holds, so that part of it goes into the log before the commit.
    private static let change = """
        PRAGMA cache_size = 1; CREATE TABLE ZNEW (a);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
        INSERT INTO ZNEW SELECT randomblob(2000) FROM n
        """

    @Test("keeps the empty WAL that a Mac leaves, if nothing is changed")
    func unchanged() throws {
        let folder = try TemporaryFolder()
        let path = try Self.storeOfAMac(folder)
        let before = try FolderSnapshot(folder.path)
        let idle = try StoreConnection.exclusive(path)
        try idle.change { _ in }
        try idle.close()
        #expect(try FolderSnapshot(folder.path).hasSameBytes(as: before))
        for sql in ["SELECT 1", Self.change] {
            let connection = try StoreConnection.exclusive(path)
            #expect(throws: StoreError.self) {
                try connection.change { database in
                    try database.execute(sql: sql)
                    throw Mistake()
                }
            }
            try connection.close()
            #expect(try FolderSnapshot(folder.path).hasSameBytes(as: before), "\(sql)")
        }
    }

    /// As a store can be when it is opened.
    enum Origin: CaseIterable { case fixture, mac, log, mainFileAlone }

    @Test("is a main file and an empty WAL after a change, as the app leaves it", arguments: Origin.allCases)
    func changed(origin: Origin) throws {
        let folder = try TemporaryFolder()
        let path =
            switch origin {
            case .fixture: try folder.store(Self.fixture)
            case .mac: try Self.storeOfAMac(folder)
            case .log: try folder.store(Self.fixture.with { $0.logPlacement = .rowsInLogOnly })
            case .mainFileAlone: try folder.store(Self.fixture.with { $0.logPlacement = .mainFileAlone })
            }
        try StoreConnection.changing(path, Self.change)
        #expect(try FolderSnapshot(folder.path).names == ["CKModel.sqlite", "CKModel.sqlite-wal"])
        #expect(try FileBytes.read(path + "-wal").isEmpty)
        #expect(try StoreFiles(path: path).missingWALEvidence() == nil)
    }

    @Test("gets no WAL where it has a rollback journal")
    func rollbackJournal() throws {
        let store = try TestStore(Self.fixture.with { $0.journalMode = .delete })
        try StoreConnection.changing(store.path, Self.change)
        #expect(try store.snapshot().names == ["CKModel.sqlite"])
    }

    @Test("removes a -shm with frames that the change takes for lost")
    func evidence() throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = .logForgotten })
        try FileBytes.write([], to: store.path + "-wal")
        #expect(try StoreFiles(path: store.path).missingWALEvidence() != nil)
        try StoreConnection.changing(store.path, "CREATE TABLE ZNEW (a); INSERT INTO ZNEW VALUES (1)")
        #expect(try store.snapshot().names == ["CKModel.sqlite", "CKModel.sqlite-wal"])
        #expect(try StoreFiles(path: store.path).missingWALEvidence() == nil)
    }

    @Test("says what is wrong if a file was moved meanwhile and SQLite notices")
    func moved() {
        let error = StoreError(DatabaseError(resultCode: .SQLITE_IOERR_VNODE), at: "CKModel.sqlite")
        #expect(error.kind == .inputOutput)
        #expect(error.message == "a file of the store was moved or deleted while it was open")
    }
}
