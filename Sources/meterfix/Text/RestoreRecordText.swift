internal import MeterModel
internal import MeterRepair

/// A restored record as text: what it is now, and what that means.
struct RestoreRecordText {
    private let report: Report
    private let style: Style

    init(_ report: Report, _ style: Style) {
        self.report = report
        self.style = style
    }

    var lines: [String] {
        guard let plan = report.plan else { return [] }
        var lines: [String] = []
        for case .insert(let insertion) in plan.changes {
            lines.append(style.bold("\(insertion.address.text(in: report.letterCase))  new row \(insertion.row)"))
            var table = TextTable()
            for change in insertion.fields {
                let source = change.donor.map { "row \($0) of the backup" } ?? "new: its own is another record's now"
                table.add([change.field.name, Escaped.quoted(change.after, change.field.kind)], remark: "(\(source))")
            }
            lines += table.lines(indent: "  ", style)
        }
        lines += plan.notes.map { style.severity(.warning, Escaped.text($0)) }
        switch report.outcome {
        case .unchanged, .stale, nil:
            lines.append(style.good("nothing to do: the store has a record with these very values"))
        case .planned: lines.append("to do it: the same command without --dry-run")
        case .applied:
            lines.append(style.good("done: 1 record brought back"))
            if let backup = report.backup { lines.append("backup: \(Escaped.text(backup))") }
        }
        return lines
    }
}
