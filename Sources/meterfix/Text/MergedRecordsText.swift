internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The deleted records of a meter, those deleted last first.
struct MergedRecordsText {
    private let merged: MergedRecords
    private let times: ShownTimes

    init(_ merged: MergedRecords, _ times: ShownTimes) {
        self.merged = merged
        self.times = times
    }

    var blocks: [Block] {
        guard !merged.records.isEmpty else { return merged.absence.map { .paragraph("\($0)") } }
        var table = Block.Table(["entry", "row", "merged into", "meterName", "updatedAt", ""], widest: 36)
        for record in merged.records {
            table.add([
                .code(record.entry), "row \(record.row)", record.mergedInto.map { "row \($0)" } ?? "–",
                FieldText.cell(record.record[.meterName]), times.cell(record.record.updatedAt),
                record.isInStore ? "in the store" : "",
            ])
        }
        let subject = merged.address.map { Inline.code($0.text(in: merged.letterCase)) } ?? "without a usable address"
        return [.heading("\(subject)  \(Phrase.count(merged.records.count, "deleted record"))"), .table(table)]
    }
}
