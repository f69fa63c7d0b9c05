import CoreDataStore
import Foundation
import GRDB
import JSON
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import MeterJournal

/// What is true of the log of every store, and of real ones.
extension ChangeLogTests {
    @Test("has the very values of the plan, for each change that a command made", arguments: LawSeeds.first(6))
    func plan(seed: UInt64) throws {
        let store = try TestStore(
            StoreFixture(records: RandomStores.records(seed: seed, meters: 5)).with {
                $0.journalMode = seed % 2 == 0 ? .wal : .delete
                $0.mirror = seed % 3 == 0 ? .none : .current
            })
        let report = try store.rebuild { $0.makesBackup = true }
        let plan = report.plan
        guard plan.changesRecords else { return }
        let log = try log(store)
        let number = try #require(log.entries.first?.transaction.save.transaction)
        let entries = log.entries.filter { $0.transaction.save.transaction == number }
        let byRow = Dictionary(grouping: entries, by: \.row).mapValues { $0[0] }
        #expect(entries.count == plan.summary.updated + plan.summary.deleted && byRow.count == entries.count)
        for (meter, change) in plan.meters.flatMap({ meter in meter.records.map { (meter, $0) } }) {
            switch change {
            case .update(let update):
                let entry = try #require(byRow[update.row])
                #expect(entry.kind == .update && entry.address == meter.address)
                #expect(entry.fields?.map(\.name) == update.fields.map(\.field.name))
                #expect(entry.fields?.map(\.delta?.before) == update.fields.map(\.before))
                #expect(entry.fields?.map(\.delta?.after) == update.fields.map(\.after))
            case .delete(let deletion):
                let entry = try #require(byRow[deletion.record.row])
                #expect(entry.kind == .delete && entry.address == meter.address)
                let record = deletion.record
                let values = zip(record.layout.fields, record.values).filter { !$1.isNull }
                #expect(entry.fields?.map(\.name) == values.map(\.0.name))
                #expect(entry.fields?.map(\.delta?.before) == values.map(\.1))
            case .insert: break
            }
        }
    }

    @Test(
        "has the very values of an import, whose records are new or filled",
        arguments: [SchemaStatements.History.current, .withoutStrings])
    func imported(history: SchemaStatements.History) throws {
        let store = try TestStore(Self.fixture.with { $0.history = history })
        let values = LegacyValues([
            DumpEntry(dictionary: .meterNames, key: "A4:C1:38:00:00:01", value: .text("Attic")),
            DumpEntry(dictionary: .temperatureUnits, key: Self.lab, value: .text("celsius")),
        ])
        let planner = ImportPlanner(values, sha256: String(repeating: "0", count: 64), policy: .keep)
        let report = try LegacyImport.run(
            planner, on: store.path, creates: false, options: ChangeOptions(now: TestStore.now))
        let plan = report.plan
        let entries = try log(store).entries.filter { $0.transaction.author == .meterfix }
        #expect(Set(entries.map(\.kind)) == [.insert, .update] && entries.count == 2)
        for (meter, change) in plan.meters.flatMap({ meter in meter.records.map { (meter, $0) } }) {
            switch change {
            case .update(let update):
                let entry = try #require(entries.first { $0.row == update.row })
                #expect(entry.fields?.map(\.delta?.after) == update.fields.map(\.after))
            case .insert(let insertion):
                let entry = try #require(entries.first { $0.row == insertion.row })
                #expect(entry.address == meter.address && entry.name == "Attic")
                #expect(entry.fields?.map(\.delta?.before) == insertion.fields.map { _ in .null })
                #expect(entry.fields?.map(\.delta?.after) == insertion.fields.map(\.after))
            case .delete: break
            }
        }
    }

    @Test("until a moment and since it is all of it, newest first", arguments: LawSeeds.first(6))
    func partition(seed: UInt64) throws {
        let store = try TestStore(StoreFixture(records: RandomStores.records(seed: seed, meters: 5)))
        try store.rebuild { $0.makesBackup = true }
        func name(_ entry: ChangeLog.Entry) -> String {
            "\(entry.transaction.save.transaction ?? 0) \(entry.row ?? 0) \(entry.kind.map { "\($0)" } ?? "")"
        }
        let all = try log(store)
        let numbers = all.entries.compactMap(\.transaction.save.transaction)
        #expect(numbers == numbers.sorted(by: >))
        for moment in Set(all.entries.compactMap(\.transaction.time)) {
            let before = try log(store) { $0.until = moment }
            let after = try log(store) { $0.since = moment }
            #expect((after.entries + before.entries).map(name) == all.entries.map(name))
            #expect(before.total + after.total == all.total)
        }
        for limit in [1, 2, 1_000] {
            let some = try log(store) { $0.limit = limit }
            #expect(some.entries.map(name) == all.entries.prefix(limit).map(name) && some.total == all.total)
        }
    }
}

@Suite("log of a store of another app", .enabled(if: RealStores.isAvailable))
struct RealChangeLogTests {
    @Test("tells its changes by entity", arguments: [("SampleModel2_V1", 5_468, 51), ("SampleModel2_V2", 126, 2)])
    func real(name: String, changes: Int, books: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/store.sqlite"
        try FileManager.default.copyItem(
            atPath: try #require(RealStores.folder) + "/CoreDataPlus/SampleModel2/\(name).sqlite", toPath: path)
        let before = try FolderSnapshot(folder.path)
        var request = ChangeLog.Request()
        let all = try ChangeLog.of(path, request, now: TestStore.now)
        #expect(all.total == changes && all.entries.count == changes)
        #expect(Set(all.entries.map(\.entity)) == ["Book", "GraphicNovel", "Feedback", "Page", "Author"])
        #expect(all.entries.allSatisfy { $0.kind == .insert && $0.address == nil && $0.waits == nil })
        #expect(all.entries.allSatisfy { $0.transaction.save.process == "xctest" })
        request.entity = "Book"
        // With those below it.
        #expect(try ChangeLog.of(path, request, now: TestStore.now).total == books + 1)
        request.entity = "GraphicNovel"
        #expect(try ChangeLog.of(path, request, now: TestStore.now).entries.map(\.entity) == ["GraphicNovel"])
        #expect(try FolderSnapshot(folder.path).hasSameBytes(as: before))
    }
}
