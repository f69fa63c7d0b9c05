internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The deleted records of a meter, those deleted last first.
struct MergedRecordsText {
    private let merged: MergedRecords

    init(_ merged: MergedRecords) { self.merged = merged }

    var blocks: [Block] {
        let mac = merged.address.text(in: merged.letterCase)
        guard !merged.records.isEmpty else { return merged.absence.map { .paragraph("\($0)") } }
        var table = Block.Table(["entry", "row", "merged into", "meterName", "updatedAt", ""], widest: 36)
        for record in merged.records {
            table.add([
                .code(record.entry), "row \(record.row)", record.mergedInto.map { "row \($0)" } ?? "–",
                FieldText.cell(record.record[.meterName], .text), FieldText.cell(record.record[.updatedAt], .date),
                record.isInStore ? "in the store" : "",
            ])
        }
        return [.heading("\(.code(mac))  \(Phrase.count(merged.records.count, "deleted record"))"), .table(table)]
    }
}
