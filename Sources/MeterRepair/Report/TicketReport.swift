package import CoreDataStore
internal import GRDB
package import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// `report`: all that there is to say of a store and the backups beside it, read in one look.
///
/// A part that cannot be read has the reason in its place: whoever asks for a report wants what there is.
package struct TicketReport: Sendable {
    /// What the whole repair would do.
    package enum Outlook: Sendable {
        /// The store has no records of meters.
        case inapplicable
        /// With the plan, and the names of the records that it updates.
        case planned(ChangeReport)
        /// As the command would refuse it.
        case refused(StoreError)
    }

    /// What came of a check.
    package struct CheckResult: Sendable {
        package let check: Check
        /// How many findings it has; nil where the store has nothing for it, or could not be read.
        package let findings: Int?

        package var foundSomething: Bool { (findings ?? 0) > 0 }
    }

    package typealias Part<Value: Sendable> = Result<Value, StoreError>

    package let status: StatusReport
    package private(set) var customer: CustomerSummary
    /// As `verify` has it.
    package let verification: VerifyReport
    package let checks: [CheckResult]
    package let outlook: Outlook
    /// None in a store without records of meters.
    package let meters: Part<[MeterSummary]>
    /// The store before the last repairs, or when it last had meters; nil where no backup has that.
    package let earlier: EarlierState?
    /// What the last repairs did, as far as their backups tell, in the order in which they were made.
    package let repairs: [Plan]
    package let sync: Part<SyncReport>
    /// Nil for a store without a history.
    package let activity: Part<HistoryActivity?>
    /// The last changes.
    package let log: Part<ChangeLog>
    /// Nil where the past was not asked for.
    package let lost: Part<FormerValues>?
    package let changes: Part<ChangeHistory>

    /// What a report has of long lists.
    package struct Request: Sendable {
        package var now: Timestamp
        /// What the store is called; nil for its path.
        package var name: String?
        /// The folder `--backup-dir` names; nil for the one beside the store.
        package var backupFolder: String?
        /// Whether it has what the owner of the meters may have deleted: values that only the `-wal`, what is left of
        /// records, and backups still have.
        package var past = false
        /// How many of the last changes; nil for all.
        package var changes: Int?
        /// Of how many updated records there are names.
        package var shownNames = 0

        package init(now: Timestamp) { self.now = now }
    }

    /// Reads the store at `path` and its backups, and leaves no trace.
    /// - Throws: `StoreError` where `status` would be refused, too.
    package static func of(_ path: String, _ request: Request) throws(StoreError) -> TicketReport {
        try Session.look(at: path, named: request.name, now: request.now) { try TicketReport(of: $0, request) }
    }

    private init(of session: Session, _ request: Request) throws {
        let (store, database) = (session.store, session.database)
        status = try StatusReport(of: session)
        verification = try Verify.report(of: session, VerifyOptions(now: request.now))
        checks = Self.results(verification.findings, in: store)
        outlook = try Self.outlook(of: session, verification, request)
        activity = try Self.part(of: store) {
            try store.description.history.map {
                try HistoryActivity($0, now: request.now, of: store.path, database)
            }
        }
        let folder = BackupFolder(for: store.path, named: request.backupFolder)
        let stack = try Self.part(of: store) { try session.stack(in: folder) }
        sync = try Self.part(of: store) {
            try SyncReport(of: session, gone: { try SyncReport.meters(of: $0, in: try? stack.get(), store) })
        }
        changes = try Self.part(of: store) { try ChangeHistory(of: session, stack.get(), in: folder) }
        lost =
            try request.past
            ? Self.part(of: store) {
                try FormerValues(
                    in: session.requireMeterSession(), all: false, withMoved: false, folder: request.backupFolder)
            } : nil
        log = try Self.part(of: store) {
            var logged = ChangeLog.Request()
            logged.limit = request.changes
            logged.readsPast = request.past
            return try ChangeLog(of: session, logged, try? stack.get())
        }
        meters = try Self.part(of: store) { try session.meterSession.map(MeterList.init(of:))?.meters ?? [] }
        let lastRepairs = try (try? stack.get())?.lastRepairs() ?? []
        repairs = lastRepairs.compactMap(\.plan)
        earlier =
            if let first = lastRepairs.first {
                try EarlierState.readable(first.entry, first.journal, now: request.now)
            } else if store.settings != nil, store.addresses.records == 0, let stack = try? stack.get() {
                try EarlierState.lastWithMeters(in: stack, now: request.now)
            } else {
                nil
            }
        let mirror = try? sync.get().mirror
        let arrival = mirror?.arrival
        customer = try CustomerSummary(
            of: session, verification, outlook, lastRepairs: lastRepairs,
            returned: arrival.map { $0.isComplete ? .arrived : $0.isRead ? .opened : nil } ?? nil,
            isUnreturned: try mirror == nil
                ? session.endsWithOwnChange()
                : arrival.map { !$0.isRead && $0.transaction == mirror?.lastTransaction } ?? false)
    }

    /// Adds what a log beside the store tells of its mirror.
    package mutating func add(_ fault: MirrorFault) {
        customer.add(CustomerSummary.CloudProblem(cause: fault.forTheOwner, since: nil))
    }

    /// What is wrong with one part does not keep the others from being told.
    /// - Throws: `StoreError` where the user asked to stop.
    private static func part<Value: Sendable>(
        of store: InspectedStore, _ read: () throws -> Value
    ) throws(StoreError) -> Part<Value> {
        do {
            return .success(try read())
        } catch {
            let error = StoreError(error, at: store.path)
            guard error.kind != .interrupted, error.kind != .internalFault else { throw error }
            return .failure(error)
        }
    }

    /// The checks in the order of the catalogue.
    static func results(_ findings: [Finding], in store: InspectedStore) -> [CheckResult] {
        var counts: [String: Int] = [:]
        for finding in findings { counts[finding.id, default: 0] += 1 }
        let ran = Set(Check.all(for: store).map(\.id))
        return Check.ofStoreAlone.map { check in
            CheckResult(check: check, findings: ran.contains(check.id) ? counts[check.id, default: 0] : nil)
        }
    }

    /// - Parameter found: what `verify` says of the store.
    private static func outlook(
        of session: Session, _ found: VerifyReport, _ request: Request
    ) throws -> Outlook {
        let store = session.store
        guard store.settings != nil else { return .inapplicable }
        let plan: Part<Plan> = try part(of: store) {
            if found.findings.contains(where: { $0.id == Check.notIntact.id }) {
                try ChangeRun.refuseDamage(in: session)
            }
            var options = ChangeOptions(now: request.now)
            options.isDryRun = true
            if found.findings.contains(where: { $0.id == Check.indexDamaged.id }) {
                // What is read by such an index may be mistaken: it is made again first, in a private copy.
                return try ChangeRun.run(WholeRepair(), on: store.files.resolvedPath, options: options).plan
            }
            return try ChangeRun.acceptedPlan(WholeRepair(), session.requireMeterSession(), options)
        }
        switch plan {
        case .failure(let error): return .refused(error)
        case .success(let plan):
            var report = ChangeReport(
                command: WritingCommand.fix.rawValue, StoreSummary(of: store, []),
                outcome: plan.isEmpty ? .unchanged : .planned, plan: plan)
            report.hasHistory = store.description.history != nil
            report.alerts = try session.alerts()
            report.ahead = try session.mirrorSigns()?.ahead
            report.rebuildRequest = RebuildRequest(by: "fix --all")
            report.names = try session.names(of: Set(plan.updatedRows(first: request.shownNames)))
            return .planned(report)
        }
    }
}
