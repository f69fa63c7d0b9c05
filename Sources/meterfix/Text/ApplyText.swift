internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What a plan that is carried out answers: what the command that planned says, or what has changed since.
struct ApplyText {
    private let report: Report
    private let document: PlanDocument
    private let showsAll: Bool
    private let times: ShownTimes
    /// The options of the backup, as a user types them; nil where there is none.
    private let backupWords: [String]?
    /// The command that does what the dry run said, without the store, as words for a shell.
    private let command: [String]
    /// Tables, statements and rows that are shown without `--verbose`.
    private static let most = 20

    init(
        _ report: Report, _ document: PlanDocument, _ times: ShownTimes, showsAll: Bool, backupWords: [String]?,
        command: [String]
    ) {
        self.backupWords = backupWords
        self.times = times
        var report = report
        // What is said of a change is said by the command that planned it.
        report.command = document.command.rawValue
        self.report = report
        self.document = document
        self.showsAll = showsAll
        self.command = command
    }

    var blocks: [Block] {
        let origin: Block = .heading(
            "a plan of meterfix \(document.commandWords) \(Version.current), made for \(document.storeName): \(times.text(document.made))"
        )
        if let staleness = report.staleness { return [origin] + moved(staleness) }
        guard let plan = report.plan, !plan.isEmpty else {
            return [origin, .paragraph(.tone(.good, "nothing to do: the plan is empty"))]
                + (report.plan?.notes ?? []).map { .note(.warning, "\(times.sentence($0))") }
        }
        return [origin, .group(planBlocks)]
    }

    private var planBlocks: [Block] {
        switch document.command {
        case .migrate: MigrateText(report, times, showsAll: showsAll, command: command).blocks
        case .importKV: ImportText(report, nil, times, showsAll: showsAll).blocks
        case .unlock, .set, .delete, .restoreRecord: RecordChangeText(report, document.command, times).blocks
        case .fix: FixText(report, of: document.cures, times, showsAll: showsAll, command: command).blocks
        // No plan is an `apply`'s own.
        case .rebuild, .apply:
            RebuildText(report, times, showsAll: showsAll, backupWords: backupWords, command: command).blocks
        }
    }

    private func moved(_ staleness: Staleness) -> [Block] {
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
        lines += staleness.rows.map(line)
        let shown = ShownPart(of: lines, most: Self.most, showsAll: showsAll)
        return [.paragraph("what has changed since:"), .list(Array(shown.elements))] + shown.remark
    }

    private func line(_ row: Staleness.Row) -> Inline {
        switch row.change {
        case .gone: return "row \(row.row) is gone"
        case .new: return "row \(row.row) is there, where the plan puts a new record"
        case .field(let field, let then, let now):
            let values = FieldText.quoted([then, now], field.kind, times)
            return "row \(row.row), \(field.name): \(values[0]) then, \(values[1]) now"
        }
    }

    private func rows(_ count: Int?) -> String { count.map { Phrase.count($0, "row") } ?? "no table" }
}
