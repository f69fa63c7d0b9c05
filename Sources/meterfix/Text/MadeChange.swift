internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A change as it was asked for and made, or planned: all that its answer and its exit code are made from.
struct MadeChange {
    /// Of a plan that is carried out, with the name of the command that planned it.
    let report: Report
    /// The command that planned it.
    let command: WritingCommand
    /// The command that does what the dry run said, without the store, as words for a shell.
    var realRun: [String]
    /// The options of the backup, as a user types them; nil where there is none.
    var backupWords: [String]?
    /// The cures that `fix` was asked for, and whether as all that lose nothing.
    var cures: [FixableCheck] = []
    var isAll = false
    /// Whether `unlock` was asked for all that one device holds.
    var isOfOneDevice = false
    /// What `import-kv` read; nil where a plan is carried out that was made from it.
    var source: ImportText.Source?
    /// Where a plan from a file is carried out.
    var document: PlanDocument?
    /// What is said after the answer.
    var complaint: StoreError?

    init(_ report: Report, _ command: WritingCommand, realRun: [String]) {
        var report = report
        report.command = command.rawValue
        self.report = report
        self.command = command
        self.realRun = realRun
    }

    /// With how a command ends that changes a store.
    var exitStatus: ExitStatus {
        switch report.outcome {
        case .planned: .found
        case .stale: ExitStatus(StoreError.Kind.stale)
        case .applied, .unchanged, nil: leavesSomething ? .remains : .success
        }
    }

    /// Whether something is left for a person. Errors that the store had before are `verify`'s to tell, but of a rebuild.
    private var leavesSomething: Bool {
        switch command {
        case .importKV: report.plan?.rejects.isEmpty == false
        case .fix: report.hasFindings(of: cures)
        case .rebuild, .apply: report.leavesRepairs
        case .migrate, .unlock, .set, .delete, .restoreRecord: false
        }
    }

    func blocks(_ times: ShownTimes, showsAll: Bool) -> [Block] {
        let start = AlertText.blocks(report.alerts.ofChanges, times)
        guard start.isEmpty else { return start + [.group(answer(times, showsAll: showsAll))] }
        return answer(times, showsAll: showsAll)
    }

    private func answer(_ times: ShownTimes, showsAll: Bool) -> [Block] {
        var origin = document.map { ApplyText.origin($0, times) } ?? []
        if let staleness = report.staleness { return origin + ApplyText.moved(staleness, times, showsAll: showsAll) }
        if document != nil, let plan = report.plan { origin.append(ApplyText.difference(of: plan)) }
        guard document == nil || report.plan?.isEmpty == false else {
            return origin + [.paragraph(.tone(.good, "nothing to do: the plan is empty"))]
                + (report.plan?.notes ?? []).map { .note(.warning, "\(times.sentence($0))") }
        }
        let body =
            switch command {
            case .rebuild, .apply: RebuildText(made: self, times: times, showsAll: showsAll).blocks
            case .importKV: ImportText(made: self, times: times, showsAll: showsAll).blocks
            case .migrate: MigrateText(made: self, times: times, showsAll: showsAll).blocks
            case .fix: FixText(made: self, times: times, showsAll: showsAll).blocks
            case .unlock, .set, .delete, .restoreRecord: RecordChangeText(made: self, times: times).blocks
            }
        return document == nil ? body : origin + [.group(body)]
    }

    /// The last lines of every change.
    /// - Parameters:
    ///   - numbers: what is changed.
    ///   - details: what is said of it before the backup and CloudKit.
    ///   - nothing: where nothing is changed.
    func ending(_ numbers: String, _ details: [Block] = [], nothing: @autoclosure () -> Inline) -> [Block] {
        switch report.outcome {
        case .planned:
            [.paragraph("planned: \(numbers)")] + details + ClosingText.blocks(report)
                + [NextStep.line(realRun, expecting: report.fingerprint, on: report.store)]
        case .applied: [.paragraph(.tone(.good, "done: \(numbers)"))] + details + ClosingText.blocks(report)
        case .unchanged, .stale, nil: [.paragraph(nothing())]
        }
    }
}

/// What is said of a plan from a file beside what the command says that planned it.
enum ApplyText {
    /// Tables, statements and rows that are shown without `--verbose`.
    private static let most = 20

    /// Where the plan comes from: who made it, when, and for which copy.
    static func origin(_ document: PlanDocument, _ times: ShownTimes) -> [Block] {
        let person = document.person.map { " by \($0)" } ?? ""
        let identity = [
            document.storeUUID.map { "UUID \($0)" }, document.records.map { Phrase.count($0, "record") },
        ].compactMap(\.self)
        let copy = identity.isEmpty ? "" : " (\(identity.joined(separator: ", ")))"
        let note = document.note.map { [Block.paragraph("note: \($0)")] } ?? []
        return [
            .heading(
                "a plan of meterfix \(document.commandWords) \(Version.current), made\(person) for \(document.storeName)\(copy): \(times.text(document.made))"
            )
        ] + note
    }

    /// How it differs from the plan that the same command makes now.
    static func difference(of plan: Plan) -> Block {
        .paragraph(
            PlanDocument.isEdited(plan)
                ? "edited: below are the differences from the plan that the same command makes for this copy now"
                : "not edited: the same command makes this plan for this copy now")
    }

    /// What has changed since it was made.
    static func moved(_ staleness: Staleness, _ times: ShownTimes, showsAll: Bool) -> [Block] {
        if staleness.isApplied { return [.paragraph("this plan was applied already")] }
        var lines: [Inline] = []
        if let identity = staleness.identity {
            lines.append("store: \(identity.then ?? "no UUID") then, \(identity.now ?? "no UUID") now")
        }
        lines += staleness.statementsGone.map { "schema, then only: \(.code($0))" }
        lines += staleness.statementsNew.map { "schema, now only: \(.code($0))" }
        lines += staleness.tables.map { table in
            "\(table.name): \(rows(table.then)) then, \(rows(table.now)) now\(table.then == table.now ? ", with other contents" : "")"
        }
        lines += staleness.rows.map { line($0, times) }
        let shown = ShownPart(of: lines, most: most, showsAll: showsAll)
        return [.paragraph("what has changed since:"), .list(Array(shown.elements))] + shown.remark
    }

    private static func line(_ row: Staleness.Row, _ times: ShownTimes) -> Inline {
        switch row.change {
        case .gone: return "row \(row.row) was deleted"
        case .new: return "row \(row.row) exists, where the plan would insert a new record"
        case .field(let delta):
            let values = FieldText.quoted(delta, times)
            return "row \(row.row), \(delta.field.name): \(values[0]) then, \(values[1]) now"
        }
    }

    private static func rows(_ count: Int?) -> String { count.map { Phrase.count($0, "row") } ?? "no table" }
}
