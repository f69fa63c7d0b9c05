import CoreDataStore
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("set, for a record that no address names")
struct SetRecordTests {
    private static let fixture = StoreFixture(
        records: Meters.pair + [
            Meters.healthy, FixtureRecord(row: 8, macAddress: "UM34C", meterName: "Bench"),
            FixtureRecord(row: 9, macAddress: nil), FixtureRecord(row: 10, macAddress: "UM25C"),
            FixtureRecord(row: 11, macAddress: "UM25C"),
        ])
    private static let free = MACAddress.parse("a4:c1:38:0b:7e:77")!.0

    @discardableResult
    private func set(
        _ row: Int64, _ store: TestStore, name: String? = nil, address: MACAddress? = nil
    ) throws(StoreError) -> ChangeReport {
        try store.change(SetPlanner(.row(row), name: name, unit: nil, address: address))
    }

    @Test("gives it the address of its meter in the store's letter case, with history, once")
    func address() throws {
        let store = try TestStore(Self.fixture)
        let before = try store.cells()
        let report = try set(8, store, address: Self.free)
        let meter = try #require(report.plan.meters.first)
        let update = try #require(meter.update)
        #expect(meter.address == nil && update.fields.map(\.field.name) == ["macAddress", "updatedAt"])
        let after = try store.cells()
        #expect(after[8]?["ZMACADDRESS"] == "'A4:C1:38:0B:7E:77'" && after[8]?["ZMETERNAME"] == "'Bench'")
        #expect(after.filter { $0.key != 8 } == before.filter { $0.key != 8 })
        #expect(try OrphanFixTests.lastTransaction(store).count == 1)
        #expect(try set(8, store, address: Self.free).outcome == .unchanged)
        // It can be named by its address from now on.
        #expect(try store.findings().filter { $0 == "mac-invalid" }.count == 2)
    }

    @Test("names it by its row, and by the text in place of an address if no other record has it")
    func named() throws {
        let store = try TestStore(Self.fixture)
        #expect(try set(9, store, name: "Attic").outcome == .applied)
        #expect(try store.column("ZMETERNAME").contains("9: 'Attic'"))
        func row(_ text: String) throws(StoreError) -> Int64? {
            try RecordReference.row(ofUnusableAddress: text, in: store.path, now: TestStore.now)
        }
        #expect(try row("UM34C") == 8)
        #expect(try row("um34c") == nil && row(Meters.address) == nil)
        let error = #expect(throws: StoreError.self) { try row("UM25C") }
        #expect(error?.message.contains("rows 10 and 11") == true && error?.hint == "name one with --row")
        let gone = #expect(throws: StoreError.self) { try set(99, store, name: "x") }
        #expect(gone?.message == "no record in row 99")
        // A row of a meter stands for the meter.
        let several = #expect(throws: StoreError.self) { try set(3, store, name: "x") }
        #expect(several?.message.contains("has 2 records") == true)
    }

    @Test("refuses an address that would make a duplicate, one that hides another, and a record that has one")
    func refused() throws {
        let store = try TestStore(Self.fixture)
        let healthy = try #require(MACAddress.parse(Meters.healthy.macAddress!)?.0)
        let hidden = try #require(MACAddress.parse("02:00:00:00:00:00")?.0)
        for (row, address, message, hint) in [
            (8, healthy, "has a record already, row 5", "meterName \"Bench\""),
            (9, healthy, "has a record already, row 5", "meterfix delete --row 9"),
            (8, hidden, "is a placeholder", "the app shows"), (5, Self.free, "row 5 has a usable address", "--address"),
        ] as [(Int64, MACAddress, String, String)] {
            let error = try store.refusal { try set(row, store, address: address) }
            #expect(error.kind == .unsuitable && error.message.contains(message), "\(error.message)")
            #expect(error.hint?.contains(hint) == true, "\(error.hint ?? "")")
        }
    }

    @Test("warns before it gives two meters one name, and not of the meter's own")
    func namesakes() throws {
        let store = try TestStore(Self.fixture)
        let noted = try set(8, store, name: " Lab ").plan.notes
        #expect(
            noted == [
                "the name \"Lab\" is also on A4:C1:38:0B:7E:99; the user cannot tell these meters apart (name-shared)"
            ])
        #expect(try set(5, store, name: "Lab ").plan.notes == [])
        #expect(try set(9, store, name: "Attic").plan.notes == [])
    }
}
