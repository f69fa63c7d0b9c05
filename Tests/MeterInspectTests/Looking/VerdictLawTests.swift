import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import CoreDataStore

/// What one answer knows, no other one denies: whatever the mirror's events, flags and tokens say, in a store in which
/// nothing else is wrong.
@Suite("the verdict about a mirrored store")
struct VerdictLawTests {
    private static let tidy = StoreFixture(
        records: (1...3).map { (row: Int64) in
            Meters.other(row, "A4:C1:38:0B:7E:6\(row)", "Meter \(row)", inCloudAs: "NAME-\(row)")
        }
    ).with { $0.mirror = .current }

    private static let damages =
        [
            "SELECT 1", "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE ZENTITYPK = 1",
            "UPDATE ANSCKRECORDMETADATA SET ZNEEDSCLOUDDELETE = 1 WHERE ZENTITYPK = 2",
            "DELETE FROM ATRANSACTION WHERE Z_PK = 3", "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 1",
            "DELETE FROM ANSCKRECORDMETADATA",
        ]
        + ["USERPURGE", "ZONEDELETE", "IDENTITYLOSS"].map {
            "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROM\($0) = 1"
        }

    private static let tokens: [StoreFixture.HistoryToken] = [.lastExported, .none, .transaction(1), .otherStore(2)]

    private static let errors: [MirrorError] = {
        let described = MirrorFault.all.flatMap { fault in
            fault.codes.map { MirrorError(domain: fault.domain ?? "", code: Int64($0)) }
        }
        return Dictionary(grouping: described, by: \.reaction).values.map { $0[0] }
            .sorted { ($0.domain, $0.code) < ($1.domain, $1.code) }
    }()

    @Test(
        "is the same in every answer, for each sign of the mirror, and clean only where nothing is lost or left behind")
    func law() throws {
        var seen: Set<Verdict> = []
        for (number, damage) in Self.damages.enumerated() {
            for (place, error) in ([nil] + Self.errors.map(Optional.some)).enumerated() {
                for (turn, token) in Self.tokens.enumerated()
                where LawSeeds.isThorough || (number + place) % Self.tokens.count == turn {
                    let fixture = Self.tidy.damaged(damage).with { $0.historyToken = token }
                    let failing = error.map { fixture.failing(.outgoing, $0.domain, $0.code) } ?? fixture
                    let what = "\(damage), \(error.map { "\($0.domain) \($0.code)" } ?? "no error"), \(token)"
                    seen.insert(try check(TestStore(failing), Comment(rawValue: what)))
                }
            }
        }
        #expect(seen == [.clean, .repair, .stop])
    }

    @Test("is the same in every answer for random records too", arguments: LawSeeds.first(24))
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let damage = Self.damages[Int.random(in: Self.damages.indices, using: &generator)]
        let error = Self.errors[Int.random(in: Self.errors.indices, using: &generator)]
        let records = RandomStores.records(seed: seed)
        var fixture = StoreFixture(records: records).with {
            $0.mirror = .current
            $0.historyToken = RandomStores.historyToken(seed: seed, transactions: records.count)
        }
        if Bool.random(using: &generator) { fixture = fixture.failing(.outgoing, error.domain, error.code) }
        let what = "seed \(seed): \(damage), \(error.domain) \(error.code)"
        _ = try check(TestStore(fixture.damaged(damage)), Comment(rawValue: what))
    }

    private func check(_ store: TestStore, _ comment: Comment) throws -> Verdict {
        let verified = try Verify.report(store.path, VerifyOptions(now: TestStore.now))
        let verdict = verified.verdict
        let (sync, status) = (try store.sync(), try StatusReport.of(store.path, now: TestStore.now))
        let forecast = try #require(sync.mirror?.forecast)
        let ticket = try TicketReport.of(store.path, TicketReport.Request(now: TestStore.now))
        #expect(ticket.customer.verdict == verdict && ticket.verification.verdict == verdict, comment)
        for said in [sync.verdict, status.verdict] {
            #expect(said != .clean && (said != .stop || verdict == .stop), comment)
            #expect(said != .repair || verdict != .clean, comment)
        }
        if !forecast.deletions.isEmpty {
            #expect(verdict == .stop && sync.verdict == .stop && status.verdict == .stop, comment)
            #expect(verified.findings.worst == .error, comment)
        }
        switch forecast.outcome {
        case .nothingWaits, .sent: break
        case .everythingSent, .stopped, .rowsDeleted, .unknown: #expect(verdict != .clean, comment)
        }
        if forecast.leftBehind > 0 { #expect(verdict != .clean, comment) }
        for steps in [StepPlan(verified).steps, sync.steps, status.steps] {
            #expect((verdict == .stop) == (steps.first?.kind == .stop), comment)
            #expect(steps.count <= 8, comment)
        }
        return verdict
    }
}
