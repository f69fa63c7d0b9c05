import CoreDataStore
import Foundation
import MeterInspect
import MeterJournal
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("copies of a store")
struct CopiesTests {
    private static let meter = MACAddress.parse(Meters.healthy.macAddress!)!.0

    /// Two copies of a store with one folder of backups.
    private struct Copies {
        let folder: TemporaryFolder
        let stores: [TestStore]
        var first: TestStore { stores[0] }
        var second: TestStore { stores[1] }

        init() throws {
            folder = try TemporaryFolder()
            let store = try TestStore(Meters.fixture)
            let files = try store.files().map { (suffix: $0.key, bytes: $0.value) }
            stores = [store, try TestStore(copyOf: files)]
        }

        func set(_ store: TestStore, _ name: String) throws {
            try store.change(SetPlanner(CopiesTests.meter, name: name, unit: nil)) {
                $0.makesBackup = true
                $0.backupFolder = folder.path
            }
        }

        @discardableResult
        func undo(_ store: TestStore, redoes: Bool = false) throws -> UndoReport {
            try store.undo(redoes: redoes) { $0.backupFolder = folder.path }
        }

        /// What was done to a copy, the first change first.
        func changes(_ store: TestStore) throws -> [String] {
            try ChangeHistory.of(store.path, folder: folder.path, now: TestStore.now).items.reversed().map {
                "\($0.command ?? "?") \($0.state?.rawValue ?? "-")"
            }
        }

        func next(_ store: TestStore) throws -> String? {
            try ChangeHistory.of(store.path, folder: folder.path, now: TestStore.now).items.first(where: \.isNext)?
                .entry?.name
        }
    }

    @Test("each have their own changes undone, in whatever order they were made")
    func interleaved() throws {
        let copies = try Copies()
        let original = try copies.first.files()
        try copies.set(copies.first, "One")
        let one = try copies.first.files()
        try copies.set(copies.second, "Two")
        let two = try copies.second.files()
        try copies.set(copies.first, "Three")
        let three = try copies.first.files()
        #expect(try copies.changes(copies.first) == ["set done", "set elsewhere", "set done"])
        #expect(try copies.changes(copies.second) == ["set elsewhere", "set done", "set elsewhere"])
        #expect(try copies.undo(copies.first).outcome == .applied)
        #expect(try copies.first.files() == one)
        #expect(try copies.undo(copies.second).outcome == .applied)
        #expect(try copies.second.files() == original)
        #expect(
            try copies.changes(copies.first)
                == ["set done", "set elsewhere", "set undone", "undo -", "undo elsewhere"])
        #expect(try copies.undo(copies.first).outcome == .applied)
        #expect(try copies.first.files() == original)
        #expect(try copies.undo(copies.first).outcome == .unchanged)
        // The contents of both are the same now: the path tells whose the undo was.
        #expect(try copies.undo(copies.second, redoes: true).outcome == .applied)
        #expect(try copies.second.files() == two)
        for state in [one, three] {
            #expect(try copies.undo(copies.first, redoes: true).outcome == .applied)
            #expect(try copies.first.files() == state)
        }
    }

    @Test("are told apart by their paths where the app was at work in between")
    func withApp() throws {
        let copies = try Copies()
        try copies.set(copies.first, "One")
        try copies.set(copies.second, "Two")
        try copies.first.execute("UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 3")
        let between = try copies.first.text()
        try copies.set(copies.first, "Three")
        try copies.first.execute("UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 3")
        #expect(try copies.changes(copies.first) == ["set done", "set elsewhere", "set done"])
        #expect(try copies.undo(copies.first).outcome == .stale)
        try copies.first.undo {
            $0.backupFolder = copies.folder.path
            $0.force = true
        }
        #expect(try copies.first.text() == between)
        #expect(try copies.undo(copies.first).change?.entry.hasSuffix("-set") == true)
    }

    @Test("that are older than what is beside them go back from the state they have")
    func older() throws {
        let store = try TestStore(Meters.fixture)
        let original = try store.files()
        func set(_ name: String) throws {
            try store.change(SetPlanner(Self.meter, name: name, unit: nil)) { $0.makesBackup = true }
        }
        func states() throws -> [ChangeHistory.State?] {
            try ChangeHistory.of(store.path, folder: nil, now: TestStore.now).items.map(\.state)
        }
        try set("One")
        let old = try store.files()
        try set("Two")
        try store.undo()
        try store.undo()
        #expect(try states() == [nil, nil, .undone, .undone])
        for suffix in original.keys { try FileBytes.write(old[suffix] ?? [], to: store.path + suffix) }
        // The undo of the first change is of a later state than this copy has.
        #expect(try states() == [.elsewhere, nil, .undone, .done])
        try set("Three")
        for suffix in original.keys { try FileBytes.write(original[suffix] ?? [], to: store.path + suffix) }
        #expect(try states() == [.elsewhere, nil, nil, .undone, .undone])
        for suffix in original.keys { try FileBytes.write(old[suffix] ?? [], to: store.path + suffix) }
        #expect(try store.undo().outcome == .applied)
        #expect(try store.files() == original)
    }
}
