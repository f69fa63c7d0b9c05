import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

@Suite("a store opened untouched")
struct UntouchedTests {
    private static let fixture = StoreFixture(records: [
        FixtureRecord(row: 4, macAddress: "A4:C1:38:0B:7E:21", meterName: "Kitchen"),
        FixtureRecord(row: 9, macAddress: "A4:C1:38:0B:7E:22"),
    ])

    @Test(
        "is byte-identical afterwards, its folder too",
        arguments: [
            StoreFixture.LogPlacement.checkpointed, .rowsInLogOnly, .logForgotten,
        ])
    func byteIdentical(placement: StoreFixture.LogPlacement) throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = placement })
        let before = try store.snapshot()
        let connection = try StoreConnection.untouched(store.path)
        let rows = try connection.read { try Int64.fetchAll($0, sql: "SELECT Z_PK FROM ZDEVICESETTINGS ORDER BY 1") }
        // Rows that are only in the -wal are read from it; without it nobody has them.
        #expect(rows == (placement == .logForgotten ? [] : [4, 9]))
        #expect(try store.snapshot().differences(from: before) == [])
        try connection.confirmUnchanged()
        try connection.close()
        #expect(try store.snapshot().differences(from: before) == [])
    }

    @Test("is not trusted: what its schema calls has no effect outside it, and no extension is loaded")
    func untrusted() throws {
        let store = try TestStore(Self.fixture)
        for connection in [
            try StoreConnection.untouched(store.path), try StoreConnection.scratchCopy(store.path),
            try StoreConnection.exclusive(store.path),
        ] {
            #expect(try connection.read { try Int.fetchOne($0, sql: "PRAGMA trusted_schema") } == 0)
            #expect(throws: StoreError.self) {
                try connection.read { try $0.execute(sql: "SELECT load_extension('library')") }
            }
            try connection.close()
        }
    }

    @Test("cannot be written to, or only where nobody would notice", arguments: [false, true])
    func writes(hasLog: Bool) throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = hasLog ? .rowsInLogOnly : .checkpointed })
        let before = try store.snapshot()
        let connection = try StoreConnection.untouched(store.path)
        _ = try? connection.change { try $0.execute(sql: "DELETE FROM ZDEVICESETTINGS") }
        try connection.close()
        #expect(try store.snapshot().differences(from: before) == [])
    }

    @Test("is rolled back to before a crashed transaction, on the private copy only")
    func hotJournal() throws {
        let (folder, path, original) = try Self.storeWithHotJournal()
        let before = try FolderSnapshot(folder.path)
        #expect(before.names == ["CKModel.sqlite", "CKModel.sqlite-journal"])
        // Part of the transaction is in the main file.
        #expect(try FileBytes.read(path) != original)
        let connection = try StoreConnection.untouched(path)
        let name = try connection.read {
            try String.fetchOne($0, sql: "SELECT ZMETERNAME FROM ZDEVICESETTINGS WHERE Z_PK = 4")
        }
        #expect(name == "Kitchen")
        #expect(try connection.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS") } == 2)
        try connection.close()
        #expect(try FolderSnapshot(folder.path).differences(from: before) == [])
    }

    @Test("has every row if the main file is empty and all is in the WAL")
    func emptyMainFile() throws {
        let folder = try TemporaryFolder()
        let path = try Self.storeWithEverythingInTheLog(folder)
        let before = try FolderSnapshot(folder.path)
        let rows = try StoreConnection.reading(path) {
            try Int64.fetchAll($0, sql: "SELECT Z_PK FROM ZDEVICESETTINGS ORDER BY 1")
        }
        #expect(rows == [4, 9])
        #expect(try FolderSnapshot(folder.path).differences(from: before) == [])
    }

    /// SQLite deletes the log of an empty file when it opens it: all that is left of the store.
    @Test("and nothing else: where the main file is empty nobody may open it for a change")
    func emptyMainFileForAChange() throws {
        let folder = try TemporaryFolder()
        let path = try Self.storeWithEverythingInTheLog(folder)
        let before = try FolderSnapshot(folder.path)
        let error = #expect(throws: StoreError.self) { try StoreConnection.exclusive(path) }
        #expect(error?.kind == .damaged)
        #expect(try FolderSnapshot(folder.path).differences(from: before) == [])
    }

    @Test(
        "may have any name",
        arguments: ["a?b.sqlite", "50%.sqlite", "a%20b.sqlite", "#1 \"best\" it's.sqlite", "ünï 🔌.sqlite", "-n.sqlite"])
    func names(name: String) throws {
        for placement in [StoreFixture.LogPlacement.checkpointed, .rowsInLogOnly] {
            let store = try TestStore(Self.fixture.with { $0.logPlacement = placement }, named: name)
            let before = try store.snapshot()
            #expect(
                try StoreConnection.reading(store.path) {
                    try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS")
                } == 2)
            #expect(try store.snapshot().differences(from: before) == [])
            try StoreConnection.changing(store.path, "DELETE FROM ZDEVICESETTINGS")
            #expect(try store.snapshot().names == [name, name + "-wal"])
        }
    }

    @Test("is found through a symbolic link, with its WAL")
    func symbolicLink() throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = .rowsInLogOnly })
        let link = store.folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
        #expect(
            try StoreConnection.reading(link) { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS") } == 2
        )
    }

    @Test("that is not there is not created", arguments: ["missing.sqlite", "no/such/folder.sqlite", ""])
    func missing(name: String) throws {
        let folder = try TemporaryFolder()
        let path = name.isEmpty ? "" : folder.path + "/" + name
        let errors = [
            #expect(throws: StoreError.self) { try StoreConnection.untouched(path) },
            #expect(throws: StoreError.self) { try StoreConnection.scratchCopy(path) },
            #expect(throws: StoreError.self) { try StoreConnection.exclusive(path) },
        ]
        #expect(errors.map(\.?.kind) == [.notFound, .notFound, .notFound])
        #expect(try FolderSnapshot(folder.path).names == [])
    }

    @Test("is in use if it changes while it is read")
    func changing() throws {
        for placement in [StoreFixture.LogPlacement.checkpointed, .rowsInLogOnly] {
            let store = try TestStore(Self.fixture.with { $0.logPlacement = placement })
            let connection = try StoreConnection.untouched(store.path)
            let app = try DatabaseQueue(path: store.path)
            try app.writeWithoutTransaction { try $0.execute(sql: "UPDATE ZDEVICESETTINGS SET Z_OPT = 7") }
            let error = #expect(throws: StoreError.self) { try connection.confirmUnchanged() }
            #expect(error?.kind == .inUse)
            try connection.close()
            try app.close()
        }
    }

    @Test("is in use if it changes between the check of its files and the copy")
    func changedBeforeCopy() throws {
        let store = try TestStore(Self.fixture)
        let files = try StoreFiles(path: store.path)
        try FileBytes.write(try FileBytes.read(store.path) + [UInt8](repeating: 0, count: 4096), to: store.path)
        let error = #expect(throws: StoreError.self) { _ = try PrivateCopy(of: files) }
        #expect(error?.kind == .inUse)
    }

    /// The files of a store whose application died between its writes and its commit.
    static func storeWithHotJournal() throws -> (TemporaryFolder, path: String, original: [UInt8]) {
        let workshop = try TemporaryFolder()
        let draft = try workshop.store(Self.fixture.with { $0.journalMode = .delete })
        let original = try FileBytes.read(draft)
        let folder = try TemporaryFolder()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let app = try DatabaseQueue(path: draft, configuration: configuration)
        try app.writeWithoutTransaction { database in
            // With so small a cache SQLite writes pages, after it has synced the journal, before the commit.
            try database.execute(
                sql: "PRAGMA cache_size = 1; BEGIN; UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'cut short'")
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                    INSERT INTO ZDEVICESETTINGS (Z_PK, ZMETERNAME) SELECT i, hex(randomblob(200)) FROM n
                    """)
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(
                    atPath: draft + suffix, toPath: folder.path + "/CKModel.sqlite" + suffix)
            }
            try database.execute(sql: "ROLLBACK")
        }
        try app.close()
        return (folder, folder.path + "/CKModel.sqlite", original)
    }

    /// A store of which the main file was lost: every page of it is in the log too.
    static func storeWithEverythingInTheLog(_ folder: TemporaryFolder) throws -> String {
        let workshop = try TemporaryFolder()
        let draft = try workshop.store(Self.fixture)
        let path = folder.path + "/CKModel.sqlite"
        let app = try DatabaseQueue(path: draft)
        try app.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0; VACUUM")
            try FileManager.default.copyItem(atPath: draft + "-wal", toPath: path + "-wal")
            try FileBytes.write([], to: path)
        }
        try app.close()
        return path
    }
}
