package import CoreDataStore
internal import GRDB
package import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// What the owner of the meters has to know: what was wrong, what was or would be done, and what to check.
package struct CustomerSummary: Sendable {
    package enum Repair: Sendable {
        /// No repair is ahead, and none was made.
        case none
        /// What a repair would do.
        case ahead(RepairSummary)
        /// Meters are stored several times, and no repair is possible as the store is, or not now.
        case impossible(meters: Int)
        /// What the last repairs did that are in the store, and when the last one was made.
        case done(RepairSummary, at: Timestamp)
        /// There were some, and a backup does not tell what was done.
        case forgotten(at: Timestamp)
    }

    /// What a check found and a repair does not cure.
    package struct OpenPoint: Hashable, Sendable {
        /// The id of the check.
        package let check: String
        package let severity: Severity
        /// How often.
        package let count: Int
        /// The records that it is about.
        package var rows: Set<Int64> = []
        /// What the meters are called that it is about, each once; those without a name are not among them.
        package let names: [String]
    }

    /// Why the exchange with iCloud fails.
    package struct CloudProblem: Hashable, Sendable {
        /// Nil for an error that nobody has described.
        package let cause: MirrorError.OwnersCause?
        /// When it last succeeded; nil where the store does not say.
        package let since: Timestamp?
    }

    /// What the history says of the records that a store had.
    package struct FormerRecords: Hashable, Sendable {
        /// Nil where the store has no history.
        package let deleted: Int?
        /// When the last one was deleted; nil where that is not known.
        package let last: Timestamp?
    }

    /// What became of records that were deleted and made again.
    package enum Storm: Hashable, CaseIterable, Sendable {
        /// Some of the deletes are not uploaded.
        case pending
        case uploaded
        /// It came from another device.
        case received
    }

    /// Records that vanished together, the last time that they did.
    package struct Vanished: Hashable, Sendable {
        package let author: Author
        /// When it was; nil where that is not known.
        package let at: Timestamp?
        /// Records.
        package let deleted: Int
        /// How many of that time are left.
        package let left: Int
    }

    /// A meter that a device has reserved for longer than it can have meant to.
    package struct Reservation: Hashable, Sendable {
        package let address: MACAddress?
        /// What the meter is called; nil where it has no name.
        package let name: String?
        /// The device's name, or else its id; nil where the store has neither.
        package let holder: String?
        package let until: Timestamp
    }

    package let now: Timestamp
    /// Nil for a store without records of meters.
    package let meters: Int?
    /// Without a usable address.
    package let otherRecords: Int
    /// Nil unless the store has no record at all.
    package let former: FormerRecords?
    package let repair: Repair
    /// What `verify` says in one word.
    package private(set) var verdict = Verdict.clean
    /// Whether the app shows what there is of every meter that has several records.
    package let showsEverything: Bool
    /// Whether first aid was given, and the app shows what there is of every meter that has several records.
    package let showsEverythingByFirstAid: Bool
    /// Whether the app that wrote the store is probably newer than all that meterfix knows, so that no record is changed.
    package let isOfNewerApp: Bool
    /// Whether iCloud is part of it: the store is mirrored.
    package let isMirrored: Bool
    /// How far a file has come that was given back.
    package enum Return: Hashable, Sendable {
        /// The app has opened it, and the last change by meterfix is not in iCloud.
        case opened
        /// It is.
        case arrived
    }

    /// Nil where nothing says that the file with the last change by meterfix was put back.
    package private(set) var returned: Return?
    /// Whether the last change by meterfix is in iCloud.
    package var hasArrived: Bool { returned == .arrived }
    /// What the mirror is going to do first.
    package private(set) var ahead: StoreSummary.MirrorWork?
    /// Whether a finding asks for something else before the file may go back.
    package private(set) var isHeldBack = false
    /// Whether the last change of the store is one by meterfix, which is not in iCloud: the file was not put back yet.
    package private(set) var isUnreturned = false
    /// Whether meterfix has changed the store, as far as the backups tell.
    package private(set) var isChanged = false
    /// Nil where nothing vanished.
    package private(set) var vanished: Vanished?
    /// The last delete storm, or the one that is pending; nil where there was none.
    package private(set) var storm: Storm?
    /// When it was; nil where that is not known.
    package private(set) var stormTime: Timestamp?
    /// The last time that the mirror began anew and not all came down again; nil where it never was so.
    package private(set) var restart: MirrorRestart?
    /// Why rows are deleted on this device as soon as the app opens; empty where they are not.
    package private(set) var deletions: [MirrorForecast.Deletion] = []
    /// Changes that wait for iCloud.
    package private(set) var pending = 0
    /// Whether the store was put together from what could be read of a damaged one.
    package let isRecovered: Bool
    /// In the order of the records, one for each meter.
    package private(set) var reservations: [Reservation] = []
    /// The worst first; without notes.
    package let open: [OpenPoint]
    /// Nil where the last setup, import and export succeeded, and nothing else is known.
    package private(set) var cloud: CloudProblem?

    /// - Parameter problem: which a log of the store tells, and which the store itself may not know.
    mutating func add(_ problem: CloudProblem) {
        if cloud == nil || problem.cause?.isDangerous == true { cloud = problem }
    }
}

