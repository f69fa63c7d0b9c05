import CoreDataStore
import MeterModel
import MeterTestSupport
import Testing

@Suite("a rebuild that reads a part of a large store on another thread")
struct ParallelReadingTests {
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
            // Each half has something to say besides.
            if [3, 1_499].contains(row) { $0 = $0.locked(by: .anasPhone, at: FixtureClock.now - 60) }
        }
    }

    private static func hexadecimal(_ number: Int) -> String {
        Hexadecimal.text(of: [UInt8(number & 0xFF)]).uppercased()
    }

    /// A log or a rollback journal leaves no moment in which the main file is all there is: there it reads in turn.
    @Test("does what one does that reads in turn")
    func same() throws {
        let fixture = StoreFixture(records: Self.records)
        let parallel = try TestStore(fixture)
        #expect(try FileBytes.read(parallel.path).count > 1 << 20)
        let report = try parallel.rebuild()
        #expect(report.plan.isEmpty == false)
        let note = try #require(report.plan.notes.first)
        #expect(note.contains("in use now: A4:C1:38:00:00:02 ") && note.contains("A4:C1:38:00:00:E6 "), "\(note)")
        #expect(report.findings.contains { $0.id == "unit-unknown" })
        for other in [
            fixture.with { $0.logPlacement = .rowsInLogOnly }, fixture.with { $0.journalMode = .delete },
        ] {
            let store = try TestStore(other)
            let inTurn = try store.rebuild()
            #expect(inTurn.plan == report.plan)
            #expect(inTurn.findings.map(\.id) == report.findings.map(\.id))
            #expect(inTurn.findings.map(\.rows) == report.findings.map(\.rows))
            #expect(try store.text() == parallel.text())
        }
    }
}
