import CoreDataStore
import Foundation
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("a backup that somebody opened in SQLite")
struct OpenedBackupTests {
    private static let fixture = UndoTests.fixture.with { $0.logPlacement = .rowsInLogOnly }

    /// The sqlite3 shell's: it takes the log away.
    private static var shell: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            database.allowSchemaWrites()
            database.keepLog(false)
        }
        return configuration
    }

    /// A query of the sqlite3 shell, which may write to every file.
    private func look(at entry: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: entry) { chmod("\(entry)/\(name)", 0o600) }
        let queue = try DatabaseQueue(path: entry + "/CKModel.sqlite", configuration: Self.shell)
        _ = try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS") }
        try queue.close()
    }

    private func opened() throws -> (store: TestStore, entry: String, before: StoreText) {
        let store = try TestStore(Self.fixture)
        let before = try store.text()
        let entry = try #require(try store.rebuild { $0.makesBackup = true }.backup)
        let saved = try FileBytes.read(entry + "/CKModel.sqlite")
        try look(at: entry)
        #expect(!FileManager.default.fileExists(atPath: entry + "/CKModel.sqlite-wal"))
        #expect(try FileBytes.read(entry + "/CKModel.sqlite") != saved)
        return (store, entry, before)
    }

    @Test("restores the same contents in other bytes, and says so")
    func undo() throws {
        let (store, entry, before) = try opened()
        let item = try #require(try ChangeHistory.of(store.path, folder: nil, now: TestStore.now).items.first)
        #expect(item.state == .done && !item.isDamaged)
        #expect(item.problem?.hasSuffix(", with the contents that were saved") == true)
        for isDryRun in [true, false] {
            let report = try store.undo { $0.isDryRun = isDryRun }
            #expect(report.outcome == (isDryRun ? .planned : .applied))
            #expect(!report.isByteForByte)
            #expect(report.files.map(\.name) == ["CKModel.sqlite"])
            #expect(report.warnings.count == 1)
            #expect(report.warnings.first?.contains(entry) == true)
        }
        #expect(try store.text() == before)
        #expect(try store.undo(redoes: true).outcome == .applied)
    }

    @Test("restores the contents without the -shm that SQLite took away")
    func withoutLogIndex() throws {
        let store = try TestStore(UndoTests.fixture)
        let before = try store.text()
        try FileBytes.write([UInt8](repeating: 0, count: 32_768), to: store.path + "-shm")
        let entry = try #require(try store.rebuild { $0.makesBackup = true }.backup)
        try look(at: entry)
        #expect(!FileManager.default.fileExists(atPath: entry + "/CKModel.sqlite-shm"))
        let report = try store.undo()
        #expect(report.outcome == .applied)
        #expect(report.files.map(\.name) == ["CKModel.sqlite"])
        #expect(try store.text() == before)
    }

    @Test("still tells which rows moved, and takes a change back by force")
    func moved() throws {
        let (store, _, before) = try opened()
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 5")
        #expect(try store.undo().moved?.map(\.row) == [5])
        #expect(try store.undo { $0.force = true }.outcome == .applied)
        #expect(try store.text() == before)
    }

    @Test("still has the records that the change deleted")
    func record() throws {
        let (store, entry, _) = try opened()
        let address = try #require(MACAddress.parse(Meters.address)).0
        let merged = try MergedRecords.of(address, in: store.path, folder: nil, now: TestStore.now)
        #expect(merged.records.map(\.row) == [3])
        #expect(merged.warnings.count == 1)
        #expect(merged.warnings.first?.contains(entry) == true)
    }

    @Test(
        "is damaged where the contents are others too, or not intact",
        arguments: ["written", "log lost", "foreign log", "huge", "free pages", "killed while it was written"])
    func written(_ damage: String) throws {
        let (store, entry, before) = try opened()
        switch damage {
        case "written":
            let queue = try DatabaseQueue(path: entry + "/CKModel.sqlite", configuration: Self.shell)
            try queue.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 3") }
            try queue.close()
        case "log lost": try FileBytes.write(FileBytes.read(store.path), to: entry + "/CKModel.sqlite")
        case "foreign log":
            let other = try TestStore(Self.fixture)
            try FileBytes.write(FileBytes.read(other.path + "-wal"), to: entry + "/CKModel.sqlite-wal")
            try FileBytes.write(FileBytes.read(other.path), to: entry + "/CKModel.sqlite")
            let queue = try DatabaseQueue(path: entry + "/CKModel.sqlite", configuration: Self.shell)
            try queue.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 3") }
            try queue.close()
        case "huge": truncate(entry + "/CKModel.sqlite", 1 << 40)
        case "free pages":
            // The header counts one that is in no list. The rows are the same.
            var main = try FileBytes.read(entry + "/CKModel.sqlite")
            main[39] += 1
            try FileBytes.write(main, to: entry + "/CKModel.sqlite")
        default:
            try TestStore.leaveJournal(beside: entry + "/CKModel.sqlite")
            // SQLite would play the journal back, and the main file alone is not what was saved.
            #expect(try StoreText(of: entry + "/CKModel.sqlite") == before)
        }
        let files = try store.files()
        #expect(try ChangeHistory.of(store.path, folder: nil, now: TestStore.now).items.map(\.isDamaged) == [true])
        let error = #expect(throws: StoreError.self) { try store.undo { $0.force = true } }
        #expect(error?.kind == .damaged)
        #expect(error?.path == entry)
        #expect(try store.files() == files)
    }

    @Test("may only be read: the files and the journal have the mode 0400")
    func modes() throws {
        let store = try TestStore(Self.fixture)
        let entry = try #require(try store.rebuild { $0.makesBackup = true }.backup)
        for name in ["CKModel.sqlite", "CKModel.sqlite-wal", "changes.jsonl", "journal.json"] {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(entry)/\(name)")[.posixPermissions] as? Int
            #expect(mode == 0o400, "\(name)")
        }
        #expect(try store.undo().outcome == .applied)
        #expect(access(store.path, W_OK) == 0)
    }

    /// Each of these is all that the log has.
    @Test(
        "cannot be made with a log that was left out, however little is in it",
        arguments: [
            "UPDATE Z_METADATA SET Z_UUID = 'another'", "CREATE TABLE x (y)",
            "INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT) VALUES (9, 1, 1)",
        ])
    func smallLogLeftOut(_ change: String) throws {
        let store = try TestStore(UndoTests.fixture.with { $0.logPlacement = .mainFileAlone })
        let files = try StoreFiles(path: store.path)
        let main = try FileBytes.read(store.path)
        let queue = try DatabaseQueue(path: store.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: change) }
        let log = try FileBytes.read(store.path + "-wal")
        try queue.close()
        try FileBytes.write(main, to: store.path)
        try FileBytes.write(log, to: store.path + "-wal")
        let error = #expect(throws: StoreError.self) { try BackupBench.back(up: store, as: files) }
        #expect(error?.message.hasPrefix("the backup does not open") == true)
    }

    @Test("cannot be made with a log that was left out")
    func logLeftOut() throws {
        let store = try TestStore(Self.fixture)
        let log = try FileBytes.read(store.path + "-wal")
        let main = try FileBytes.read(store.path)
        // Looked at before the log came.
        try FileManager.default.removeItem(atPath: store.path + "-wal")
        let plain = try TestStore(UndoTests.fixture)
        try FileBytes.write(FileBytes.read(plain.path), to: store.path)
        let files = try StoreFiles(path: store.path)
        try FileBytes.write(main, to: store.path)
        try FileBytes.write(log, to: store.path + "-wal")
        let error = #expect(throws: StoreError.self) { try BackupBench.back(up: store, as: files) }
        #expect(error?.kind == .inputOutput)
        #expect(error?.message.hasPrefix("the backup does not open") == true)
        #expect(try store.snapshot().names == ["CKModel.sqlite", "CKModel.sqlite-wal"])
        // With it nothing is wrong.
        try BackupBench.back(up: store, as: StoreFiles(path: store.path))
        #expect(
            try store.snapshot().names.contains("CKModel.sqlite.meterfix/20261121T120000Z-rebuild/CKModel.sqlite-wal"))
    }
}
