import Answer
import JSON
import MeterModel
import MeterRepair
import Testing

@testable import meterfix

@Suite("a large answer of verify")
struct LargeAnswerTests {
    private static func report(findings: Int) -> Report {
        Report(
            command: "verify", store: "s.sqlite", outcome: nil, schemaVersion: 2, letterCase: .upper,
            summary: Summary(records: findings, groups: 0), plan: nil,
            findings: Findings(
                (1...findings).map {
                    Finding(
                        id: "lock-torn", severity: .error, entity: "DeviceSettings", rows: [Int64($0)], mac: nil,
                        message: "the lock has only a part", cure: "meterfix unlock \($0) s.sqlite")
                }))
    }

    /// To compare each cure with all before it would take 20,000,000,000 steps.
    @Test("takes a step for each finding and not for each pair of them", .timeLimit(.minutes(5)))
    func linear() {
        var lines: [String] = []
        let blocks = VerifyText(
            Self.report(findings: 200_000), ShownTimes(now: Timestamp(secondsSince2001: 0), isExact: false),
            showsAll: false
        ).blocks
        Medium.terminal(width: nil, isColored: false).write(blocks) { lines.append(String($0.dropLast())) }
        #expect(lines.first == "s.sqlite: 200,000 errors" || lines.first == "s.sqlite: 200000 errors")
        #expect(
            lines.suffix(3) == [
                "  → meterfix unlock 1 s.sqlite", "  → meterfix unlock 2 s.sqlite", "  → meterfix unlock 3 s.sqlite",
            ])
    }

    @Test("is written as JSON in pieces of 64 KiB at most, and on one line in as many")
    func pieces() {
        let report = Self.report(findings: 5_000)
        for isPretty in [true, false] {
            var sizes: [Int] = []
            report.writeLine(pretty: isPretty) { sizes.append($0.count) }
            #expect(sizes.count > 5)
            #expect(sizes.allSatisfy { $0 <= 1 << 16 })
        }
    }
}
