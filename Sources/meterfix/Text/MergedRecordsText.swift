internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The deleted records of a meter as text, those deleted last first.
struct MergedRecordsText {
    private let merged: MergedRecords
    private let style: Style

    init(_ merged: MergedRecords, _ style: Style) {
        self.merged = merged
        self.style = style
    }

    var lines: [String] {
        let mac = merged.address.text(in: merged.letterCase)
        guard !merged.records.isEmpty else { return merged.absence.map { Escaped.text($0) } }
        var table = TextTable(widest: 36)
        table.add(["entry", "row", "merged into", "meterName", "updatedAt", ""])
        for record in merged.records {
            table.add([
                Escaped.text(record.entry), "row \(record.row)", "row \(record.mergedInto)",
                Escaped.value(record.record[.meterName], .text), Escaped.value(record.record[.updatedAt], .date),
                record.isInStore ? "in the store" : "",
            ])
        }
        return [style.bold("\(mac)  \(Phrase.count(merged.records.count, "deleted record"))")]
            + table.lines(indent: "  ", style)
    }
}
