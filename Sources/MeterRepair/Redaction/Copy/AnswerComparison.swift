internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// Whether two stores get the same answers, apart from the names, addresses, ids and dates in them.
enum AnswerComparison {
    /// What `verify`, `rebuild --dry-run` and `sync` say of one and not of the other, as fragments for a person.
    /// - Parameter store: as it is being looked at, and where its contents are: while a private copy is being looked at, the
    ///   app may go on.
    /// - Throws: `StoreError` where one of the stores cannot be read; SQLite's errors.
    static func differences(between store: (session: Session, path: String), and copy: String) throws -> [String] {
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
    private static func looked(at session: Session) throws -> (findings: Set<FoundProblem>, waiting: [String]?) {
        (try findings(of: session), try sync(of: session))
    }

    private struct FoundProblem: Hashable {
        let id: String
        let severity: Severity
        let entity: String?
        let rows: [Int64]
        let isOfMeter: Bool
        let showsEverything: Bool?

        var text: String {
            rows.isEmpty
                ? id : "\(id) in \(rows.count == 1 ? "row" : "rows") \(Phrase.start(of: rows.map(String.init)))"
        }
    }

    private static func findings(of session: Session) throws -> Set<FoundProblem> {
        var options = VerifyOptions(now: session.store.now)
        // What is left over of the past is personal data, and nothing of it is in a copy, nor the log.
        options.ignored = [Check.namesLost.id, Check.writtenWithoutHistory.id]
        let report = try Verify.report(of: session, options)
        let problems = report.findings.map {
            FoundProblem(
                id: $0.id, severity: $0.severity, entity: $0.entity, rows: $0.rows, isOfMeter: $0.mac != nil,
                showsEverything: $0.showsEverything)
        }
        return Set(problems)
    }

    /// What a rebuild does, without the values.
    private enum Rebuild: Hashable {
        case refused(StoreError.Kind)
        /// - Parameter outline: of each change and each conflict.
        case planned(outline: Set<String>, Summary, CloudCost)
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
        let conflicts = plan.conflicts.map { conflict in
            "conflict \(conflict.field.name) \(text(conflict.keptFrom)) \(conflict.dropped.map { text($0.row) })"
        }
        return .planned(outline: Set(plan.meters.flatMap(outline) + conflicts), plan.summary, plan.cloud)
    }

    private static func outline(of meter: MeterPlan) -> [String] {
        meter.records.map { change in
            switch change {
            case .update(let update): "update \(update.row) \(outline(of: update.fields))"
            case .delete(let deletion): "delete \(deletion.record.row) \(text(meter.winner?.row))"
            case .insert(let insertion): "insert \(insertion.row) \(outline(of: insertion.fields))"
            }
        }
    }

    private static func outline(of fields: [FieldChange]) -> [String] {
        fields.map { "\($0.field.name) \(text($0.donor)) \($0.rule.rawValue)" }
    }

    private static func text(_ row: Int64?) -> String { row.map(String.init) ?? "-" }

    /// What waits for CloudKit, and what the mirror does next: how sure each sentence is, and whether it says that something
    /// is lost. Nil for a store that is not mirrored.
    private static func sync(of session: Session) throws -> [String]? {
        let report = try SyncReport(of: session)
        return report.mirror.map { mirror in
            ["\(mirror.token)"]
                + mirror.objects.map {
                    "\($0.object) \($0.waiting.kind) \($0.waiting.reason) \($0.fields.map { "\($0)" } ?? "-")"
                } + report.next.map { "\($0.certainty.rawValue) \($0.isLoss)" }
        }
    }
}
