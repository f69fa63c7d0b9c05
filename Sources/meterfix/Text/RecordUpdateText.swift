internal import MeterModel
internal import MeterRepair

/// A change of one meter's records, field by field, as text.
struct RecordUpdateText {
    private let report: Report
    private let style: Style

    init(_ report: Report, _ style: Style) {
        self.report = report
        self.style = style
    }

    var lines: [String] {
        guard let plan = report.plan else { return [] }
        var lines: [String] = []
        for case .update(let update) in plan.changes {
            lines.append(style.bold("\(update.address.text(in: report.letterCase))  row \(update.row)"))
            var table = TextTable()
            for change in update.fields {
                let kind = change.field.kind
                table.add([
                    change.field.name, Escaped.quoted(change.before, kind), "→", Escaped.quoted(change.after, kind),
                ])
            }
            lines += table.lines(indent: "  ", style)
        }
        return lines + plan.notes.map { style.severity(.warning, Escaped.text($0)) } + outcome(plan)
    }

    private func outcome(_ plan: Plan) -> [String] {
        let records = counted(plan.summary.updated, "record")
        switch report.outcome {
        case .planned: return ["planned: \(records) updated", "to do it: the same command without --dry-run"]
        case .applied:
            let backup = report.backup.map { ["backup: \(Escaped.text($0))"] } ?? []
            return [style.good("done: \(records) updated")] + backup
        case .unchanged, .stale, nil:
            let reason = report.command == "unlock" ? "the meter is not locked" : "the record has these values already"
            return [style.good("nothing to do: \(reason)")]
        }
    }
}
