import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("the entry of a change that happened")
struct KeptEntryTests {
    private static let meter = MACAddress.parse(Meters.healthy.macAddress!)!.0

    private func states(_ store: TestStore) throws -> [String] {
        try ChangeHistory.of(store.path, folder: nil, now: TestStore.now).items.map {
            "\($0.command ?? "?") \($0.state?.rawValue ?? "-")"
        }
    }

    /// A change of another kind than a rebuild.
    @discardableResult
    private func set(_ store: TestStore, _ name: String) throws -> ChangeReport {
        try store.change(SetPlanner(Self.meter, name: name, unit: nil)) { $0.makesBackup = true }
    }

    /// A store whose rebuild's files were put back by hand, and the rebuild's entry.
    private func putBack() throws -> (store: TestStore, entry: String) {
        let store = try TestStore(UndoTests.fixture)
        let entry = try #require(try store.rebuild { $0.makesBackup = true }.backup)
        try FileBytes.write(FileBytes.read(entry + "/CKModel.sqlite"), to: store.path)
        return (store, entry)
    }

    @Test("stays where somebody puts its files back by hand and goes on")
    func putBackByHand() throws {
        let (store, entry) = try putBack()
        let before = try FolderSnapshot(entry)
        #expect(try store.undo().outcome == .unchanged)
        #expect(try states(store) == ["rebuild elsewhere"])
        #expect(try set(store, "Attic").warnings == [])
        #expect(try FolderSnapshot(entry).hasSameBytes(as: before))
        #expect(try states(store) == ["set done", "rebuild elsewhere"])
        #expect(try store.undo().outcome == .applied)
        #expect(try store.undo().outcome == .unchanged)
        #expect(FileManager.default.fileExists(atPath: entry + "/CKModel.sqlite"))
        #expect(try store.undo(redoes: true).outcome == .applied)
        #expect(try store.column("ZMETERNAME").contains("5: 'Attic'"))
    }

    @Test("stays where files of further back are put in place, and none of what came after them is taken back")
    func furtherBack() throws {
        let (store, entry) = try putBack()
        try store.rebuild(policy: .newest) { $0.makesBackup = true }
        try set(store, "Attic")
        let names = try FolderSnapshot(store.path + ".meterfix").names
        try FileBytes.write(FileBytes.read(entry + "/CKModel.sqlite"), to: store.path)
        #expect(try store.undo().outcome == .unchanged)
        #expect(try states(store) == ["set elsewhere", "rebuild elsewhere", "rebuild elsewhere"])
        try set(store, "Cellar")
        #expect(Set(names).isSubset(of: try FolderSnapshot(store.path + ".meterfix").names))
        #expect(try states(store) == ["set done", "set elsewhere", "rebuild elsewhere", "rebuild elsewhere"])
    }

    @Test("is passed over by one undo after the other that saves nothing first")
    func undoneWithoutBackup() throws {
        let store = try TestStore(UndoTests.fixture)
        let before = try store.files()
        try store.rebuild { $0.makesBackup = true }
        try set(store, "Attic")
        for _ in 1...2 { #expect(try store.undo { $0.makesBackup = false }.outcome == .applied) }
        #expect(try store.files() == before)
        #expect(try states(store) == ["set elsewhere", "rebuild elsewhere"])
    }

    @Test("does not let an undo be brought back on top of a change of another kind")
    func otherKind() throws {
        let store = try TestStore(UndoTests.fixture)
        try store.rebuild { $0.makesBackup = true }
        try store.undo()
        try set(store, "Attic")
        let after = try store.files()
        #expect(try states(store) == ["set done", "undo -", "rebuild undone"])
        #expect(try store.undo(redoes: true) { $0.force = true }.outcome == .unchanged)
        #expect(try store.files() == after)
    }

    /// What a run leaves that is killed between its commit and the rename of its journal.
    private func killedBehindCommit() throws -> (store: TestStore, entry: String) {
        let store = try TestStore(UndoTests.fixture)
        let entry = try #require(try store.rebuild { $0.makesBackup = true }.backup)
        let journal = entry + "/journal.json"
        try FileManager.default.moveItem(atPath: journal, toPath: entry + "/journal.pending.json")
        let text = String(decoding: try FileBytes.read(entry + "/journal.pending.json"), as: UTF8.self)
        try FileBytes.write(Array(text.replacing("\"committed\"", with: "\"begun\"").utf8), to: journal)
        return (store, entry)
    }

    @Test("stays where its run was killed behind the commit, whatever comes then", arguments: [true, false])
    func killed(undoes: Bool) throws {
        let (store, entry) = try killedBehindCommit()
        #expect(try states(store) == ["rebuild done"])
        if undoes {
            #expect(try store.undo { $0.makesBackup = false }.outcome == .applied)
        } else {
            #expect(try set(store, "Attic").warnings == [])
            #expect(try states(store) == ["set done", "rebuild done"])
            try FileBytes.write(FileBytes.read(entry + "/CKModel.sqlite"), to: store.path)
        }
        #expect(try set(store, "Cellar").warnings == [])
        #expect(FileManager.default.fileExists(atPath: entry + "/CKModel.sqlite"))
        #expect(try states(store).last == "rebuild elsewhere")
        #expect(!FileManager.default.fileExists(atPath: entry + "/journal.pending.json"))
    }

    @Test("goes where its run was killed before the commit, time and again")
    func killedBeforeCommit() throws {
        let store = try TestStore(UndoTests.fixture)
        let original = try FileBytes.read(store.path)
        for _ in 1...3 {
            let entry = try #require(try store.rebuild { $0.makesBackup = true }.backup)
            #expect(try states(store) == ["rebuild done"])
            let text = String(decoding: try FileBytes.read(entry + "/journal.json"), as: UTF8.self)
            try FileManager.default.moveItem(
                atPath: entry + "/journal.json", toPath: entry + "/journal.pending.json")
            try FileBytes.write(
                Array(text.replacing("\"committed\"", with: "\"begun\"").utf8), to: entry + "/journal.json")
            try FileBytes.write(original, to: store.path)
            #expect(try states(store) == ["rebuild half-made"])
            #expect(try store.undo().outcome == .unchanged)
        }
        #expect(try set(store, "Attic").warnings == [])
        #expect(try states(store) == ["set done"])
    }
}
