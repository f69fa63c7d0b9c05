import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite struct ImportDuplicateTests {
    private static let address = "A4:C1:38:0B:7E:21"

    /// - Parameter time: seconds since some hours ago.
    private static func record(_ row: Int64, _ name: String?, _ unit: String? = nil, at time: Double) -> FixtureRecord {
        FixtureRecord(row: row, macAddress: address, meterName: name).with {
            $0.tc66TemperatureUnit = unit
            $0.updatedAt = FixtureClock.now - 9_999 + time
        }
    }

    private func names(_ bench: TestStore) throws -> [[FixtureValue]] {
        try bench.rows("SELECT Z_PK, ZMETERNAME, ZTC66TEMPERATUREUNIT FROM ZDEVICESETTINGS ORDER BY Z_PK")
    }

    @Test("a field that any record of the meter has is not filled")
    func fieldAny() throws {
        let bench = try TestStore(
            StoreFixture(
                records: [Self.record(1, "Bench", at: 9_990), Self.record(2, nil, "celsius", at: 5)]))
        let report = try bench.importing(units: [Self.address: "fahrenheit"])
        #expect(report.outcome == .unchanged)
        let conflict = try #require(report.plan.conflicts.first)
        #expect(conflict.kept == .text("celsius") && conflict.keptFrom == 2)
        #expect(conflict.dropped == [.init(value: .text("fahrenheit"), row: nil)])
    }

    @Test("replacing names the dump as where the value is from, and the row of the old one")
    func replacingNames() throws {
        let bench = try TestStore(StoreFixture(records: [Self.record(1, "Bench", at: 9)]))
        let report = try bench.importing(names: [Self.address: "Lab"], policy: .replace)
        let conflict = try #require(report.plan.conflicts.first)
        #expect(conflict.kept == .text("Lab") && conflict.keptFrom == nil)
        #expect(conflict.dropped == [.init(value: .text("Bench"), row: 1)])
        #expect(try names(bench) == [[1, "Lab", nil]])
    }

    @Test("a value that replaces another survives the rebuild, though a clock beside it is ahead")
    func valueReplaces() throws {
        let ahead = FixtureClock.now + 2 * FixtureClock.day
        let bench = try TestStore(
            StoreFixture(records: [Self.record(1, "Bench", "celsius", at: 9), Self.record(2, "Desk", at: ahead)]))
        try bench.importing(names: [Self.address: "Lab"], policy: .replace)
        try bench.rebuild(force: true)
        #expect(try names(bench) == [[1, "Lab", "celsius"]])
    }

    @Test("filling one field does not make an older name of the meter the newest")
    func fillingField() throws {
        let ahead = FixtureClock.now + 2 * FixtureClock.day
        let bench = try TestStore(
            StoreFixture(
                records: [
                    Self.record(1, "Bench", at: ahead), Self.record(2, "Desk", at: ahead - FixtureClock.day),
                ]))
        try bench.importing(units: [Self.address: "celsius"])
        try bench.rebuild(force: true)
        #expect(try names(bench) == [[1, "Bench", "celsius"]])
    }

    @Test("a name the kept record has already replaces a newer one beside it")
    func nameKept() throws {
        let bench = try TestStore(
            StoreFixture(records: [Self.record(1, "Lab", "celsius", at: 9), Self.record(2, "Desk", at: 99)]))
        try bench.importing(names: [Self.address: "Lab"], units: [Self.address: "fahrenheit"], policy: .replace)
        #expect(try names(bench)[0] == [1, "Lab", "fahrenheit"])
        #expect(try bench.importing(names: [Self.address: "Lab"], policy: .replace).outcome == .unchanged)
        try bench.rebuild(force: true)
        #expect(try names(bench) == [[1, "Lab", "fahrenheit"]])
    }

    @Test("that name alone is a reason to touch the record")
    func nameAlone() throws {
        let bench = try TestStore(
            StoreFixture(records: [Self.record(1, "Lab", "celsius", at: 9), Self.record(2, "Desk", at: 99)]))
        let report = try bench.importing(names: [Self.address: "Lab"], policy: .replace)
        #expect(report.summary.updated == 1)
        try bench.rebuild(force: true)
        #expect(try names(bench) == [[1, "Lab", "celsius"]])
    }
}
