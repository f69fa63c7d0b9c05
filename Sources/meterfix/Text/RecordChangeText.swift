internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A change of the one record that a command names, field by field, as text: `set`, `unlock`, `restore-record`.
struct RecordChangeText {
    private let report: Report
    private let command: WritingCommand
    private let style: Style
    /// The command that carries out the plan of a dry run, without the store, as words for a shell; nil where the plan was
    /// not written down.
    private let application: [String]?

    init(_ report: Report, _ command: WritingCommand, _ style: Style, application: [String]? = nil) {
        self.report = report
        self.command = command
        self.style = style
        self.application = application
    }

    var lines: [String] {
        guard let plan = report.plan else { return [] }
        let notes = plan.notes.map { style.severity(.warning, Escaped.text($0)) }
        return plan.changes.flatMap(lines) + notes + outcome(plan)
    }

    private func lines(_ change: Change) -> [String] {
        var table = TextTable()
        switch change {
        case .update(let update):
            for field in update.fields {
                let kind = field.field.kind
                table.add([
                    field.field.name, Escaped.quoted(field.before, kind), "→", Escaped.quoted(field.after, kind),
                ])
            }
            return [title(update.address, "row \(update.row)")] + table.lines(indent: "  ", style)
        case .insert(let insertion):
            for field in insertion.fields {
                let source = field.donor.map { "row \($0) of the backup" } ?? "new: its own is another record's now"
                table.add([field.field.name, Escaped.quoted(field.after, field.field.kind)], remark: "(\(source))")
            }
            return [title(insertion.address, "new row \(insertion.row)")] + table.lines(indent: "  ", style)
        case .delete, .schema, .metadata: return []
        }
    }

    private func title(_ address: MACAddress, _ row: String) -> String {
        style.bold("\(address.text(in: report.letterCase))  \(row)")
    }

    private func outcome(_ plan: Plan) -> [String] {
        let (updated, inserted) = (plan.summary.updated, plan.summary.inserted)
        let numbers =
            inserted > 0
            ? "\(Phrase.count(inserted, "record")) brought back" : "\(Phrase.count(updated, "record")) updated"
        switch report.outcome {
        case .planned: return ["planned: \(numbers)", NextStep.line(application, on: report.store)]
        case .applied:
            return [style.good("done: \(numbers)")] + (report.backup.map { ["backup: \(Escaped.text($0))"] } ?? [])
        case .unchanged, .stale, nil: return [style.good("nothing to do: \(reasonForNothing)")]
        }
    }

    private var reasonForNothing: String {
        switch command {
        case .unlock: "the meter is not locked"
        case .restoreRecord: "the store has a record with these very values"
        case .set, .rebuild, .importKV, .migrate, .apply: "the record has these values already"
        }
    }
}