extension CustomerSummary {
    /// What findings are about, by row.
    struct Names {
        /// As `verify` has them.
        let own: [Int64: String]
        /// What the app calls the meter, once the repair is made that is ahead.
        let shown: [Int64: String]

        /// Whether the app does not show this record's own name.
        func areHidden(_ row: Int64) -> Bool { own[row].map { $0 != shown[row] } ?? false }
    }

    /// What the checks found and the repair that is ahead does not cure, the worst first.
    /// - Parameters:
    ///   - plan: of the repair that is ahead; nil where none is.
    ///   - reserved: the rows of which the reservations say it.
    private static func open(
        _ findings: [Finding], _ names: Names, after plan: Plan?, reserved: Set<Int64>
    ) -> [OpenPoint] {
        let gone = plan?.deletedRows ?? []
        let points = findings.byCheck.compactMap { findings -> OpenPoint? in
            let check = findings[findings.startIndex]
            guard check.severity != .note else { return nil }
            var count = 0
            var rows: Set<Int64> = []
            var found: [String] = []
            var known: Set<String> = []
            let isAboutLocks = checksOfLocks.contains(check.id)
            let isAboutNames = [Check.nameMachineMade.id, Check.nameShared.id].contains(check.id)
            for finding in findings {
                let isGone = isGone(finding) { gone.contains($0) || isAboutNames && names.areHidden($0) }
                let isCured = isGone || plan != nil && finding.isCuredByWholeRepair
                if isCured || isAboutLocks && finding.rows.allSatisfy(reserved.contains) { continue }
                count += 1
                rows.formUnion(finding.rows)
                guard finding.isAboutMeters else { continue }
                found += finding.rows.compactMap { names.shown[$0] }.filter { known.insert($0).inserted }
            }
            return count > 0
                ? OpenPoint(check: check.id, severity: check.severity, count: count, rows: rows, names: found) : nil
        }
        return Severity.allCases.sorted(by: >).flatMap { severity in points.filter { $0.severity == severity } }
    }

    /// Checks that find a reservation that lasts too long.
    private static let checksOfLocks = [Check.lockTTL.id, Check.clockInFuture.id]

    /// Whether nothing is left of a finding once the records are gone that the repair takes.
    private static func isGone(_ finding: Finding, whereGone isGone: (Int64) -> Bool) -> Bool {
        let left = finding.rows.count { !isGone($0) }
        return left == 0 ? !finding.rows.isEmpty : finding.rows.count > 1 && left == 1
    }
}

/// From the store as it is, and from what the backups say of the last repairs.
extension CustomerSummary {
    /// - Parameters:
    ///   - verification: with the names of records that findings are about.
    ///   - lastRepairs: that are in the store, in the order in which they were made.
    ///   - returned: how far the file with the last change by meterfix has come.
    ///   - isUnreturned: whether it is the last change of the store, and is not there.
    /// - Throws: SQLite's errors, and `StoreError` where the user asked to stop.
    init(
        of session: Session, _ verification: VerifyReport, _ outlook: TicketReport.Outlook,
        lastRepairs: [LastRepair], returned: Return?, isUnreturned: Bool
    ) throws {
        let store = session.store
        var plan: Plan?
        let findings = verification.findings
        // What is only noted can be tidied, and needs no repair.
        let needsRepair = findings.contains { $0.severity != .note && $0.isCuredByWholeRepair }
        if case .planned(let report) = outlook, !report.plan.isEmpty, needsRepair,
            !findings.contains(where: \.isForPersonFirst)
        {
            plan = report.plan
        }
        let names = Names(
            own: verification.names, shown: try Self.shownNames(of: verification.names.keys, in: session, plan))
        let reservations = try Self.reservations(findings, in: session, plan)
        now = store.now
        meters = store.settings == nil ? nil : store.addresses.meterCount
        otherRecords = store.addresses.recordsWithoutUsableAddress
        former = try session.meterSession.flatMap(Self.former)
        repair = try Self.repair(of: session, plan, lastRepairs)
        isChanged = !lastRepairs.isEmpty || returned != nil || isUnreturned
        verdict = verification.verdict
        showsEverything = findings.allSatisfy { $0.showsEverything != false }
        showsEverythingByFirstAid = showsEverything && plan != nil && lastRepairs.contains(where: \.isFirstAid)
        isOfNewerApp = store.refusalOfUnknownModel != nil
        isMirrored = session.mirror != nil
        isRecovered = !session.description.recoveries.isEmpty
        open = Self.open(findings, names, after: plan, reserved: Set(reservations.map(\.row)))
        cloud = try Self.cloudProblem(of: session)
        self.returned = returned
        ahead = verification.ahead
        isHeldBack = findings.contains(where: \.isForPersonFirst)
        self.isUnreturned = isUnreturned
        let forecast = try session.mirrorSigns()?.forecast
        (deletions, pending) = (forecast?.deletions ?? [], forecast?.total ?? 0)
        var reserved: Set<MACAddress> = []
        self.reservations = reservations.map(\.reservation).filter {
            $0.address.map { reserved.insert($0).inserted } ?? true
        }
        let storms = try session.storms()
        if let last = storms.last(where: { $0.pending > 0 }) ?? storms.last {
            storm = last.pending > 0 ? .pending : last.isReceived ? .received : .uploaded
            stormTime = last.time
        }
        restart = try session.restarts().last { $0.missing > 0 }
        if open.contains(where: { $0.check == Check.massDelete.id }) {
            vanished = try session.vanishedRecords().last.map {
                Vanished(author: $0.author, at: $0.time, deleted: $0.deleted.count, left: $0.deleted.left)
            }
        }
    }

