internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A change of the one record that a command names, field by field: `set`, `unlock`, `delete`, `restore-record`.
struct RecordChangeText {
    private let report: Report
    private let command: WritingCommand
    /// The command that carries out the plan of a dry run, without the store, as words for a shell; nil where the plan was
    /// not written down.
    private let application: [String]?

    init(_ report: Report, _ command: WritingCommand, application: [String]? = nil) {
        self.report = report
        self.command = command
        self.application = application
    }

    var blocks: [Block] {
        guard let plan = report.plan else { return [] }
        let notes = plan.notes.map { Block.note(.warning, "\($0)") }
        return plan.changes.flatMap { Self.blocks(of: $0, report.letterCase) } + notes + outcome(plan)
    }

    /// A change of a record, field by field; nothing for any other.
    static func blocks(of change: Change, _ letterCase: LetterCase) -> [Block] {
        var table = Block.Table()
        switch change {
        case .update(let update):
            for field in update.fields {
                table.add([.text(field.field.name), cell(field.before, field), "→", cell(field.after, field)])
            }
            return [heading(update.address, "row \(update.row)", letterCase), .table(table)]
        case .insert(let insertion):
            for field in insertion.fields {
                let source = field.donor.map { "row \($0) of the backup" } ?? "new: its own is another record's now"
                table.add([.text(field.field.name), cell(field.after, field), .remark("(\(source))")])
            }
            return [heading(insertion.address, "new row \(insertion.row)", letterCase), .table(table)]
        case .delete(let deletion):
            for (field, value) in zip(deletion.record.layout.fields, deletion.record.values) where !value.isNull {
                table.add([.text(field.name), .text(FieldText.quoted(value, field.kind))])
            }
            return [heading(deletion.address, "row \(deletion.record.row)", letterCase), .table(table)]
        case .cloudDelete, .schema, .metadata: return []
        }
    }

    private static func cell(_ value: FieldValue, _ change: FieldChange) -> Block.Cell {
        .text(FieldText.quoted(value, change.field.kind))
    }

    private static func heading(_ address: MACAddress?, _ row: String, _ letterCase: LetterCase) -> Block {
        guard let address else { return .heading("no usable address  \(row)") }
        return .heading("\(.code(address.text(in: letterCase)))  \(row)")
    }

    private func outcome(_ plan: Plan) -> [Block] {
        let (updated, inserted) = (plan.summary.updated, plan.summary.inserted)
        let deleted = plan.summary.deleted
        let numbers =
            inserted > 0
            ? "\(Phrase.count(inserted, "record")) brought back"
            : deleted > 0
                ? "\(Phrase.count(deleted, "record")) deleted" : "\(Phrase.count(updated, "record")) updated"
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
        case .set, .rebuild, .importKV, .migrate, .apply, .fix, .delete: "the record has these values already"
        }
    }
}
