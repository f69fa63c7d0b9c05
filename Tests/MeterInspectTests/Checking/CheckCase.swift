import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

/// A store just inside or just outside what a check complains of.
struct CheckCase: CustomTestStringConvertible, Sendable {
    let check: String
    let testDescription: String
    let fixture: StoreFixture
    /// The rows of each of the check's findings, in their order; empty for none.
    let rows: [[Int64]]
    /// What the findings say: parts of their messages and cures. One that begins with `!` must not be there.
    let words: [String]

    init(
        _ check: String, _ description: String, _ fixture: StoreFixture, finds rows: [[Int64]], _ words: String...
    ) {
        self.init(check, description, fixture, finds: rows, words: words)
    }

    init(
        _ check: String, _ description: String, _ fixture: StoreFixture, finds rows: [[Int64]], words: [String]
    ) {
        self.check = check
        testDescription = "\(check): \(description)"
        self.fixture = fixture
        self.rows = rows
        self.words = words
    }

    /// The healthy record, row 5, with a change. `finds` says whether there is a finding about it.
    static func record(
        _ check: String, _ description: String, lockEncoding: USBMeterModel.LockEncoding = .flat, finds: Bool,
        _ words: String..., change: (inout FixtureRecord) -> Void
    ) -> CheckCase {
        let fixture = StoreFixture(records: [Meters.healthy.with(change)]).with { $0.lockEncoding = lockEncoding }
        return CheckCase(check, description, fixture, finds: finds ? [[5]] : [], words: words)
    }

    func run(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let store = try TestStore(fixture)
        let findings = try Verify.report(store.path, VerifyOptions(now: TestStore.now)).findings.all
            .filter { $0.id == check }
        #expect(findings.map(\.rows) == rows, sourceLocation: sourceLocation)
        let said = findings.map { "\($0.message) → \($0.cure)" }.joined(separator: "\n")
        for word in words {
            let isUnwanted = word.hasPrefix("!")
            #expect(said.contains(isUnwanted ? String(word.dropFirst()) : word) != isUnwanted, "\(word) in: \(said)")
        }
    }
}
