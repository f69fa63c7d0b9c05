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
        let mac = merged.address.text(in: merged.letterCase)
        guard !merged.records.isEmpty else { return merged.absence.map { .paragraph("\($0)") } }
        var table = Block.Table(["entry", "row", "merged into", "meterName", "updatedAt", ""], widest: 36)
        for record in merged.records {
            table.add([
                .code(record.entry), "row \(record.row)", "row \(record.mergedInto)",
                FieldText.cell(record.record[.meterName]), times.cell(record.record.updatedAt),
                record.isInStore ? "in the store" : "",
            ])
        }
        return [.heading("\(.code(mac))  \(Phrase.count(merged.records.count, "deleted record"))"), .table(table)]
    }
}
