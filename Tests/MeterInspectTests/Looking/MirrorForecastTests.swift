import GRDB
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import CoreDataStore
@testable import MeterInspect

/// What a sentence says of what is sent.
private enum Claim: Hashable {
    case sends, sendsNothing, notKnown, deletesRows

    /// What sentences claim together. Few texts are said many thousand times.
    final class Reader {
        private var known: [String: Set<Claim>] = [:]

        func claims(of sentences: [MirrorForecast.Statement]) -> Set<Claim> {
            sentences.reduce(into: []) { claims, sentence in
                let text = sentence.text.description
                let found = known[text] ?? Claim.all(in: text)
                known[text] = found
                claims.formUnion(found)
            }
        }
    }

    private static func all(in text: String) -> Set<Claim> {
        var claims: Set<Claim> = []
        if ["the mirror sends", "uploads every record", "uploaded again", "uploads everything"].contains(
            where: text.contains)
        {
            claims.insert(.sends)
        }
        if ["nothing is sent", "nothing is uploaded", "uploads nothing", "the mirror stops"].contains(
            where: text.contains)
        {
            claims.insert(.sendsNothing)
        }
        if text.contains("it is not known whether") { claims.insert(.notKnown) }
        if text.contains("ROWS ARE DELETED HERE") { claims.insert(.deletesRows) }
        return claims
    }
}

@Suite("the forecast")
struct MirrorForecastTests {
    private let reader = Claim.Reader()
    /// Every error that the table has a code for.
    private static let described: [MirrorError] = MirrorFault.all.flatMap { fault in
        fault.codes.map { MirrorError(domain: fault.domain ?? "", code: Int64($0)) }
    }
    private static let oneForEachReaction = Dictionary(grouping: described, by: \.reaction).values.map { $0[0] }
    private static let errors: [MirrorError?] =
        [nil, MirrorError(domain: "", code: 0), MirrorError(domain: "CKErrorDomain", code: 999)]
        + oneForEachReaction
    private static let tokens: [HistoryToken] = [
        .none, .transaction(7, exists: true), .transaction(7, exists: false), .otherStore, .unreadable,
    ]
    private static let amounts: [CloudKitMirror.WaitingCount] = [
        .init(), .init(uploads: 3, knownUploads: 2), .init(deletes: 2, knownDeletes: 1),
        .init(uploads: 3, deletes: 2, knownUploads: 3, knownDeletes: 2), .init(uploads: 1, unknownEntity: 7),
    ]

    private static func subsets<Element>(_ all: [Element]) -> [[Element]] {
        all.reduce([[]]) { sets, element in sets + sets.map { $0 + [element] } }
    }

    private static func event(_ kind: CloudKitMirror.Event.Kind, _ error: MirrorError?) -> CloudKitMirror.Event {
        CloudKitMirror.Event(
            kind: kind.rawValue, succeeded: error == nil, startedAt: 1, endedAt: 2, errorCode: error?.code,
            errorDomain: error?.domain)
    }

    /// Of a mirror that is where it stopped, unless said otherwise.
    private static func signs(
        _ token: HistoryToken = .transaction(7, exists: true), recoveries: [CloudKitMirror.Recovery] = [],
        events: [CloudKitMirror.Event] = [], waiting: CloudKitMirror.WaitingCount
    ) -> MirrorIndicators {
        MirrorIndicators(
            token: token, flags: [], zones: .init(recoveries: recoveries), events: events, modelRefusal: nil,
            waiting: waiting)
    }

    private static func report(_ signs: MirrorIndicators) -> SyncReport {
        SyncReport(
            path: "store",
            mirror: SyncReport.Mirror(
                signs: signs, account: nil, lastTransaction: 9, hasHistory: true, objects: [], known: 5,
                lastEvents: signs.events.map {
                    LastMirrorEvent(event: $0, cure: $0.error.map { .advice(Sentence($0.whatToDo)) })
                },
                series: [], fetchesAllZones: false), alerts: [], findings: [])
    }

