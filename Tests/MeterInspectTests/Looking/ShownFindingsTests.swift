import CoreDataStore
import GRDB
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import MeterInspect

@Suite("findings that are shown while the store is open")
struct ShownFindingsTests {
    /// Several findings of several checks: each record has one of `lock-expired`, every second address is in lower case,
    /// every third record is an extra copy, names and ids are shared.
    private static let fixture = StoreFixture(
        records: (1...40).map { row in
            let address = "A4:C1:38:0B:7E:" + (row % 3 == 0 ? "\(row + 9)" : "\(row + 10)")
            return FixtureRecord(
                row: Int64(row), macAddress: row % 2 == 0 ? address.lowercased() : address,
                meterName: row % 5 == 0 ? "Lab" : "meter \(row)"
            ).with {
                $0.id = FixtureUUID(UInt64(row % 30)).bytes
                $0.tc66TemperatureUnit = row % 7 == 0 ? "kelvin" : nil
                $0.connectedByDeviceID = "phone"
                $0.connectedByDeviceName = "iPhone \(row)"
                $0.connectedAt = FixtureClock.now - 1_000 - Double(row)
                $0.connectedExpiryAt = FixtureClock.now - 880 - Double(row)
            }
        })

    private static let options = VerifyOptions(now: TestStore.now)

    @Test("are the same however often they are asked for, and the same as those that are made at once")
    func same() throws {
        let store = try TestStore(Self.fixture)
        let made = try Verify.report(store.path, Self.options).findings.all
        #expect(
            Set(made.map(\.id)).isSuperset(of: ["lock-expired", "mac-not-canonical", "duplicate-mac", "id-duplicate"]))
        let (first, again, counts, begins) = try Verify.look(at: store.path, Self.options) {
            report, confirm throws(StoreError) in
            let findings = report.findings
            let all = findings.all
            // Of each check the first ones, in between.
            let begins = findings.checks.allSatisfy { check in
                check.first(2) == Array(all.filter { $0.id == check.id }.prefix(2))
            }
            let again = findings.all
            try confirm()
            return (all, again, findings.checks.map(\.count), begins)
        }
        #expect(first == made && again == made && begins)
        #expect(counts.reduce(0, +) == made.count)
    }

    @Test("are counted where none is made, in a look and in a change")
    func counted() throws {
        let store = try TestStore(Self.fixture)
        var options = Self.options
        options.shownFindings = 0
        let counted = try Verify.report(store.path, options).findings
        let made = try Verify.report(store.path, Self.options).findings
        #expect(counted.all.isEmpty)
        #expect(counted.checks.map(\.id) == made.checks.map(\.id))
        #expect(counted.checks.map(\.count) == made.checks.map(\.count))

        let other = try TestStore(Self.fixture)
        let quiet = try store.rebuild { $0.shownFindings = 0 }.findings
        let loud = try other.rebuild().findings
        #expect(quiet.all.isEmpty && loud.all.count == loud.count)
        #expect(quiet.checks.map(\.count) == loud.checks.map(\.count))
    }

    private struct Failure: Error {}

    @Test("end with the first error, which is told when all is shown")
    func failing() throws {
        let reading = FindingReader()
        try reading.check()
        #expect(reading.read { true })
        #expect(!reading.read { throw Failure() })
        var isReadAgain = false
        #expect(
            !reading.read {
                isReadAgain = true
                return true
            })
        #expect(!isReadAgain)
        #expect(throws: Failure.self) { try reading.check() }
        #expect(throws: Failure.self) { try reading.made(.none, first: 1) }
    }

    private static func rename(_ path: String) throws {
        let app = try DatabaseQueue(path: path)
        try app.writeWithoutTransaction { try $0.execute(sql: "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Lab'") }
        try app.close()
    }

    @Test(
        "are not confirmed if another process has written meanwhile",
        arguments: [StoreOptions.JournalMode.wal, .delete])
    func changedMeanwhile(mode: StoreOptions.JournalMode) throws {
        let store = try TestStore(Self.fixture.with { $0.journalMode = mode })
        var answers = 0
        let error = #expect(throws: StoreError.self) {
            try Verify.look(at: store.path, Self.options) { report, confirm throws(StoreError) in
                answers += 1
                do { try Self.rename(store.path) } catch { throw StoreError(error, at: store.path) }
                _ = report.findings.all
                try confirm()
            }
        }
        #expect(error?.kind == .inUse)
        // What is shown cannot be taken back, so it is shown once.
        #expect(answers == 1)
    }

    @Test("of a private copy stay what they are, whatever another process writes")
    func copied() throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = .rowsInLogOnly })
        let made = try Verify.report(store.path, Self.options).findings.all
        let shown = try Verify.look(at: store.path, Self.options) { report, confirm throws(StoreError) in
            do { try Self.rename(store.path) } catch { throw StoreError(error, at: store.path) }
            let all = report.findings.all
            try confirm()
            return all
        }
        #expect(shown == made)
    }
}
