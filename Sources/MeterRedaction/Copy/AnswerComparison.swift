internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// Whether two stores get the same answers, apart from the names, addresses, ids and dates in them.
enum AnswerComparison {
    /// What `verify`, `rebuild --dry-run` and `sync` say of one and not of the other, as fragments for a person.
    /// - Throws: `StoreError` where one of the stores cannot be read.
    static func differences(between store: String, and copy: String, now: Timestamp) throws(StoreError) -> [String] {
        let findings = (try findings(of: store, now: now), try findings(of: copy, now: now))
        var differences = findings.0.subtracting(findings.1).map { "\($0.text) is not found in the copy" }.sorted()
        differences += findings.1.subtracting(findings.0).map { "\($0.text) is found only in the copy" }.sorted()
        if try rebuild(of: store, now: now) != rebuild(of: copy, now: now) {
            differences.append("rebuild --dry-run plans something else for the copy")
        }
        if try sync(of: store, now: now) != sync(of: copy, now: now) {
            differences.append("sync says something else of the copy")
        }
        return differences
    }

    private struct FoundProblem: Hashable {
        let id: String
        let severity: Severity
        let entity: String?
        let rows: [Int64]
        let isOfMeter: Bool

        var text: String {
            rows.isEmpty
                ? id : "\(id) in \(rows.count == 1 ? "row" : "rows") \(Phrase.start(of: rows.map(String.init)))"
        }
    }

    private static func findings(of path: String, now: Timestamp) throws(StoreError) -> Set<FoundProblem> {
        Set(
            try Verify.report(path, VerifyOptions(now: now)).findings.map {
                FoundProblem(
                    id: $0.id, severity: $0.severity, entity: $0.entity, rows: $0.rows, isOfMeter: $0.mac != nil)
            })
    }

    /// What a rebuild does, without the values.
    private enum Rebuild: Hashable {
        case refused(StoreError.Kind)
        case planned(changes: Set<PlannedChange>, conflicts: Set<MetConflict>, Summary, CloudCost)
        case unchanged
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
        let report: Report
        do {
            report = try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: path, options: options)
        } catch {
            // An answer too, such as that a trigger is in the way.
            guard error.kind != .interrupted, error.kind != .internalFault else { throw error }
            return .refused(error.kind)
        }
        guard let plan = report.plan else { return .unchanged }
        return .planned(
            changes: Set(plan.changes.compactMap(outline)),
            conflicts: Set(
                plan.conflicts.map {
                    MetConflict(field: $0.field.name, keptFrom: $0.keptFrom, dropped: $0.dropped.map(\.row))
                }), plan.summary, plan.cloud)
    }

    private static func outline(of change: Change) -> PlannedChange? {
        switch change {
        case .update(let update):
            PlannedChange(kind: "update", row: update.row, survivor: nil, fields: fields(update.fields))
        case .delete(let deletion):
            PlannedChange(
                kind: "delete", row: deletion.record.row, survivor: deletion.merger?.survivor.row, fields: [])
        case .insert(let insertion):
            PlannedChange(kind: "insert", row: insertion.row, survivor: nil, fields: fields(insertion.fields))
        case .cloudDelete(let deletion):
            PlannedChange(kind: "cloud delete", row: deletion.row, survivor: nil, fields: [])
        case .schema, .metadata: nil
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

    private static func sync(of path: String, now: Timestamp) throws(StoreError) -> Waiting? {
        let report = try Sync.report(path, now: now)
        return report.mirror.map { mirror in
            Waiting(
                token: mirror.token,
                objects: mirror.objects.map {
                    SyncedObject(
                        object: $0.object, kind: $0.waiting.kind, reason: $0.waiting.reason, fields: $0.fields)
                }, next: report.next.map { [$0.basis.rawValue, $0.isLoss ? "loss" : ""] })
        }
    }
}
