import CoreDataStore
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("a name that a meter had")
struct FormerNameTests {
    private static let kitchen = "A4:C1:38:0B:7E:21"
    private static let bench = "A4:C1:38:5D:02:9F"

    /// The first meter was renamed, and the second one deleted.
    private static let fixture = StoreFixture(records: SampleRecords.household).with {
        $0.savedInLog = [
            .update(1, ["meterName": "Labor"], at: FixtureClock.now - 5_000.25),
            .delete(2, at: FixtureClock.now - 4_000.25),
        ]
    }

    private func hint(_ name: String, _ store: TestStore) -> String? {
        #expect(throws: StoreError.self) {
            try MeterReference(name).address(in: store.path, folder: nil, now: TestStore.now)
        }?.hint
    }

    @Test("is what an error asks for, spelled rightly or nearly, where no meter has the name")
    func hints() throws {
        let store = try TestStore(Self.fixture)
        let before = try store.snapshot()
        for name in ["Bench UM34C", "bench um34", "Bench"] {
            #expect(
                hint(name, store)?.hasPrefix("did you mean \(Self.bench), once named \"Bench UM34C\"") == true,
                "\(name)")
        }
        #expect(hint("Zzyzx", store)?.contains("once named") == false)
        #expect(
            try MeterReference("labor").address(in: store.path, folder: nil, now: TestStore.now).text(in: .upper)
                == Self.kitchen)
        #expect(try store.snapshot().differences(from: before) == [])
    }

    @Test("names the meter where that is asked for and only one had it")
    func taken() throws {
        let store = try TestStore(Self.fixture)
        let address = try MeterReference(" bench UM34C").address(
            in: store.path, folder: nil, now: TestStore.now, takesFormer: true)
        #expect(address.text(in: .upper) == Self.bench)
        #expect(throws: StoreError.self) {
            try MeterReference("Bench").address(in: store.path, folder: nil, now: TestStore.now, takesFormer: true)
        }
    }

    @Test("finds the meter in a list, with the command that gives it back; from a backup too")
    func found() throws {
        let store = try TestStore(Self.fixture)
        let address = try #require(MACAddress.parse(Self.kitchen)).address
        try store.change(SetPlanner(address, name: "Attic", unit: nil)) { $0.makesBackup = true }
        let all = try MeterList.of(store.path, now: TestStore.now)
        let lost = try FormerValues.of(store.path, all: false, folder: nil, now: TestStore.now)
        for name in ["LABOR", "kitchen"] {
            let list = all.finding(name, in: lost)
            #expect(list.meters.contains { $0.address == address }, "\(name)")
            #expect(list.former?.map { $0.command?.name } == ["set"], "\(name)")
        }
        #expect(all.finding("bench", in: lost).former?.map { $0.command?.name } == ["restore-record"])
        #expect(all.finding("labor").meters.isEmpty && all.finding("labor").former == nil)
    }

    @Test("stands in the list of all deleted records, whosever they were")
    func allDeleted() throws {
        let store = try TestStore(StoreFixture(records: Meters.pair + [Meters.healthy]))
        #expect(
            try MergedRecords.of(nil, ofAll: true, in: store.path, folder: nil, now: TestStore.now).absence[0]
                .hasSuffix("so none has a deleted record"))
        try store.rebuild { $0.makesBackup = true }
        let merged = try MergedRecords.of(nil, ofAll: true, in: store.path, folder: nil, now: TestStore.now)
        #expect(merged.records.map { $0.record[.meterName] } == [.text("Kitchen")])
        #expect(try MergedRecords.of(nil, in: store.path, folder: nil, now: TestStore.now).records.isEmpty)
    }
}
