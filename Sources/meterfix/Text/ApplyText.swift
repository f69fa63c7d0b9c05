internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A plan that is carried out, as text: as the command that planned shows it, or what moved on since.
struct ApplyText {
    private let report: Report
    private let document: PlanDocument
    private let style: Style
    private let showsAll: Bool
    /// The command that does what the dry run said, without the store, as words for a shell.
    private let command: [String]
    /// Tables, statements and rows that are shown without `--verbose`.
    private static let most = 20

    init(_ report: Report, _ document: PlanDocument, _ style: Style, showsAll: Bool, command: [String]) {
        self.report = report
        self.document = document
        self.style = style
        self.showsAll = showsAll
        self.command = command
    }

    var lines: [String] {
        let origin =
            "a plan of meterfix \(document.command.rawValue) \(Escaped.text(document.version)), made at \(document.made) for "
            + Escaped.text(document.storeName)
        if let drift = report.drift { return [style.bold(origin)] + moved(drift) }
        guard !document.plan.isEmpty else {
            return [style.bold(origin), style.good("nothing to do: the plan is empty")]
        }
        return [style.bold(origin), ""] + planLines
    }

    private var planLines: [String] {
        switch document.command {
        case .migrate: MigrateText(report, style, showsAll: showsAll, command: command).lines
        case .importKV: ImportText(report, nil, style, showsAll: showsAll).lines
        case .unlock, .set, .restoreRecord: RecordChangeText(report, document.command, style).lines
        // No plan is an `apply`'s own.
        case .rebuild, .apply: RebuildText(report, style, showsAll: showsAll, command: command).lines
        }
    }

    private func moved(_ drift: Drift) -> [String] {
        if drift.isApplied { return ["this plan was applied already"] }
        var lines: [String] = []
        if let identity = drift.identity {
            lines.append("store: \(uuid(identity.then)) then, \(uuid(identity.now)) now")
        }
        lines += drift.statementsGone.map { "schema, then only: \(Escaped.text($0))" }
        lines += drift.statementsNew.map { "schema, now only: \(Escaped.text($0))" }
        lines += drift.tables.map { table in
            "\(Escaped.text(table.name)): \(rows(table.then)) then, \(rows(table.now)) now"
                + (table.then == table.now ? ", with other contents" : "")
        }
        lines += drift.rows.map(line)
        let shown = showsAll ? lines : Array(lines.prefix(Self.most))
        let rest = lines.count - shown.count
        return ["what moved on since:"] + shown.map { "  \($0)" }
            + (rest > 0 ? ["  … and \(rest) more, see --verbose or --json"] : [])
    }

    private func line(_ row: Drift.Row) -> String {
        switch row.change {
        case .gone: "row \(row.row) is gone"
        case .new: "row \(row.row) is there, where the plan puts a new record"
        case .field(let field, let then, let now):
            "row \(row.row), \(field.name): \(Escaped.quoted(then, field.kind)) then, "
                + "\(Escaped.quoted(now, field.kind)) now"
        }
    }

    private func rows(_ count: Int?) -> String { count.map { Phrase.count($0, "row") } ?? "no table" }

    private func uuid(_ text: String?) -> String { text.map { Escaped.text($0) } ?? "no UUID" }
}
