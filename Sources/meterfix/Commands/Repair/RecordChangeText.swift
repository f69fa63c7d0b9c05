internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A change of the few records that a command names, field by field: `set`, `unlock`, `delete`, `restore-record`.
extension ChangeResult {
    /// - Parameter nothing: why there is nothing to do, where there is nothing.
    func blocksOfRecords(nothing: String, _ times: ShownTimes) -> [Block] {
        let plan = report.plan
        let notes = plan.notes.map { Block.note(.warning, "\(times.sentence($0))") }
        return plan.meters.flatMap { meter in meter.records.flatMap { blocks(of: $0, meter, times) } } + notes
            + outcome(plan, nothing)
    }

    /// A change of a record, field by field.
    func blocks(of change: RecordChange, _ meter: MeterPlan, _ times: ShownTimes) -> [Block] {
        let (name, row, rows): (String?, String, [[Block.Cell]])
        switch change {
        case .update(let update):
            name = update.fields.first { $0.field.known == .meterName }?.before.text ?? report.names[update.row]
            row = "row \(update.row)"
            rows = update.fields.map { field in
                let values = FieldText.quoted(field.delta, times)
                return [.text(field.field.name), .text(values[0]), "→", .text(values[1])]
            }
        case .insert(let insertion):
            name = insertion.fields.first { $0.field.known == .meterName }?.after.text
            row = "new row \(insertion.row)"
            rows = insertion.fields.map { field in
                let source =
                    field.donor.map { $0 == 0 ? "as it was" : "row \($0) as it was" }
                    ?? "new: another record has its old id now"
                let value = FieldText.quoted([field.after], field.field.kind, times)[0]
                return [.text(field.field.name), .text(value), .remark("(\(source))")]
            }
        case .delete(let deletion):
            name = deletion.record[.meterName].text
            row = "row \(deletion.record.row)"
            rows = zip(deletion.record.layout.fields, deletion.record.values).filter { !$1.isNull }.map {
                field, value in
                [.text(field.name), .text(FieldText.quoted([value], field.kind, times)[0])]
            }
        }
        let label = meter.address.map { Inline.meter($0.text(in: report.letterCase), name) } ?? "no usable address"
        return [.heading("\(label)  \(row)"), .table(.init(rows: rows))]
    }

    private func outcome(_ plan: Plan, _ nothing: String) -> [Block] {
        let summary = plan.summary
        let (number, verb) =
            summary.inserted > 0
            ? (summary.inserted, "restored")
            : summary.deleted > 0 ? (summary.deleted, "deleted") : (summary.updated, "updated")
        return ending("\(Phrase.count(number, "record")) \(verb)", nothing: .tone(.good, "nothing to do: \(nothing)"))
    }
}
