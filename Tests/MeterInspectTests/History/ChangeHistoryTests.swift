import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import MeterJournal

@Suite("the history of what meterfix did")
struct ChangeHistoryTests {
    private func history(_ store: TestStore, folder: String? = nil) throws -> [ChangeHistory.Item] {
        try ChangeHistory.of(store.path, folder: folder, now: TestStore.now).items
    }

    @Test("tells each change, the last one first, whether it was undone, and where its backup is")
    func changes() throws {
        let store = try TestStore(Meters.fixture)
        #expect(try history(store).isEmpty)
        let first = try store.rebuild { $0.makesBackup = true }
        try store.undo()
        try store.undo(redoes: true)
        try store.undo()
        let second = try store.rebuild(policy: .newest) {
            $0.makesBackup = true
            $0.arguments = ["rebuild", "--winner", "newest"]
        }
        let items = try store.looking { try history(store) }
        #expect(items.map(\.command) == ["rebuild", "undo", "redo", "undo", "rebuild"])
        #expect(items.map(\.state) == [.done, nil, nil, nil, .undone])
        #expect(items.map(\.isNext) == [true, false, false, false, false])
        #expect(items.first?.backup == second.backup)
        #expect(items.last?.backup == first.backup)
        #expect(items.first?.journal?.arguments == ["rebuild", "--winner", "newest"])
        #expect(items.first?.counts?.deleted == 1)
        #expect(items.first?.counts?.updated == first.summary.updated)
        #expect(items.allSatisfy { $0.journal?.version == Version.current })
    }

    @Test("is in the order of the changes, whatever the clock said, so that the first is the one that undo takes back")
    func clockGoesBack() throws {
        let store = try TestStore(Meters.fixture)
        for (index, days) in [0.0, -2, 1, -1].enumerated() {
            let address = try #require(MACAddress.parse(Self.lab)).address
            try store.change(
                SetPlanner(address, name: "Name \(index)", unit: nil),
                at: Timestamp(secondsSince2001: FixtureClock.now + days * FixtureClock.day)
            ) { $0.makesBackup = index != 1 }
        }
        let items = try history(store)
        #expect(items.map(\.account).map { $0?.contains("Name 3") }.first == true)
        #expect(items.map { $0.journal == nil } == [false, false, true, false])
        #expect(items.map(\.isNext) == [true, false, false, false])
    }

    @Test("knows a change that was undone and brought back as done")
    func broughtBack() throws {
        let store = try TestStore(Meters.fixture)
        try store.rebuild { $0.makesBackup = true }
        try store.undo()
        try store.undo(redoes: true)
        #expect(try history(store).map(\.state) == [nil, nil, .done])
        #expect(try history(store).map(\.isNext) == [true, false, false])
        // The next one to be brought back is an undo, too.
        try store.undo()
        #expect(try history(store).map(\.isNext) == [true, false, false, false])
    }

    @Test("knows from the store itself what was changed where the backup is gone or was never made")
    func withoutBackup() throws {
        let store = try TestStore(Meters.fixture)
        let report = try store.rebuild()
        let items = try history(store)
        #expect(items.count == 1)
        #expect(items.first?.command == nil)
        #expect(items.first?.backup == nil)
        #expect(items.first?.counts?.deleted == report.summary.deleted)
        #expect(items.first?.counts?.updated == report.summary.updated)
        #expect(items.first?.madeAt == TestStore.now)
    }

    @Test("has nothing to tell of a store that was only looked at, or that has no history")
    func nothing() throws {
        let store = try TestStore(Meters.fixture.with { $0.history = .none })
        try store.rebuild { $0.isDryRun = true }
        #expect(try history(store).isEmpty)
        try store.rebuild { $0.makesBackup = true }
        #expect(try history(store).map(\.command) == ["rebuild"])
    }

    @Test("tells a change once whose undo was itself taken back and has a journal that cannot be read")
    func unreadableUndo() throws {
        let store = try TestStore(Meters.fixture)
        try store.rebuild { $0.makesBackup = true }
        let undo = try #require(try store.undo().backup)
        try store.undo(redoes: true)
        #expect(try history(store).map(\.state) == [nil, nil, .done])
        try FileBytes.write([1], to: undo + "/journal.json")
        let items = try history(store)
        #expect(items.map(\.command) == ["redo", "rebuild", nil])
        #expect(items.map(\.state) == [nil, .done, nil])
        #expect(items.map(\.isDamaged) == [false, false, true])
        #expect(items.last?.entry?.path == undo && items.last?.transaction == nil)
    }

    @Test("has what a killed run left, which is no change")
    func killed() throws {
        let store = try TestStore(Meters.fixture)
        try FileManager.default.createDirectory(
            atPath: store.path + ".meterfix/20261121T110000Z-set", withIntermediateDirectories: true)
        let item = try #require(try history(store).first)
        #expect(item.state == .halfMade && item.madeAt == nil && item.counts == nil && !item.isDamaged)
    }

