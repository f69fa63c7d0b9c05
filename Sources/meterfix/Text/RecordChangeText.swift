internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A change of the one record that a command names, field by field: `set`, `unlock`, `restore-record`.
struct RecordChangeText {
    private let report: Report
    private let command: WritingCommand
    /// The command that carries out the plan of a dry run, without the store, as words for a shell; nil where the plan was
    /// not written down.
    private let application: [String]?
    private let times: ShownTimes

    init(_ report: Report, _ command: WritingCommand, application: [String]? = nil, _ times: ShownTimes) {
        self.report = report
        self.times = times
        self.command = command
        self.application = application
    }

    var blocks: [Block] {
        guard let plan = report.plan else { return [] }
        let notes = plan.notes.map { Block.note(.warning, "\(times.sentence($0))") }
        return plan.changes.flatMap(blocks) + notes + outcome(plan)
    }

    private func blocks(_ change: Change) -> [Block] {
        var table = Block.Table()
        switch change {
        case .update(let update):
            for field in update.fields {
                let values = FieldText.quoted([field.before, field.after], field.field.kind, times)
                table.add([.text(field.field.name), .text(values[0]), "→", .text(values[1])])
            }
            let name = update.fields.first { $0.field.known == .meterName }?.before.text ?? report.names[update.row]
            return [heading(update.address, name, "row \(update.row)"), .table(table)]
        case .insert(let insertion):
            for field in insertion.fields {
                let source = field.donor.map { "row \($0) of the backup" } ?? "new: its own is another record's now"
                let value = FieldText.quoted([field.after], field.field.kind, times)[0]
                table.add([.text(field.field.name), .text(value), .remark("(\(source))")])
            }
            let name = insertion.fields.first { $0.field.known == .meterName }?.after.text
            return [heading(insertion.address, name, "new row \(insertion.row)"), .table(table)]
        case .delete, .cloudDelete, .schema, .metadata: return []
        }
    }

    private func heading(_ address: MACAddress, _ name: String?, _ row: String) -> Block {
        .heading("\(MeterLabel.inline(address.text(in: report.letterCase), name))  \(row)")
    }

    private func outcome(_ plan: Plan) -> [Block] {
        let (updated, inserted) = (plan.summary.updated, plan.summary.inserted)
        let numbers =
            inserted > 0
            ? "\(Phrase.count(inserted, "record")) brought back" : "\(Phrase.count(updated, "record")) updated"
        switch report.outcome {
        case .planned:
            return [.paragraph("planned: \(numbers)")] + ClosingText.blocks(report)
                + [NextStep.line(application, on: report.store)]
        case .applied: return [.paragraph(.tone(.good, "done: \(numbers)"))] + ClosingText.blocks(report)
        case .unchanged, .stale, nil: return [.paragraph(.tone(.good, "nothing to do: \(reasonForNothing)"))]
        }
    }

    private var reasonForNothing: String {
        switch command {
        case .unlock: "the meter is not locked"
        case .restoreRecord: "the store has a record with these very values"
        case .set, .rebuild, .importKV, .migrate, .apply, .fix: "the record has these values already"
        }
    }
}
