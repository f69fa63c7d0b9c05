import CoreDataStore
import MeterModel
import MeterTestSupport
import Testing

@Suite("a rebuild of a large store")
struct LargeStoreTests {
    /// Enough for a file of more than a mebibyte, a third of them extra copies, with something for the checks to find.
    static let records: [FixtureRecord] = (1...1_500).map { (row: Int) -> FixtureRecord in
        FixtureRecord(
            row: Int64(row), macAddress: "A4:C1:38:00:\(hexadecimal(row / 3 * 2 >> 8)):\(hexadecimal(row / 3 * 2))",
            meterName: row % 7 == 0 ? nil : "meter \(row % 500)"
        ).with {
            $0.id = FixtureUUID(UInt64(row)).bytes
            $0.tc66TemperatureUnit = row % 300 == 0 ? "kelvin" : nil
            $0.cloudKitRecordID = String(repeating: "record \(row) ", count: 80)
            $0.updatedAt = FixtureClock.now - Double(row)
            if [3, 1_499].contains(row) { $0 = $0.locked(by: .anasPhone, at: FixtureClock.now - 60) }
        }
    }

    private static func hexadecimal(_ number: Int) -> String {
        Hexadecimal.text(of: [UInt8(number & 0xFF)]).uppercased()
    }

    @Test("comes to the same with a log and with a rollback journal")
    func same() throws {
        let fixture = StoreFixture(records: Self.records)
        let store = try TestStore(fixture)
        #expect(try FileBytes.read(store.path).count > 1 << 20)
        let report = try store.rebuild()
        #expect(report.plan.isEmpty == false)
        let note = try #require(report.plan.notes.first)
        #expect(note.contains("in use now: A4:C1:38:00:00:02 ") && note.contains("A4:C1:38:00:00:E6 "), "\(note)")
        #expect(report.findings.contains { $0.id == "unit-unknown" })
        for other in [
            fixture.with { $0.logPlacement = .rowsInLogOnly }, fixture.with { $0.journalMode = .delete },
        ] {
            let another = try TestStore(other)
            let its = try another.rebuild()
            #expect(its.plan == report.plan)
            #expect(its.findings.map(\.id) == report.findings.map(\.id))
            #expect(its.findings.map(\.rows) == report.findings.map(\.rows))
            #expect(try another.text() == store.text())
        }
    }
}
