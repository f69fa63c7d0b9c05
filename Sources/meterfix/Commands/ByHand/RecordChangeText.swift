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
        var table = Block.Table()
        switch change {
        case .update(let update):
            for field in update.fields {
                let values = FieldText.quoted(field.delta, times)
                table.add([.text(field.field.name), .text(values[0]), "→", .text(values[1])])
            }
            let name = update.fields.first { $0.field.known == .meterName }?.before.text ?? report.names[update.row]
            return [heading(meter.address, name, "row \(update.row)"), .table(table)]
        case .insert(let insertion):
            for field in insertion.fields {
                let source =
                    field.donor.map { $0 == 0 ? "as it was" : "row \($0) as it was" }
                    ?? "new: another record has its old id now"
                let value = FieldText.quoted([field.after], field.field.kind, times)[0]
                table.add([.text(field.field.name), .text(value), .remark("(\(source))")])
            }
            let name = insertion.fields.first { $0.field.known == .meterName }?.after.text
            return [heading(meter.address, name, "new row \(insertion.row)"), .table(table)]
        case .delete(let deletion):
            for (field, value) in zip(deletion.record.layout.fields, deletion.record.values) where !value.isNull {
                table.add([.text(field.name), .text(FieldText.quoted([value], field.kind, times)[0])])
            }
            let name = deletion.record[.meterName].text
            return [heading(meter.address, name, "row \(deletion.record.row)"), .table(table)]
        }
    }

    private func heading(_ address: MACAddress?, _ name: String?, _ row: String) -> Block {
        guard let address else { return .heading("no usable address  \(row)") }
        return .heading("\(Inline.meter(address.text(in: report.letterCase), name))  \(row)")
    }

    private func outcome(_ plan: Plan, _ nothing: String) -> [Block] {
        let (updated, inserted) = (plan.summary.updated, plan.summary.inserted)
        let deleted = plan.summary.deleted
        let numbers =
            inserted > 0
            ? "\(Phrase.count(inserted, "record")) restored"
            : deleted > 0
                ? "\(Phrase.count(deleted, "record")) deleted" : "\(Phrase.count(updated, "record")) updated"
        return ending(numbers, nothing: .tone(.good, "nothing to do: \(nothing)"))
    }
}
