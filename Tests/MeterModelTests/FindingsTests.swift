import MeterModel
import Testing

@Suite("the findings of a store")
struct FindingsTests {
    private static func finding(_ id: String, _ severity: Severity, row: Int64) -> Finding {
        Finding(id: id, severity: severity, rows: [row], message: "row \(row)", cure: "look")
    }

    private static let some = Findings(
        (1...3).map { finding("mac-invalid", .error, row: $0) } + [finding("lock-expired", .note, row: 2)])

    /// Counts what is made of it.
    private final class Endless: @unchecked Sendable {
        private(set) var made = 0

        @Sendable func forEach(while body: (Finding) -> Bool) {
            repeat { made += 1 } while body(FindingsTests.finding("lock-expired", .note, row: Int64(made)))
        }
    }

    @Test("are counted by check and by severity, and come in order")
    func counts() {
        #expect(Self.some.count == 4)
        #expect(Self.some.count(of: .error) == 3 && Self.some.count(of: .warning) == 0)
        #expect(Self.some.worst == .error && Self.some.ids == ["mac-invalid", "lock-expired"])
        #expect(Self.some.all.map(\.rows) == [[1], [2], [3], [2]])
        #expect(Findings.none.isEmpty && Findings.none.worst == nil && Findings.none.count == 0)
    }

    @Test("of checks that are left out are not there")
    func without() {
        #expect(Self.some.without(["mac-invalid"]).all == [Self.finding("lock-expired", .note, row: 2)])
        #expect(Self.some.without(["mac-invalid", "lock-expired"]).isEmpty)
    }

    @Test("of which only the first are made keep their number")
    func made() {
        let two = Self.some.made(first: 2)
        #expect(two.count == 4 && two.all.map(\.rows) == [[1], [2], [2]])
        let none = Self.some.made(first: 0)
        #expect(none.count == 4 && none.all.isEmpty && none.worst == .error)
    }

    @Test("are made only when they are asked for, and no more than that")
    func onDemand() throws {
        let source = Endless()
        let check = try #require(Findings.CheckFindings("lock-expired", .note, count: .max, source.forEach))
        let findings = Findings([check])
        #expect(findings.worst == .note && source.made == 0)
        #expect(check.first(0).isEmpty && source.made == 0)
        #expect(check.first(3).map(\.rows) == [[1], [2], [3]])
        #expect(source.made == 3)
    }

    @Test("of a check that found nothing are not there")
    func empty() {
        #expect(Findings.CheckFindings("lock-expired", .note, count: 0) { _ in } == nil)
        #expect(Findings([Finding]()).isEmpty)
    }
}
