import CoreDataStore
import Foundation
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("undo")
struct UndoTests {
    static let fixture = Meters.fixture

    @Test(
        "brings every file back byte for byte, wherever the rows were",
        arguments: [StoreFixture.LogPlacement.checkpointed, .rowsInLogOnly])
    func bytes(log: StoreFixture.LogPlacement) throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = log })
        let before = try store.files()
        try store.rebuild { $0.makesBackup = true }
        #expect(try store.files() != before)
        let report = try store.undo()
        #expect(report.outcome == .applied)
        #expect(report.warnings == [])
        #expect(try store.files() == before)
    }

    @Test("brings back a store with a rollback journal, and a -shm that somebody left beside it")
    func otherFiles() throws {
        for fixture in [Self.fixture.with { $0.journalMode = .delete }, Self.fixture] {
            let store = try TestStore(fixture)
            if fixture.journalMode == .wal {
                try FileBytes.write([UInt8](repeating: 0, count: 32_768), to: store.path + "-shm")
            }
            let before = try store.files()
            try store.rebuild { $0.makesBackup = true }
            let after = try store.files()
            let report = try store.undo()
            #expect(report.outcome == .applied)
            #expect(report.warnings == [])
            let restored = try store.files()
            guard fixture.journalMode == .delete else {
                #expect(restored == before)
                continue
            }
            #expect(!report.isByteForByte)
            // SQLite's counters of changes and of the schema go on, for a process without a lock goes by them.
            for offset in [24, 40, 92, 96] {
                let range = offset..<offset + 4
                func number(_ files: [String: [UInt8]]) -> UInt32 {
                    files[""]?[range].reduce(0) { $0 << 8 | UInt32($1) } ?? 0
                }
                #expect(number(restored) > number(after) || offset == 96)
            }
            #expect(TestStore.withoutCounters(restored) == TestStore.withoutCounters(before))
        }
    }

    @Test(
        "brings back a -shm that the app took away since, and takes away one that it left since",
        arguments: [true, false])
    func logIndex(isSaved: Bool) throws {
        let store = try TestStore(Self.fixture)
        let index = [UInt8](repeating: 0, count: 32_768)
        if isSaved { try FileBytes.write(index, to: store.path + "-shm") }
        let before = try store.files()
        try store.rebuild { $0.makesBackup = true }
        if isSaved {
            _ = unlink(store.path + "-shm")
        } else {
            try FileBytes.write(index, to: store.path + "-shm")
        }
        let report = try store.undo()
        #expect(report.outcome == .applied)
        #expect(report.warnings == [])
        #expect(try store.files() == before)
    }

    @Test("goes back several steps, one by one, and forward again, one by one")
    func steps() throws {
        let store = try TestStore(Self.fixture)
        var states = [try store.files()]
        for name in ["Garage", "Attic"] {
            let planner = ImportPlanner(
                LegacyValues([
                    DumpEntry(dictionary: .meterNames, key: "A4:C1:38:00:00:0\(states.count)", value: .text(name))
                ]), sha256: String(repeating: "0", count: 64), policy: .keep)
            var options = ChangeOptions(now: TestStore.now)
            options.makesBackup = true
            _ = try LegacyImport.run(planner, on: store.path, creates: false, options: options)
            states.append(try store.files())
        }
        try store.rebuild { $0.makesBackup = true }
        states.append(try store.files())
        for state in states.dropLast().reversed() {
            #expect(try store.undo().outcome == .applied)
            #expect(try store.files() == state)
        }
        #expect(try store.undo().outcome == .unchanged)
        for state in states.dropFirst() {
            #expect(try store.undo(redoes: true).outcome == .applied)
            #expect(try store.files() == state)
        }
        #expect(try store.undo(redoes: true).outcome == .unchanged)
        // And back once more: what was brought back can be undone like any change.
        #expect(try store.undo().outcome == .applied)
        #expect(try store.files() == states[2])
    }

    @Test("does not bring back what was undone before another change")
    func branch() throws {
        let store = try TestStore(Self.fixture)
        try store.rebuild { $0.makesBackup = true }
        try store.undo()
        try store.rebuild(policy: .newest) { $0.makesBackup = true }
        let after = try store.files()
        #expect(try store.undo(redoes: true).outcome == .unchanged)
        #expect(try store.files() == after)
    }

    @Test("does not take back a second time what was taken back, whatever the app does then")
    func once() throws {
        let store = try TestStore(Self.fixture)
        try store.rebuild { $0.makesBackup = true }
        try store.undo()
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 5")
        let before = try store.files()
        #expect(try store.undo { $0.force = true }.outcome == .unchanged)
        #expect(try store.files() == before)
    }

    @Test("does not mind that the app put its log into the main file: the contents are the same")
    func checkpointed() throws {
        let store = try TestStore(Self.fixture)
        let before = try store.files()
        try store.rebuild { $0.makesBackup = true }
        let after = try store.files()
        try store.execute("VACUUM")
        #expect(try store.files() != after)
        #expect(try store.undo().outcome == .applied)
        #expect(try store.files() == before)
    }

    @Test("keeps the file's mode, and restores what a symbolic link leads to")
    func accessAndLinks() throws {
        let store = try TestStore(Self.fixture)
        let before = try store.files()
        chmod(store.path, 0o640)
        let link = store.folder.path + "/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
        var options = ChangeOptions(now: TestStore.now)
        _ = try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: link, options: options)
        options.now = TestStore.now
        #expect(try Undo.run(link, redoes: false, options: options).outcome == .applied)
        #expect(try store.files() == before)
        #expect(
            try FileManager.default.attributesOfItem(atPath: link)[.type] as? FileAttributeType == .typeSymbolicLink)
        #expect(try FileManager.default.attributesOfItem(atPath: store.path)[.posixPermissions] as? Int == 0o640)
    }

    @Test("gives the log that it puts beside the store the mode of the main file")
    func accessOfLog() throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = .rowsInLogOnly })
        for suffix in ["", "-wal"] { chmod(store.path + suffix, 0o640) }
        try store.rebuild { $0.makesBackup = true }
        try store.undo()
        let attributes = try FileManager.default.attributesOfItem(atPath: store.path + "-wal")
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    @Test("works under the store's new name")
    func renamed() throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = .rowsInLogOnly })
        let before = try store.files()
        try store.rebuild { $0.makesBackup = true }
        let new = store.folder.path + "/customer.sqlite"
        for suffix in ["", ".meterfix"] {
            try FileManager.default.moveItem(atPath: store.path + suffix, toPath: new + suffix)
        }
        #expect(try Undo.run(new, redoes: false, options: ChangeOptions(now: TestStore.now)).outcome == .applied)
        #expect(try TestStore.files(at: new) == before)
    }

    @Test("in a dry run says the same and leaves no trace")
    func dryRun() throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = .rowsInLogOnly })
        try store.rebuild { $0.makesBackup = true }
        let planned = try store.looking { try store.undo { $0.isDryRun = true } }
        #expect(planned.outcome == .planned)
        let done = try store.undo()
        #expect(done.change == planned.change)
        #expect(done.files == planned.files)
    }

    @Test("without a backup of its own warns that there is no way back, and goes on further back all the same")
    func withoutBackup() throws {
        let store = try TestStore(Self.fixture)
        let before = try store.files()
        try store.rebuild { $0.makesBackup = true }
        let report = try store.undo { $0.makesBackup = false }
        #expect(report.outcome == .applied)
        #expect(report.warnings.count == 1)
        #expect(try store.files() == before)
        #expect(try store.undo().outcome == .unchanged)
        #expect(try store.undo(redoes: true).outcome == .unchanged)
    }
}

extension TestStore {
    /// The store's own files, by suffix.
    func files() throws -> [String: [UInt8]] { try Self.files(at: path) }

    /// The files of a store with a rollback journal without what SQLite counts up with each change, which an undo does not
    /// set back; others as they are.
    static func withoutCounters(_ files: [String: [UInt8]]) -> [String: [UInt8]] {
        guard var main = files[""], main[18] == 1 else { return files }
        for offset in [24, 40, 92, 96] { main.replaceSubrange(offset..<offset + 4, with: [0, 0, 0, 0]) }
        return files.merging(["": main]) { $1 }
    }

    static func files(at path: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for suffix in ["", "-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
            files[suffix] = try FileBytes.read(path + suffix)
        }
        return files
    }
}
