import CoreDataStore
import Foundation
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("where a journal is damaged, undo")
struct DamagedJournalTests {
    private static func later(_ minutes: Double) -> Timestamp {
        Timestamp(secondsSince2001: FixtureClock.now + 60 * minutes)
    }

    /// A store with a rebuild and a name set by hand, a minute apart, and their entries.
    private func changed(_ folder: String? = nil) throws -> (store: TestStore, entries: [String]) {
        let store = try TestStore(UndoTests.fixture)
        let rebuild = try store.rebuild {
            $0.makesBackup = true
            $0.backupFolder = folder
        }
        var options = ChangeOptions(now: Self.later(1))
        options.backupFolder = folder
        let planner = SetPlanner(MACAddress.parse(Meters.healthy.macAddress!)!.0, name: "Attic", unit: nil)
        let set = try ChangeRun.run(planner, on: store.path, options: options)
        return (store, [try #require(rebuild.backup), try #require(set.backup)])
    }

    private func damage(_ entry: String) throws { try FileBytes.write(Array("{".utf8), to: entry + "/journal.json") }

    private func expectDamaged(_ store: TestStore, _ entry: String, redoes: Bool = false) throws {
        for force in [false, true] {
            let error = try store.refusal { try store.undo(redoes: redoes) { $0.force = force } }
            #expect(error.kind == .damaged)
            #expect(error.path == entry)
        }
    }

    @Test("does not say that there is nothing to take back")
    func only() throws {
        let store = try TestStore(UndoTests.fixture)
        let entry = try #require(try store.rebuild { $0.makesBackup = true }.backup)
        try damage(entry)
        try expectDamaged(store, entry)
        // It was no undo, by its name.
        #expect(try store.undo(redoes: true).outcome == .unchanged)
    }

    @Test("of the last change does not say that the store moved on")
    func newest() throws {
        let (store, entries) = try changed()
        try damage(entries[1])
        try expectDamaged(store, entries[1])
        // As the hint says.
        try FileManager.default.moveItem(atPath: entries[1], toPath: store.folder.path + "/away")
        #expect(try store.undo().outcome == .stale)
    }

    @Test("of an older change takes back the last one, and then stops")
    func older() throws {
        let (store, entries) = try changed()
        try damage(entries[0])
        #expect(try store.undo { $0.now = Self.later(2) }.outcome == .applied)
        try expectDamaged(store, entries[0])
    }

    @Test("of an older change is not why the store has changed since the last one")
    func olderMoved() throws {
        let (store, entries) = try changed()
        try damage(entries[0])
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Cellar'")
        #expect(try store.undo().outcome == .stale)
    }

    @Test("of a change that was taken back goes on, and so it does where the contents say that nothing came between")
    func spent() throws {
        let (store, entries) = try changed()
        try store.undo { $0.now = Self.later(2) }
        try damage(entries[1])
        #expect(try store.undo { $0.now = Self.later(3) }.outcome == .applied)
        #expect(try store.undo { $0.now = Self.later(4) }.outcome == .unchanged)
    }

    @Test("that says of other contents that they were saved puts nothing back, and a dry run says so")
    func otherContents() throws {
        let store = try TestStore(UndoTests.fixture)
        let entry = try #require(try store.rebuild { $0.makesBackup = true }.backup)
        let text = String(decoding: try FileBytes.read(entry + "/journal.json"), as: UTF8.self)
        let digest = try #require(text.firstMatch(of: /"before": "([0-9a-f]{64})"/)).1
        let other = text.replacing(digest, with: String(digest.reversed()))
        try FileBytes.write(Array(other.utf8), to: entry + "/journal.json")
        let before = try store.snapshot()
        for isDryRun in [true, false] {
            let error = #expect(throws: StoreError.self) { try store.undo { $0.isDryRun = isDryRun } }
            #expect(error?.kind == .damaged)
            #expect(error?.path == entry)
        }
        #expect(try store.snapshot().hasSameBytes(as: before))
    }

    @Test("of an undo does not bring back anything")
    func redo() throws {
        let (store, _) = try changed()
        let undo = try #require(try store.undo { $0.now = Self.later(2) }.backup)
        try damage(undo)
        try expectDamaged(store, undo, redoes: true)
    }

    @Test("in a folder that stores share goes on, for it may be another's, and names it")
    func shared() throws {
        let folder = try TemporaryFolder()
        let (store, entries) = try changed(folder.path)
        try damage(entries[1])
        let stale = try store.undo { $0.backupFolder = folder.path }
        #expect(stale.outcome == .stale)
        #expect(stale.warnings.contains { $0.contains(entries[1]) })
        try damage(entries[0])
        let nothing = try store.undo { $0.backupFolder = folder.path }
        #expect(nothing.outcome == .unchanged)
        #expect(nothing.warnings.count == 2)
        // A store for which nothing is amiss is not bothered.
        let other = try TestStore(UndoTests.fixture.with { $0.storeUUID = FixtureUUID(2).text })
        try other.rebuild {
            $0.makesBackup = true
            $0.backupFolder = folder.path
        }
        let report = try other.undo { $0.backupFolder = folder.path }
        #expect(report.outcome == .applied)
        #expect(report.warnings == [])
    }
}
