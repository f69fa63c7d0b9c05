import Foundation
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@Suite("vanished meters")
struct MassDeleteTests {
    private static let time = FixtureClock.now - 7_200.5

    private static func deleted(
        _ rows: ClosedRange<Int64>, author: String? = FixtureSave.mirrorImport, _ later: FixtureSave...
    ) -> StoreFixture {
        let deletion = FixtureSave(deleting: Array(rows), at: time).with {
            $0.author = author
            $0.isUploaded = true
        }
        return DeleteStormTests.twelve.saved([deletion] + later)
    }

    /// So many records are made in one transaction, so long after the others were deleted. Seconds.
    private static func made(after delay: Double, count: Int64, named name: String? = nil) -> FixtureSave {
        let records = (30..<30 + count).map {
            FixtureRecord(row: $0, macAddress: "A4:C1:38:0B:7F:\($0)", meterName: name)
        }
        return FixtureSave(making: records, at: time + delay)
    }

    /// As if these rows had never been there.
    private static func without(_ rows: ClosedRange<Int64>) -> String {
        """
        DELETE FROM ZDEVICESETTINGS WHERE Z_PK BETWEEN \(rows.lowerBound) AND \(rows.upperBound);
        DELETE FROM ACHANGE WHERE ZENTITYPK BETWEEN \(rows.lowerBound) AND \(rows.upperBound);
        """
    }

    private static let cases = CheckCase.of([
        "mass-delete": [
            CheckCase("nothing was deleted", DeleteStormTests.twelve, finds: []),
            CheckCase(
                "all, by the import", deleted(1...12), finds: [[]],
                "12 records deleted in one transaction at 2026-11-21T09:59:59.500Z by CloudKit's import; none of that time "
                    + "is left, and the store has no record now → do NOT open the app"),
            CheckCase(
                "all, by a reset", deleted(1...12, author: "NSCloudKitMirroringDelegate.reset"), finds: [[]],
                "a reset of CloudKit's mirror, as after a purge in iCloud"),
            CheckCase("all, by the app", deleted(1...12, author: nil), finds: [[]], "by the app (ro.xdev"),
            CheckCase("all, by meterfix", deleted(1...12, author: "meterfix"), finds: []),
            CheckCase(
                "ten of twelve", deleted(1...10), finds: [[]], "10 records deleted",
                "2 of that time are left, and the store has 2 records now"),
            CheckCase(
                "all, and as many made long after",
                deleted(1...12, made(after: 100_000, count: 12, named: "Workshop")), finds: []),
            CheckCase(
                "all, and as many made by an app that sees its meters",
                deleted(1...12, made(after: 100_000, count: 12)),
                finds: [[]], "the store has 12 records now"),
            CheckCase(
                "all, and one fewer made long after", deleted(1...12, made(after: 100_000, count: 11)), finds: [[]],
                "the store has 11 records now"),
            // As a rebuild of meters with four records each.
            CheckCase("nine of twelve", deleted(1...9), finds: []),
            CheckCase("seven of ten", deleted(1...7, author: nil).damagedFurther(without(11...12)), finds: []),
            CheckCase("eight of ten", deleted(1...8, author: nil).damagedFurther(without(11...12)), finds: [[]]),
            CheckCase("four of five", deleted(1...4, author: nil).damagedFurther(without(6...12)), finds: [[]]),
            CheckCase(
                "nine of eleven", deleted(1...9, author: nil).damagedFurther(without(12...12)), finds: [[]],
                "9 records deleted", "2 of that time are left"),
            CheckCase("one", deleted(1...1, author: nil), finds: []),
            CheckCase(
                "and made again soon, as the deprecated rebuild does",
                deleted(1...12, author: nil, made(after: 300, count: 6)), finds: []),
            CheckCase(
                "and six others made later", deleted(1...12, author: nil, made(after: 700, count: 6)), finds: [[]],
                "none of that time is left, and the store has 6 records now"),
            CheckCase(
                "and as many are there again", deleted(1...12, made(after: 7_000, count: 12, named: "Workshop")),
                finds: []),
        ]
    ])

    @Test("are found where few or none of that time are left:", arguments: cases)
    func found(_ test: CheckCase) throws { try test.run() }

    @Test("are an error where none is left, otherwise a warning")
    func severity() throws {
        func severity(_ rows: ClosedRange<Int64>) throws -> Severity? {
            let store = try TestStore(Self.deleted(rows))
            return try store.found("mass-delete").first?.severity
        }
        #expect(try severity(1...12) == .error)
        #expect(try severity(1...10) == .warning)
    }

    @Test("are not synced away by what compare advises")
    func comparison() throws {
        let (gone, whole) = (try TestStore(Self.deleted(1...12)), try TestStore(DeleteStormTests.twelve))
        for (a, b, lacking) in [(gone, whole, "A"), (whole, gone, "B")] {
            let report = try ComparisonReport.of(a.path, b.path, now: TestStore.now)
            #expect(
                report.steps.first?.text.description.hasPrefix("do NOT open the app on the device that has them")
                    == true)
            #expect(
                report.steps.first?.text.description.contains("\(whole.path) has 12 meters that \(lacking) lacks")
                    == true)
            #expect(!report.steps.contains { $0.text.description.contains("leave the app open") })
            #expect(
                report.steps.contains { $0.text.description.contains("`meterfix import-kv NAMES.json \(gone.path)`") })
        }
        #expect(
            try ComparisonReport.of(gone.path, gone.path, now: TestStore.now).steps.allSatisfy {
                $0.text.description.contains("look for a device")
            })
    }

    @Test("are said before that the newest changes are missing")
    func first() throws {
        let store = try TestStore(Self.deleted(1...12, author: nil))
        try FileManager.default.removeItem(atPath: store.path + "-wal")
        let alerts = try StatusReport.of(store.path, now: TestStore.now).alerts
        #expect(alerts.count == 2 && alerts.vanished.map(StoreAlert.vanished) == Array(alerts.prefix(1)))
        #expect(alerts.missingLog.map(StoreAlert.missingLog) == alerts.last)
    }

    @Test("are said by sync and status too, and nobody is told to let the deletes go")
    func everywhere() throws {
        let store = try TestStore(Self.deleted(1...12, author: nil))
        #expect(try store.sync().findings.contains { $0.id == "mass-delete" })
        #expect(try StatusReport.of(store.path, now: TestStore.now).alerts.vanished.count == 1)
        let findings = try store.found()
        let pending = try #require(findings.first { $0.id == "mirror-pending" })
        #expect(pending.cure.description.hasPrefix("do not open the app"))
    }
}