    /// Every error, in each kind of event and beside a failed export, with every state of the token, the flags and the
    /// zones, and everything that can wait.
    @Test("never says both that something is sent and that nothing is, and counts each object once")
    func consistent() {
        var seen: Set<String> = []
        var count = 0
        for error in Self.errors {
            for kind in CloudKitMirror.Event.Kind.allCases {
                for token in Self.tokens {
                    for flags in Self.subsets(CloudKitMirror.Flag.allCases) {
                        for recoveries in Self.subsets(CloudKitMirror.Recovery.allCases) {
                            for waiting in Self.amounts {
                                for refusal in [nil, .constraint, .model("x")] as [MirrorForecast.Stop?] {
                                    let signs = MirrorIndicators(
                                        token: token, flags: flags, zones: .init(recoveries: recoveries),
                                        events: [Self.event(kind, error)], modelRefusal: refusal,
                                        waiting: waiting)
                                    // Seven has nothing in common with how many there are of each: in the end each
                                    // meets each.
                                    seen.insert(check(signs, withNext: count.isMultiple(of: 7)))
                                    count += 1
                                }
                            }
                        }
                    }
                }
            }
        }
        #expect(seen == ["nothing-waits", "sent", "everything-sent", "stopped", "unknown", "rows-deleted"])
    }

    @Test("decides between two events that failed by what is worse")
    func twoEvents() {
        for first in Self.errors {
            for second in Self.errors {
                for waiting in Self.amounts {
                    let events = [Self.event(.import, first), Self.event(.export, second)]
                    _ = check(Self.signs(events: events, waiting: waiting))
                }
            }
        }
    }

    /// - Returns: the outcome.
    private func check(_ signs: MirrorIndicators, withNext: Bool = true) -> String {
        let forecast = signs.forecast
        guard forecast.uploads == signs.waiting.uploads, forecast.deletes == signs.waiting.deletes else {
            Issue.record("\(forecast) of \(signs)")
            return forecast.word
        }
        let own = reader.claims(of: forecast.statements)
        let all = withNext ? reader.claims(of: Self.report(signs).next) : own
        let right: Claim
        switch forecast.outcome {
        case .nothingWaits, .stopped: right = .sendsNothing
        case .sent, .everythingSent: right = .sends
        case .unknown: right = .notKnown
        case .rowsDeleted(_, let lost, let kept):
            right = .deletesRows
            if lost + kept > signs.waiting.total || lost < 0 || kept < 0 { Issue.record("\(forecast) of \(signs)") }
        }
        if own != [right] || all != [right] { Issue.record("\(own), \(all) of \(forecast), \(signs)") }
        return forecast.word
    }

    @Test("is what each error makes of it, where something waits", arguments: described)
    func outcome(_ error: MirrorError) {
        let waiting = CloudKitMirror.WaitingCount(uploads: 1, deletes: 1, knownUploads: 1, knownDeletes: 1)
        let word = Self.signs(events: [Self.event(.export, error)], waiting: waiting).forecast.word
        switch error.reaction {
        case .triesAgain: #expect(word == "sent")
        case .stops: #expect(word == (error == .unmirrorableModel ? "unknown" : "stopped"))
        case .uploadsEverything: #expect(word == "everything-sent")
        case .deletesRows: #expect(word == "rows-deleted")
        case .unknown: #expect(word == "unknown")
        }
    }

