import Answer
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import meterfix

@Suite("how it came to this, on a report")
struct HistoryLanesTests {
    private static let now = Timestamp(secondsSince2001: FixtureClock.now)

    private static func text(of sample: String, after commands: [[String]] = []) throws -> String {
        let folder = try ScratchFolder(sample: sample)
        for command in commands {
            _ = try folder.meterfix(arguments: command + ["\(sample).sqlite", "--now", FixtureClock.nowText])
        }
        return try text(at: folder.path + "/\(sample).sqlite")
    }

    private static func text(at path: String) throws -> String {
        let report = try TicketReport.of(path, TicketReport.Request(now: now))
        return ReportText(report, ShownTimes(now: now, isExact: false), now: now, backupWords: [])
            .history.blocks.textInPipe
    }

    @Test("has a lane for each author and device, and says when a second record of a meter was made")
    func duplicates() throws {
        let text = try Self.text(of: "duplicates")
        #expect(text.contains(/ro\.xdev\.USB-Meter +20 changes +2 Oct 2026 \(20\)/), "\(text)")
        #expect(text.contains(/Ana's iPhone +last seen 21 Nov 2026 +21 Nov 2026/))
        #expect(text.contains("- 24 Jun 2026: A second entry for “Lab TC66” was made"))
        #expect(text.contains("The history begins on 2 Oct 2026."))
    }

    @Test("names what meterfix did, a reservation that is too long, a deletion of all meters, and a failing exchange")
    func events() throws {
        let repaired = try Self.text(of: "duplicates", after: [["rebuild", "-q"]])
        #expect(repaired.contains("meterfix changes the file: rebuild") && !repaired.contains("A second entry"))
        #expect(try Self.text(of: "check-lock-ttl").contains("is reserved until"))
        #expect(try Self.text(of: "check-mass-delete").contains("entries are deleted at once"))
        #expect(try Self.text(of: "check-mirror-failing").contains("The export fails for the first time"))
    }

    @Test("has five authors at most, those with most changes first, and counts the others together")
    func others() throws {
        let folder = try ScratchFolder(sample: "healthy")
        for author in 1...9 {
            try folder.execute(
                """
                INSERT INTO ATRANSACTIONSTRING (Z_PK, ZNAME) VALUES (\(900 + author), 'app \(author)');
                INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZTIMESTAMP)
                VALUES (\(900 + author), 16002, \(900 + author), \(FixtureClock.now - 60));
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(90 + author))
                INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
                SELECT 16001, 1, (SELECT MIN(ZENTITY) FROM ACHANGE), 1, \(900 + author) FROM n
                """, in: "healthy.sqlite")
        }
        let text = try Self.text(at: folder.path + "/healthy.sqlite")
        #expect(text.contains("app 9") && text.contains("app 5") && !text.contains("app 4"), "\(text)")
        #expect(text.contains("5 others"))
    }

    @Test("says it where there is no history")
    func none() throws { #expect(try Self.text(of: "no-history").contains("The file keeps no history.")) }
}