    @Test(
        "of a damaged store is what can be read of it and its backups, and warns",
        arguments: ["ZDEVICESETTINGS", "ACHANGE", "ACHANGE_ZTRANSACTIONID_INDEX"])
    func damaged(part: String) throws {
        let store = try TestStore(Meters.fixture)
        let backup = try #require(try store.rebuild { $0.makesBackup = true }.backup)
        let root = try StoreText.read(store.path) { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [part])
        }
        try PageDamage.zeros.apply(to: #require(root), of: store.path)
        let found = try store.looking { try ChangeHistory.of(store.path, folder: nil, now: TestStore.now) }
        let isKnown = part.hasSuffix("INDEX")
        #expect(found.items.map(\.backup) == [backup] && found.items.first?.account != nil)
        #expect(found.items.map(\.state) == [isKnown ? .done : nil] && found.items.map(\.isNext) == [isKnown])
        #expect(found.warnings.first?.contains(isKnown ? "history is damaged" : "undo refuses it") == true)
    }

    private static let lab = "A4:C1:38:0B:7E:99"

    private func set(_ store: TestStore, name: String, hasBackup: Bool = true) throws {
        var options = ChangeOptions(now: TestStore.now)
        options.makesBackup = hasBackup
        options.person = Person(user: "ana", host: "mac")
        let address = try #require(MACAddress.parse(Self.lab)).address
        try ChangeRun.run(SetPlanner(address, name: name, unit: nil), on: store.path, options: options)
    }

    @Test("tells in words what was changed, and by whom")
    func words() throws {
        let store = try TestStore(Meters.fixture)
        try set(store, name: "Foo")
        var item = try #require(try history(store).first)
        #expect(item.account == "\(Self.lab): name \"Lab\" → \"Foo\"")
        #expect(item.journal?.person == Person(user: "ana", host: "mac"))
        try store.rebuild { $0.makesBackup = true }
        item = try #require(try history(store).first)
        #expect(item.account == "1 meter merged; 1 record deleted: \"Kitchen\"; 1 record updated")
        #expect(item.journal?.person == nil)
        try store.undo()
        #expect(try history(store).map { $0.account != nil } == [false, true, true])
    }

    @Test("calls first aid first aid, and what was corrected beside the records by its name")
    func otherChanges() throws {
        let store = try TestStore(
            Meters.fixture.damaged(
                """
                UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'DeviceSettings';
                UPDATE ZDEVICESETTINGS SET Z_ENT = 99 WHERE Z_PK = (SELECT MAX(Z_PK) FROM ZDEVICESETTINGS)
                """))
        var options = ChangeOptions(now: TestStore.now)
        options.makesBackup = true
        for cure in [FixableCheck.primaryKeyBehind, .entityNumberMismatch] {
            try ChangeRun.run(FixPlanner([cure]), on: store.path, options: options)
        }
        try store.change(FirstAidPlanner()) { $0.makesBackup = true }
        try store.rebuild { $0.makesBackup = true }
        let items = try history(store)
        try #require(items.map(\.command) == ["rebuild", "rebuild", "fix", "fix"])
        #expect(items.map(\.isFirstAid) == [false, true, false, false])
        #expect(items[2].account == "Z_ENT of 1 row corrected")
        #expect(items[3].account?.hasPrefix("Z_MAX of DeviceSettings: 1 → ") == true)
    }

    @Test("tells it from the store's own history, without values, where the backup is not here")
    func wordsWithoutBackup() throws {
        let store = try TestStore(Meters.fixture)
        try set(store, name: "Foo", hasBackup: false)
        try store.rebuild()
        let items = try history(store)
        #expect(items.map(\.command) == [nil, nil])
        #expect(Set(items.map(\.account)) == ["\(Self.lab): name changed", "1 record deleted, 1 record updated"])
    }

    @Test("tells of a migration that the schema was changed, and no transaction of it")
    func migration() throws {
        let store = try TestStore(StoreFixture(.v1, records: [Meters.healthy]))
        try store.migrate { $0.makesBackup = true }
        let item = try #require(try history(store).first)
        #expect(item.account?.hasPrefix("the schema was changed in ") ?? false)
        #expect(item.transaction == nil)
        // It is not taken for the backup of the transaction before it.
        try store.undo()
        try set(store, name: "Foo", hasBackup: false)
        try store.migrate { $0.makesBackup = true }
        #expect(try history(store).contains { $0.command == nil && $0.account == "\(Self.lab): name changed" })
    }

    @Test(
        "reads journals that do not say who ran the command, or say it in another way", arguments: ["1", "{}", "null"])
    func withoutPerson(by: String) throws {
        let store = try TestStore(Meters.fixture)
        try set(store, name: "Foo")
        let item = try #require(try history(store).first)
        let path = try #require(item.backup) + "/journal.json"
        let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
        #expect(text.contains("\"ana\""))
        let other = text.replacing(/"by": \{[^}]*\}/, with: "\"by\": \(by)")
        try FileBytes.write(Array(other.utf8), to: path)
        #expect(try history(store).first?.journal?.person == nil)
        #expect(try history(store).first?.account == item.account)
    }
}
