import MeterModel
import Testing

@Suite("the findings of a store")
struct FindingsTests {
    private static func finding(_ id: String, _ severity: Severity, row: Int64) -> Finding {
        Finding(id: id, severity: severity, rows: [row], message: "row \(row)", cure: "look")
    }

    private static let some =
        (1...3).map { finding("mac-invalid", .error, row: $0) } + [finding("lock-expired", .note, row: 2)]

    @Test("are counted by severity, and come by check in order")
    func counts() {
        #expect(Self.some.count(of: .error) == 3 && Self.some.count(of: .warning) == 0)
        #expect(Self.some.worst == .error && Self.some.ids == ["mac-invalid", "lock-expired"])
        #expect(Self.some.byCheck.map { $0.map(\.rows) } == [[[1], [2], [3]], [[2]]])
        #expect([Finding]().worst == nil && [Finding]().byCheck.isEmpty)
    }

    @Test("of one check that are worse than the others are apart")
    func severities() {
        let findings = [
            Self.finding("delete-storm", .warning, row: 1), Self.finding("delete-storm", .note, row: 2),
            Self.finding("delete-storm", .note, row: 3),
        ]
        #expect(findings.byCheck.map(\.count) == [1, 2])
    }

    @Test("of checks that are left out are not there")
    func without() {
        #expect(Self.some.without(["mac-invalid"]) == [Self.finding("lock-expired", .note, row: 2)])
        #expect(Self.some.without(["mac-invalid", "lock-expired"]).isEmpty)
    }
}
