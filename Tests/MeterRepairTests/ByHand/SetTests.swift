import CoreDataStore
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("set")
struct SetTests {
    private static let meter = MACAddress.parse(Meters.healthy.macAddress!)!.0
    private static let fixture = StoreFixture(records: Meters.pair + [Meters.healthy])

    @discardableResult
    private func set(
        _ store: TestStore, _ meter: MACAddress = Self.meter, name: String? = nil, unit: TemperatureUnit? = nil,
        _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) throws(StoreError) -> ChangeReport { try store.change(SetPlanner(meter, name: name, unit: unit), adjust) }

    @Test("writes the name and the unit into the meter's record, with its history")
    func both() throws {
        let store = try TestStore(Self.fixture)
        let before = try store.text()
        let report = try set(store, name: "  Werkbank \u{1F50C} ", unit: .fahrenheit)
        #expect(report.outcome == .applied)
        #expect(report.summary.updated == 1)
        #expect(try store.column("ZMETERNAME") == ["3: 'Kitchen'", "5: 'Werkbank \u{1F50C}'", "7: NULL"])
        #expect(try store.column("ZTC66TEMPERATUREUNIT")[1] == "5: 'fahrenheit'")
        #expect(try store.column("ZUPDATEDAT = 816955200")[1] == "5: 1")
        #expect(try store.column("Z_OPT") == ["3: 1", "5: 2", "7: 1"])
        let after = try store.text()
        #expect(after.isIntact)
        #expect(after[table: "ACHANGE"].count == before[table: "ACHANGE"].count + 1)
    }

    @Test("clears a name with an empty one", arguments: ["", " \t"])
    func clear(_ name: String) throws {
        let store = try TestStore(Self.fixture)
        #expect(try set(store, name: name).outcome == .applied)
        #expect(try store.column("ZMETERNAME")[1] == "5: NULL")
        #expect(try set(store, name: name).outcome == .unchanged)
    }

    @Test("writes nothing where the record has these values already")
    func same() throws {
        let store = try TestStore(Self.fixture)
        let before = try store.snapshot()
        #expect(try set(store, name: "Lab") { $0.makesBackup = true }.outcome == .unchanged)
        #expect(try store.snapshot().hasSameBytes(as: before))
        // Only what differs is changed.
        let report = try set(store, name: "Lab", unit: .celsius)
        let update = try #require(report.plan.meters.first?.update)
        #expect(update.fields.map(\.field.name) == ["tc66TemperatureUnit", "updatedAt"])
        #expect(update.fields.map(\.rule) == [.byHand, .now])
    }

    @Test("warns of a name that no user typed")
    func machineMade() throws {
        let store = try TestStore(Self.fixture)
        #expect(try set(store, name: "iPad").plan.notes.first?.hasPrefix("the name \"iPad\" is a platform's") == true)
        #expect(try set(store, name: "Bench").plan.notes == [])
    }

    @Test("refuses a meter with several records, with none, and a store without the attribute")
    func refusals() throws {
        let store = try TestStore(Self.fixture)
        let several = try store.refusal { try set(store, MACAddress.parse(Meters.address)!.0, name: "Bench") }
        #expect(several.message == "the meter \(Meters.address) has 2 records, rows 3 and 7")
        #expect(several.hint?.contains("meterfix rebuild ") == true)
        let none = try store.refusal { try set(store, MACAddress(bits: 1), name: "Bench") }
        #expect(none.message == "no record of the meter 00:00:00:00:00:01")
        #expect([several.kind, none.kind] == [.unsuitable, .unsuitable])
        try store.execute("ALTER TABLE ZDEVICESETTINGS DROP COLUMN ZTC66TEMPERATUREUNIT")
        let missing = try #require(throws: StoreError.self) { try set(store, unit: .celsius) }
        #expect(missing.message == "DeviceSettings has no attribute tc66TemperatureUnit here")
    }

    @Test("counts the record that CloudKit has to carry")
    func cloud() throws {
        let store = try TestStore(
            Self.fixture.with {
                $0.mirror = .current
                $0.records[2].cloudRecordName = FixtureUUID(44).text
            })
        let cost = try set(store, name: "Bench").plan.cloud
        #expect([cost.updates, cost.deletes, cost.recreateDeletes, cost.recreateInserts] == [1, 0, 1, 3])
    }
}
