import Answer
import Foundation
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import meterfix

@Suite("what a report knows of a store as it was, from its backups")
struct EarlierStateTests {
    private static let now = Timestamp(secondsSince2001: FixtureClock.now)

    private static func repaired() throws -> ScratchFolder {
        let folder = try ScratchFolder(sample: "duplicates")
        _ = try folder.meterfix("rebuild", "-q", "duplicates.sqlite", "--now", FixtureClock.nowText)
        return folder
    }

    private static func page(of folder: ScratchFolder) throws -> ReportText {
        let report = try TicketReport.of(folder.path + "/duplicates.sqlite", TicketReport.Request(now: now))
        return ReportText(report, ShownTimes(now: now, isExact: false), now: now, backupWords: [])
    }

    private static func headings(_ page: ReportText) -> [String] { page.repair.map(\.heading.text) }

    @Test("has the meters and the findings from before the last repairs, and what was merged")
    func before() throws {
        let page = try Self.page(of: Self.repaired())
        let earlier = try #require(page.report.earlier)
        #expect(
            earlier.meters.count { $0.address != nil } == 7 && earlier.meters.reduce(0) { $0 + $1.rows.count } == 20)
        #expect(earlier.findings.contains { $0.check.id == "duplicate-mac" })
        #expect(page.report.repairs.count == 1)
        #expect(Self.headings(page) == ["Before and after", "What was merged"])
        let ended = page.report.checks.filter { $0.findings == 0 }.map(\.check.id)
        #expect(Set(ended).isSuperset(of: ["duplicate-mac", "mac-not-canonical", "rebuild-marker-lies"]))
    }

    @Test("has the meters that are gone, and offers no repair of a store without them")
    func gone() throws {
        let folder = try Self.repaired()
        try folder.execute("DELETE FROM ZDEVICESETTINGS", in: "duplicates.sqlite")
        let page = try Self.page(of: folder)
        #expect(page.report.earlier?.meters.isEmpty == false)
        #expect(Self.headings(page) == ["What was in it"])
    }

    @Test("is a page without it where the backup cannot be read, or there is none")
    func unreadable() throws {
        let folder = try Self.repaired()
        let backups = folder.path + "/duplicates.sqlite.meterfix"
        let entry = try #require(FileManager.default.contentsOfDirectory(atPath: backups).first)
        try FileBytes.write(Array("no database".utf8), to: "\(backups)/\(entry)/duplicates.sqlite")
        let damaged = try Self.page(of: folder)
        #expect(damaged.report.earlier == nil && damaged.report.repairs.isEmpty)
        #expect(!Self.headings(damaged).contains("Before and after"))
        try FileManager.default.removeItem(atPath: backups)
        let alone = try Self.page(of: folder)
        #expect(alone.report.earlier == nil && alone.report.repairs.isEmpty)
    }
}
