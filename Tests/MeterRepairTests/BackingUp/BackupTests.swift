import CoreDataStore
import Foundation
import JSON
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("the backup before a change")
struct BackupTests {
    private let fixture = StoreFixture(records: Meters.pair)

    @Test("has every file byte for byte, also the log", arguments: [false, true])
    func bytes(hasLog: Bool) throws {
        let store = try TestStore(fixture.with { $0.logPlacement = hasLog ? .rowsInLogOnly : .checkpointed })
        let before = ["", "-wal"].map { try? FileBytes.read(store.path + $0) }
        let report = try store.rebuild { $0.makesBackup = true }
        let backup = try #require(report.backup)
        #expect(backup == store.path + ".meterfix/20261121T120000Z-rebuild")
        #expect(["", "-wal"].map { try? FileBytes.read("\(backup)/CKModel.sqlite\($0)") } == before)
        #expect(before[1]?.isEmpty == !hasLog)
        let names = try FolderSnapshot(backup).names
        #expect(names == ["CKModel.sqlite", "CKModel.sqlite-wal", "changes.jsonl", "journal.json"])
        let journal = try JSONValue(parsing: FileBytes.read(backup + "/journal.json"))
        #expect(journal["report"]?["backup"] == .string(backup))
        #expect(journal["state"] == "committed")
        for path in [store.path + ".meterfix", backup] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
        }
    }

    @Test("goes where --backup-dir says")
    func folder() throws {
        let store = try TestStore(fixture)
        let target = store.folder.path + "/a folder/of mine"
        let report = try store.rebuild {
            $0.makesBackup = true
            $0.backupFolder = target
        }
        #expect(report.backup == target + "/20261121T120000Z-rebuild")
        #expect(FileManager.default.fileExists(atPath: target + "/20261121T120000Z-rebuild/CKModel.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: store.path + ".meterfix"))
    }

    @Test("does not overwrite the one of the same second")
    func sameSecond() throws {
        let store = try TestStore(fixture)
        let first = try store.rebuild { $0.makesBackup = true }
        try store.execute(
            "INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMACADDRESS) VALUES (1, 1, 1, 'a4c1380b7e21')")
        let second = try store.rebuild { $0.makesBackup = true }
        #expect(first.backup.map { $0 + "-2" } == second.backup)
        #expect(try FileBytes.read((first.backup ?? "") + "/CKModel.sqlite").count > 0)
    }

    @Test("is the condition of a change: without a folder for it nothing is changed")
    func impossible() throws {
        let store = try TestStore(fixture)
        try FileBytes.write([1], to: store.path + ".meterfix")
        let error = try store.refusal { try store.rebuild { $0.makesBackup = true } }
        #expect(error.kind == .cannotCreate)
    }

    @Test("is not made where there is nothing to do, nor in a dry run")
    func unneeded() throws {
        let store = try TestStore(fixture)
        let before = try store.snapshot()
        let planned = try store.rebuild {
            $0.makesBackup = true
            $0.isDryRun = true
        }
        #expect(planned.outcome == .planned)
        #expect(try store.snapshot().differences(from: before) == [])
        try store.rebuild()
        let done = try store.snapshot()
        #expect(try store.rebuild { $0.makesBackup = true }.outcome == .unchanged)
        #expect(try store.snapshot().differences(from: done, withFolder: false) == [])
    }
}