    /// The locks in force that the checks of locks and dates found, by row.
    private static func reservations(
        _ findings: [Finding], in session: Session, _ plan: Plan?
    ) throws -> [(row: Int64, reservation: Reservation)] {
        guard let session = session.meterSession else { return [] }
        let now = session.store.now
        let rows = Set(findings.lazy.filter { checksOfLocks.contains($0.id) }.flatMap(\.rows))
        guard !rows.isEmpty else { return [] }
        let names = try shownNames(of: rows, in: session.base, plan)
        return try session.store.records(in: rows).compactMap { record in
            let lock = record.locks.first { !$0.hasUsualTimeToLive || $0.isOfClockAhead(at: now) }
            // One that ends within a day is not worth a word.
            guard let lock, let until = lock.expiresAt, until.isAhead(of: now) else { return nil }
            let reservation = Reservation(
                address: record.usableAddress, name: names[record.row], holder: lock.holder, until: until)
            return (record.row, reservation)
        }
    }

    /// What would delete something comes before everything else; then what keeps this device from sending before what
    /// keeps it from receiving, and a cause that is known before one that is not.
    private static func cloudProblem(of session: Session) throws -> CloudProblem? {
        let series = try session.mirror?.eventSeries(session.database) ?? []
        let problems = series.reversed().compactMap { series -> CloudProblem? in
            guard let error = series.lastError else { return nil }
            // What the model of v1 had, a migration has taken away.
            if error == .unmirrorableModel, session.meterSession?.settings.isAddressUnique == false { return nil }
            let since = series.lastSuccess?.endedAt.map { Timestamp(secondsSince2001: $0) }
            return CloudProblem(cause: error.forTheOwner, since: since)
        }
        let isRefused = if case .model? = try session.mirrorSigns()?.modelRefusal { true } else { false }
        let refused = isRefused ? CloudProblem(cause: .refusedByICloud, since: nil) : nil
        return problems.first { $0.cause?.isDangerous == true } ?? refused ?? problems.first { $0.cause != nil }
            ?? problems.first
    }

    private static func repair(
        of session: Session, _ plan: Plan?, _ lastRepairs: [LastRepair]
    ) throws -> Repair {
        if let plan { return .ahead(RepairSummary([plan])) }
        if session.store.addresses.groups > 0 { return .impossible(meters: session.store.addresses.groups) }
        guard let last = lastRepairs.last?.journal.madeAt else { return .none }
        let plans = lastRepairs.compactMap(\.plan)
        guard plans.count == lastRepairs.count else { return .forgotten(at: last) }
        let account = RepairSummary(plans)
        var records: [MACAddress: DeviceSettings] = [:]
        for address in account.addresses { records[address] = session.store.shownRecord(of: address) }
        return .done(account.updated(by: records), at: last)
    }

    /// By row: what the app calls the meter now, or once the repair is made.
    private static func shownNames(
        of rows: some Collection<Int64>, in session: Session, _ plan: Plan?
    ) throws -> [Int64: String] {
        guard !rows.isEmpty else { return [:] }
        var names = try session.shownNames(of: rows)
        for meter in plan?.meters ?? [] where meter.address != nil && !meter.deletions.isEmpty {
            for row in meter.rows where rows.contains(row) { names[row] = meter.nameAfter }
        }
        return names
    }

    /// Nil unless the store has no record.
    private static func former(in session: MeterSession) throws -> FormerRecords? {
        guard session.store.addresses.records == 0 else { return nil }
        guard let history = session.history else { return FormerRecords(deleted: nil, last: nil) }
        var deleted: Set<CloudKitMirror.Object> = []
        var last: Timestamp?
        try history.forEachChange(ofEntities: session.settings.numbers, session.database) { row in
            guard row.change.kind == .delete, let object = row.change.object else { return }
            deleted.insert(object)
            if last == nil { last = try row.save().time.map(Timestamp.init(secondsSince2001:)) }
        }
        return FormerRecords(deleted: deleted.count, last: last)
    }
}
