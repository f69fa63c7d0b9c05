import Answer
import Foundation
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import meterfix

@Suite("a large answer of verify")
struct LargeAnswerTests {
    private static func report(findings: Int) -> VerifyReport {
        let torn = (1...findings).map {
            Finding(
                id: "mac-missing", severity: .error, entity: "DeviceSettings", rows: [Int64($0)],
                message: "no address", cure: .command(StoreCommand("delete --row \($0)", stores: ["s.sqlite"])))
        }
        return VerifyReport(
            storeSummary: StoreSummary(
                store: "s.sqlite", schemaVersion: 2, letterCase: .upper, findings: torn),
            records: findings, groups: 0, wholeRepair: StoreCommand("fix --all", stores: ["s.sqlite"]))
    }

    /// What a pipe gets of a report.
    private static func text(_ report: VerifyReport, showsAll: Bool = false) -> String {
        report.blocks(ShownTimes(now: Timestamp(secondsSince2001: 0), isExact: showsAll)).textInPipe
    }

    /// To compare each cure with all before it would take 20,000,000,000 steps.
    @Test("takes a step for each finding and not for each pair of them", .timeLimit(.minutes(5)))
    func linear() {
        let lines = Self.text(Self.report(findings: 200_000))
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(["200,000", "200000"].map { "s.sqlite: needs a repair: \($0) errors" }.contains(lines.first))
        let commands: [String] = (1...3).map { "  → meterfix delete --dry-run --row \($0) s.sqlite" }
        let shown = lines.prefix { !$0.hasPrefix("what to do") }.dropLast().suffix(4)
        #expect(Array(shown) == commands + ["  → … and 199997 more, see --verbose or --json"])
    }

    @Test("says under --verbose every cure, and else how many more there are")
    func cures() {
        func lines(findings: Int, showsAll: Bool) -> [String] {
            Self.text(Self.report(findings: findings), showsAll: showsAll).split(separator: "\n").map(String.init)
                .filter { $0.hasPrefix("  →") }
        }
        #expect(lines(findings: 3, showsAll: false).count == 3)
        #expect(lines(findings: 5, showsAll: false).last == "  → … and 2 more, see --verbose or --json")
        #expect(
            lines(findings: 5, showsAll: true) == (1...5).map { "  → meterfix delete --dry-run --row \($0) s.sqlite" })
    }

    @Test("names the first rows of a finding, and under --verbose all of them")
    func rows() {
        var report = Self.report(findings: 1)
        report.findings = [
            Finding(
                id: "name-shared", severity: .warning, entity: "DeviceSettings", rows: Array(1...9),
                message: "one name", cure: "rename them")
        ]
        for showsAll in [true, false] {
            let text = Self.text(report, showsAll: showsAll)
            #expect(text.contains("rows 1, 2, 3, 4, 5, 6, 7, 8 and 9  one name") == showsAll)
            #expect(text.contains("rows 1, 2, 3, 4, 5 and 6 …  one name") == !showsAll)
        }
    }
}
