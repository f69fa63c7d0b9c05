import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

/// A store just inside or just outside what a check complains of.
struct CheckCase: CustomTestStringConvertible, Sendable {
    private(set) var check = ""
    private let description: String
    let fixture: StoreFixture
    /// The rows of each of the check's findings, in their order; empty for none.
    let rows: [[Int64]]
    /// What the findings say: parts of their messages and cures. One that begins with `!` must not be there.
    let words: [String]

    var testDescription: String { "\(check): \(description)" }

    /// Cases by the check that they are about.
    static func of(_ cases: KeyValuePairs<String, [CheckCase]>) -> [CheckCase] {
        cases.flatMap { check, cases in
            cases.map { testCase in
                var testCase = testCase
                testCase.check = check
                return testCase
            }
        }
    }

    init(_ description: String, _ fixture: StoreFixture, finds rows: [[Int64]], _ words: String...) {
        self.init(description, fixture, finds: rows, words: words)
    }

    init(_ description: String, _ fixture: StoreFixture, finds rows: [[Int64]], words: [String]) {
        self.description = description
        self.fixture = fixture
        self.rows = rows
        self.words = words
    }

    /// The healthy record, row 5, with a change that the check complains of.
    static func wrong(
        _ description: String, in lockEncoding: USBMeterModel.LockEncoding = .flat, _ words: String...,
        change: (inout FixtureRecord) -> Void
    ) -> CheckCase { record(description, in: lockEncoding, finds: true, words, change) }

    /// One that it does not complain of.
    static func fine(
        _ description: String, in lockEncoding: USBMeterModel.LockEncoding = .flat,
        change: (inout FixtureRecord) -> Void = { _ in }
    ) -> CheckCase { record(description, in: lockEncoding, finds: false, [], change) }

    static func record(
        _ description: String, in lockEncoding: USBMeterModel.LockEncoding = .flat, finds: Bool, _ words: [String] = [],
        _ change: (inout FixtureRecord) -> Void
    ) -> CheckCase {
        let fixture = StoreFixture(records: [Meters.healthy.with(change)]).with { $0.lockEncoding = lockEncoding }
        return CheckCase(description, fixture, finds: finds ? [[5]] : [], words: words)
    }

    func run(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let store = try TestStore(fixture)
        let findings = try store.found(check)
        #expect(findings.map(\.rows) == rows, sourceLocation: sourceLocation)
        let said = findings.map { "\($0.message) → \($0.cure)" }.joined(separator: "\n")
        for word in words {
            let isUnwanted = word.hasPrefix("!")
            #expect(said.contains(isUnwanted ? String(word.dropFirst()) : word) != isUnwanted, "\(word) in: \(said)")
        }
    }
}

extension StoreFixture {
    /// A store with a record and without a column.
    static func without(_ column: String, _ record: FixtureRecord = Meters.healthy) -> StoreFixture {
        StoreFixture(records: [record]).damaged("ALTER TABLE ZDEVICESETTINGS DROP COLUMN \(column)")
    }

    /// A last event that failed just now.
    func failing(_ kind: MirrorEvent.Kind, _ domain: String, _ code: Int64) -> StoreFixture {
        with {
            $0.mirrorEvents.append(
                MirrorEvent(kind, at: FixtureClock.now, succeeded: false, errorDomain: domain, errorCode: code))
        }
    }
}

extension Meters {
    /// A record as the healthy one, of another meter.
    static func other(
        _ row: Int64, _ address: String, _ name: String? = healthy.meterName, inCloudAs cloudRecord: String? = nil
    ) -> FixtureRecord {
        healthy.with {
            ($0.row, $0.id, $0.macAddress) = (row, FixtureUUID(UInt64(row)).bytes, address)
            ($0.meterName, $0.cloudRecordName) = (name, cloudRecord)
        }
    }
}

extension FixtureRecord {
    mutating func lock(at time: Double, for seconds: Double = 120) {
        self = locked(by: .anasPhone, at: time, for: seconds)
    }

    mutating func see(at time: Double) { self = seen(by: .anasPhone, at: time) }
}
