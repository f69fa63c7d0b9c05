import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("the history of what meterfix did")
struct ChangeHistoryTests {
    private func history(_ store: TestStore, folder: String? = nil) throws -> [ChangeHistory.Item] {
        try ChangeHistory.of(store.path, folder: folder, now: TestStore.now).items
    }

    @Test("tells each change, the last one first, whether it was undone, and where its backup is")
    func changes() throws {
        let store = try TestStore(UndoTests.fixture)
        #expect(try history(store).isEmpty)
        let first = try store.rebuild { $0.makesBackup = true }
        try store.undo()
        try store.undo(redoes: true)
        try store.undo()
        let second = try store.rebuild(policy: .newest) {
            $0.makesBackup = true
            $0.arguments = ["rebuild", "--winner", "newest"]
        }
        let before = try store.snapshot()
        let items = try history(store)
        #expect(try store.snapshot().differences(from: before) == [])
        #expect(items.map(\.command) == ["rebuild", "undo", "redo", "undo", "rebuild"])
        #expect(items.map(\.state) == [.done, nil, nil, nil, .undone])
        #expect(items.first?.backup == second.backup)
        #expect(items.last?.backup == first.backup)
        #expect(items.first?.arguments == ["rebuild", "--winner", "newest"])
        #expect(items.first?.deleted == 1)
        #expect(items.first?.updated == first.summary.updated)
        #expect(items.allSatisfy { $0.version == Version.current })
    }

    @Test("knows a change that was undone and brought back as done")
    func broughtBack() throws {
        let store = try TestStore(UndoTests.fixture)
        try store.rebuild { $0.makesBackup = true }
        try store.undo()
        try store.undo(redoes: true)
        #expect(try history(store).map(\.state) == [nil, nil, .done])
    }

    @Test("knows from the store itself what was changed where the backup is gone or was never made")
    func withoutBackup() throws {
        let store = try TestStore(UndoTests.fixture)
        let report = try store.rebuild()
        let items = try history(store)
        #expect(items.count == 1)
        #expect(items.first?.command == nil)
        #expect(items.first?.backup == nil)
        #expect(items.first?.deleted == report.summary.deleted)
        #expect(items.first?.updated == report.summary.updated)
        #expect(items.first?.madeAt == TestStore.now)
    }

    @Test("has nothing to tell of a store that was only looked at, or that has no history")
    func nothing() throws {
        let store = try TestStore(UndoTests.fixture.with { $0.history = .none })
        try store.rebuild { $0.isDryRun = true }
        #expect(try history(store).isEmpty)
        try store.rebuild { $0.makesBackup = true }
        #expect(try history(store).map(\.command) == ["rebuild"])
    }
}