    @Test("says what is lost with the rows that are deleted, and nothing else")
    func losses() {
        func outcome(
            _ error: MirrorError?, _ token: HistoryToken, _ recoveries: [CloudKitMirror.Recovery] = []
        ) -> MirrorForecast.Outcome {
            Self.signs(
                token, recoveries: recoveries, events: [Self.event(.export, error)],
                waiting: .init(uploads: 5, deletes: 3, knownUploads: 4, knownDeletes: 2)
            ).forecast.outcome
        }
        let (present, gone) = (HistoryToken.transaction(7, exists: true), HistoryToken.transaction(7, exists: false))
        let lost = MirrorError(domain: "NSCocoaErrorDomain", code: 134_301)
        let purged = MirrorError(domain: "CKErrorDomain", code: 28)
        #expect(outcome(nil, gone) == .rowsDeleted([.lostPlace(transaction: 7)], lost: 6, kept: 1))
        #expect(outcome(lost, gone) == .rowsDeleted([.lostPlace(transaction: 7)], lost: 6, kept: 1))
        #expect(outcome(lost, present) == .rowsDeleted([.lostPlace(transaction: nil)], lost: 6, kept: 1))
        #expect(outcome(purged, present) == .rowsDeleted([.userPurge], lost: 4, kept: 1))
        // What two signs say is one reason.
        #expect(outcome(purged, present, [.userPurge]) == .rowsDeleted([.userPurge], lost: 4, kept: 1))
        // Beside another reason, a delete that waits is lost.
        #expect(
            outcome(nil, gone, [.userPurge])
                == .rowsDeleted([.lostPlace(transaction: 7), .userPurge], lost: 6, kept: 1))
        #expect(
            outcome(MirrorError(domain: "NSCocoaErrorDomain", code: 134_405), present)
                == .rowsDeleted([.otherAccount], lost: 8, kept: 0))
    }

    @Test("tells apart what keeps an export from its work: nothing that only an import met")
    func failedImport() {
        let unknown = MirrorError(domain: "CKErrorDomain", code: 999)
        for kind in CloudKitMirror.Event.Kind.allCases {
            let signs = Self.signs(events: [Self.event(kind, unknown)], waiting: .init(uploads: 1))
            #expect(signs.forecast.word == (kind == .import ? "sent" : "unknown"))
        }
    }

    @Test("says that every record is uploaded again, also where nothing waits")
    func everythingAgain() {
        for waiting in [CloudKitMirror.WaitingCount(), .init(uploads: 3)] {
            for recovery in CloudKitMirror.Recovery.allCases where recovery != .userPurge {
                let signs = Self.signs(recoveries: [recovery], waiting: waiting)
                #expect(signs.forecast.outcome == .everythingSent)
            }
        }
    }

    // MARK: - In stores

    /// Two meters, three records; rows 1 and 2 are of one meter. All are in CloudKit.
    private static let mirrored = StoreFixture(
        records: [(1, "7E:66"), (2, "7E:66"), (3, "7E:67")].map { (row: Int64, end: String) in
            Meters.other(row, "A4:C1:38:0B:" + end, "Meter \(row)", inCloudAs: "NAME-\(row)")
        }
    ).with { $0.mirror = .current }

    @Test("is the same for all that say what waits, in stores of every kind")
    func oneForAll() throws {
        let lost = "DELETE FROM ATRANSACTION WHERE Z_PK = 3; "
        let damages = [
            "SELECT 1", "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE ZENTITYPK = 1",
            "UPDATE ANSCKRECORDMETADATA SET ZNEEDSCLOUDDELETE = 1 WHERE ZENTITYPK = 2",
            "UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 77, ZNEEDSUPLOAD = 1 WHERE ZENTITYPK = 3", lost,
            "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 1",
            "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMUSERPURGE = 1",
            lost + "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMZONEDELETE = 1",
        ]
        let errors = [nil] + [25, 28, 26, 2, 3].map { MirrorError(domain: "CKErrorDomain", code: $0) }
        let tokens: [StoreFixture.HistoryToken] = [.lastExported, .none, .transaction(1), .otherStore(2)]
        // Each two meet, of the damages, the errors and the tokens; all three only in a thorough run.
        for (number, damage) in damages.enumerated() {
            for (place, error) in errors.enumerated() {
                for (turn, token) in tokens.enumerated()
                where LawSeeds.isThorough || (number + place) % tokens.count == turn {
                    let fixture = Self.mirrored.damaged(damage).with { $0.historyToken = token }
                    let failing = error.map { fixture.failing(.outgoing, $0.domain, $0.code) } ?? fixture
                    try checkAgreement(in: TestStore(failing), "\(damage), \(error?.name ?? "no error"), \(token)")
                }
            }
        }
    }

    private func checkAgreement(in store: TestStore, _ what: String) throws {
        let sync = try store.sync()
        let mirror = try #require(sync.mirror)
        let forecast = mirror.forecast
        let comment = Comment(rawValue: what)
        #expect(forecast.uploads + forecast.deletes == mirror.objects.count, comment)
        #expect(Set(mirror.objects.map(\.object)).count == mirror.objects.count, comment)
        #expect(try StatusReport.of(store.path, now: TestStore.now).mirror?.forecast == forecast, comment)
        try checkFindings(of: forecast, in: store, comment)
        let pending = try store.found("mirror-pending")
        #expect(pending.count == (forecast.total > 0 ? 1 : 0), comment)
        #expect(pending.allSatisfy { $0.message.hasPrefix("pending for CloudKit: \(forecast.amount)") }, comment)
        let ticket = try TicketReport.of(store.path, TicketReport.Request(now: TestStore.now))
        #expect(ticket.status.mirror?.forecast == forecast, comment)
        #expect(try ticket.sync.get().mirror?.forecast == forecast, comment)
        let planned = try store.rebuild { $0.isDryRun = true }
        if case .planned(let report) = ticket.outlook {
            #expect(report.plan.cloud == planned.plan.cloud, comment)
        } else {
            Issue.record(comment)
        }
        #expect(planned.forecast?.before == forecast, comment)
        let done = try store.rebuild()
        #expect(done.forecast?.after == planned.forecast?.after, comment)
        #expect(try store.sync().mirror?.forecast == done.forecast?.after, comment)
    }

    /// Where an answer says that rows are deleted here, that everything is uploaded again, or that objects stay behind,
    /// `verify` says it too, and `status` does not begin with that nothing is wrong.
    private func checkFindings(of forecast: MirrorForecast, in store: TestStore, _ comment: Comment) throws {
        let ids = try store.findings()
        let isOfToken = forecast.deletions.contains {
            if case .lostPlace(transaction: .some) = $0 { true } else { false }
        }
        let others = forecast.deletions.filter {
            if case .lostPlace(transaction: .some) = $0 { false } else { true }
        }
        #expect(ids.contains("mirror-deletes-here") == !others.isEmpty, comment)
        if isOfToken { #expect(ids.contains("mirror-token-lost"), comment) }
        if forecast.outcome == .everythingSent { #expect(ids.contains("mirror-uploads-again"), comment) }
        #expect(ids.contains("mirror-left-behind") == (forecast.leftBehind > 0), comment)
    }

    @Test("counts the delete of a record that CloudKit has, where the mirror reads its insert once more")
    func deletesWithoutToken() throws {
        for token in [StoreFixture.HistoryToken.none, .otherStore(2)] {
            let store = try TestStore(Self.mirrored.with { $0.historyToken = token })
            let report = try store.rebuild()
            #expect(report.plan.cloud.deletes == 1)
            #expect(report.forecast?.after.deletes == 1)
            #expect(!report.findings.ids.contains("mirror-orphan"))
            #expect(try store.sync().mirror?.objects.count { $0.waiting.kind == .delete } == 1)
        }
    }

    @Test("names the meter of a delete that waits, from the backup")
    func namesFromBackup() throws {
        let store = try TestStore(Self.mirrored)
        try store.rebuild { $0.makesBackup = true }
        let report = try SyncReport.of(store.path, now: TestStore.now)
        let deleted = try #require(report.mirror?.objects.first { $0.waiting.kind == .delete })
        #expect(deleted.mac == "A4:C1:38:0B:7E:66")
        #expect(deleted.name == "Meter \(deleted.object.row)")
        let alone = try store.sync()
        #expect(alone.mirror?.objects.first { $0.waiting.kind == .delete }?.name == nil)
    }
}
