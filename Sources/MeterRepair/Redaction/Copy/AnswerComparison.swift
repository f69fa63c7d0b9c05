internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// Whether two stores get the same answers, apart from the names, addresses, ids and dates in them.
enum AnswerComparison {
    /// What `verify`, `rebuild --dry-run` and `sync` say of one and not of the other, as fragments for a person.
    /// - Parameter store: as it is being looked at, and where its contents are: while a private copy is being looked at, the
    ///   app may go on.
    /// - Throws: `StoreError` where one of the stores cannot be read; SQLite's errors.
    static func differences(
        between store: (session: Session, path: String), and copy: String
    ) throws -> [String] {
        let now = store.session.store.now
        let of = try looked(at: store.session)
        let ofCopy = try Session.look(at: copy, now: now, looked)
        var differences = of.findings.subtracting(ofCopy.findings).map { "\($0.text) is not found in the copy" }
            .sorted()
        differences += ofCopy.findings.subtracting(of.findings).map { "\($0.text) is found only in the copy" }.sorted()
        if try rebuild(of: store.path, now: now) != rebuild(of: copy, now: now) {
            differences.append("rebuild --dry-run plans something else for the copy")
        }
        if of.waiting != ofCopy.waiting { differences.append("sync says something else of the copy") }
        return differences
    }

    /// What is said of a store that is being looked at.
    private static func looked(
        at session: Session
    ) throws -> (findings: Set<FoundProblem>, waiting: Waiting?) {
        (try findings(of: session), try sync(of: session))
    }

    private struct FoundProblem: Hashable {
        let id: String
        let severity: Severity
        let entity: String?
        let rows: [Int64]
        let isOfMeter: Bool
        let levelled: Bool?

        var text: String {
            rows.isEmpty
                ? id : "\(id) in \(rows.count == 1 ? "row" : "rows") \(Phrase.start(of: rows.map(String.init)))"
        }
    }

    private static func findings(of session: Session) throws -> Set<FoundProblem> {
        var options = VerifyOptions(now: session.store.now)
        // What is left over of the past is personal data, and nothing of it is in a copy.
        options.ignored = [Check.namesLost.id]
        let report = try Verify.report(of: session, options)
        let problems = report.findings.all.map {
            FoundProblem(
                id: $0.id, severity: $0.severity, entity: $0.entity, rows: $0.rows, isOfMeter: $0.mac != nil,
                levelled: $0.levelled)
        }
        try session.reading.check()
        return Set(problems)
    }

    /// What a rebuild does, without the values.
    private enum Rebuild: Hashable {
        case refused(StoreError.Kind)
        case planned(changes: Set<PlannedChange>, conflicts: Set<MetConflict>, Summary, CloudCost)
    }

    private struct PlannedChange: Hashable {
        let kind: String
        let row: Int64
        let survivor: Int64?
        let fields: [PlannedField]
    }

    private struct PlannedField: Hashable {
        let name: String
        let donor: Int64?
        let rule: SurvivorshipRule
    }

    private struct MetConflict: Hashable {
        let field: String
        let keptFrom: Int64?
        let dropped: [Int64?]
    }

    private static func rebuild(of path: String, now: Timestamp) throws(StoreError) -> Rebuild {
        var options = ChangeOptions(now: now)
        options.isDryRun = true
        let report: ChangeReport
        do {
            report = try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: path, options: options)
        } catch {
            switch error.kind {
            // An answer too, such as that a trigger is in the way.
            case .damaged, .unsuitable, .stale, .inUse: return .refused(error.kind)
            // None, such as no room for a private copy.
            case .notFound, .permissionDenied, .inputOutput, .cannotCreate, .interrupted, .internalFault: throw error
            }
        }
        let plan = report.plan
        return .planned(
            changes: Set(plan.meters.flatMap(outline)),
            conflicts: Set(
                plan.conflicts.map {
                    MetConflict(field: $0.field.name, keptFrom: $0.keptFrom, dropped: $0.dropped.map(\.row))
                }), plan.summary, plan.cloud)
    }

    private static func outline(of meter: MeterPlan) -> [PlannedChange] {
        meter.records.map { change in
            switch change {
            case .update(let update):
                PlannedChange(kind: "update", row: update.row, survivor: nil, fields: fields(update.fields))
            case .delete(let deletion):
                PlannedChange(kind: "delete", row: deletion.record.row, survivor: meter.survivor?.row, fields: [])
            case .insert(let insertion):
                PlannedChange(kind: "insert", row: insertion.row, survivor: nil, fields: fields(insertion.fields))
            }
        }
    }

    private static func fields(_ fields: [FieldChange]) -> [PlannedField] {
        fields.map { PlannedField(name: $0.field.name, donor: $0.donor, rule: $0.rule) }
    }

    /// What waits for CloudKit, and what the mirror does next.
    private struct Waiting: Hashable {
        let token: HistoryToken
        let objects: [SyncedObject]
        /// How sure each sentence is, and whether it says that something is lost.
        let next: [[String]]
    }

    private struct SyncedObject: Hashable {
        let object: CloudKitMirror.Object
        let kind: PersistentHistory.ChangeType
        let reason: CloudKitMirror.Waiting.Reason
        let fields: [String]?
    }

    private static func sync(of session: Session) throws -> Waiting? {
        let report = try SyncReport(of: session)
        return report.mirror.map { mirror in
            Waiting(
                token: mirror.token,
                objects: mirror.objects.map {
                    SyncedObject(
                        object: $0.object, kind: $0.waiting.kind, reason: $0.waiting.reason, fields: $0.fields)
                }, next: report.next.map { [$0.certainty.rawValue, $0.isLoss ? "loss" : ""] })
        }
    }
}
