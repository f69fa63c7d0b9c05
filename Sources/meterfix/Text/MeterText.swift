internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// One meter's records side by side, and what becomes of them.
struct MeterText {
    struct Meter {
        let address: MACAddress
        var update: RecordUpdate?
        var deletions: [RecordDeletion] = []
        var conflicts: [Conflict] = []
    }

    private let meter: Meter
    private let mac: String
    private let style: Style
    /// Characters of a value in the table.
    private static let widest = 24

    init(_ meter: Meter, in letterCase: LetterCase, _ style: Style) {
        self.meter = meter
        self.style = style
        mac = meter.address.text(in: letterCase)
    }

    var lines: [String] {
        guard let survivor = meter.deletions.first?.survivor else { return aloneLines }
        var lines = [
            style.bold("\(mac)  \(Phrase.count(meter.deletions.count + 1, "record"))"),
            "  row \(survivor.row) stays: " + reasons,
        ]
        lines += table(survivor).lines(indent: "  ", style)
        lines += meter.conflicts.map(conflictLine)
        return lines
    }

    /// A meter with one record, whose address is respelled.
    private var aloneLines: [String] {
        guard let update = meter.update else { return [] }
        return [style.bold("\(mac)  1 record, row \(update.row)")]
            + update.fields.filter { $0.rule != .now }.map { change in
                "  \(change.field.name): \(Escaped.quoted(change.before, change.field.kind)) becomes "
                    + "\(Escaped.quoted(change.after, change.field.kind)), \(reason(change))"
            }
    }

    private var reasons: String {
        WinnerStep.allCases.compactMap { step in
            let rows = meter.deletions.filter { $0.advantage == step }.map(\.record.row).sorted()
            return rows.isEmpty ? nil : "\(step.sentence) \(rowList(rows))"
        }.joined(separator: "; ")
    }

    private func table(_ survivor: DeviceSettings) -> TextTable {
        var table = TextTable(widest: Self.widest, hasHead: true)
        let changes = Dictionary(
            (meter.update?.fields ?? []).map { ($0.field.name, $0) }, uniquingKeysWith: { first, _ in first })
        let records = [survivor] + meter.deletions.map(\.record)
        table.add(
            ["kept", "row \(survivor.row) stays"] + meter.deletions.map { "row \($0.record.row) goes" } + ["becomes"],
            marked: [0])
        for (position, field) in survivor.layout.fields.enumerated()
        where records.contains(where: { !$0.values[position].isNull }) || changes[field.name] != nil {
            let values = records.map { Escaped.value($0.values[position], field.kind) }
            let change = changes[field.name]
            let becomes = change.map { Escaped.value($0.after, field.kind) } ?? ""
            table.add(
                [field.name] + values + [becomes], marked: kept(position, change, of: records),
                remark: change.map { "(\(reason($0)))" })
        }
        if records.contains(where: { $0.cloudRecord != nil }) {
            table.add(
                ["CloudKit record"] + records.map { $0.cloudRecord.map { Escaped.text($0.name ?? "unnamed") } ?? "–" })
        }
        return table
    }

    /// The column of the value that the meter's record has in the end, where there was a choice.
    private func kept(_ position: Int, _ change: FieldChange?, of records: [DeviceSettings]) -> Set<Int> {
        let row = change.map(\.donor) ?? records[0].row
        let value = change?.after ?? records[0].values[position]
        guard records.contains(where: { $0.values[position] != value }),
            let index = records.firstIndex(where: { $0.row == row && $0.values[position] == value })
        else { return [] }
        return [index + 1]
    }

    private func reason(_ change: FieldChange) -> String {
        let from = change.donor.map { ", row \($0)" } ?? ""
        switch change.rule {
        case .newestNonEmpty: return "newest value\(from)"
        case .fillNull: return "was empty\(from)"
        case .canonicalText: return "the store's spelling"
        case .latestLock: return "latest lock\(from)"
        case .latestDiscovery: return "latest discovery\(from)"
        case .earliest: return "earliest\(from)"
        case .now: return "changed now"
        case .legacyFill: return "was empty, from the dump"
        case .legacyReplace: return "from the dump"
        case .newRecord: return "new"
        case .restored: return "from a backup\(from)"
        case .unlocked: return "cleared"
        case .byHand: return "given by hand"
        }
    }

    private func conflictLine(_ conflict: Conflict) -> String {
        let dropped = conflict.dropped.map {
            "\(Escaped.quoted($0.value, conflict.field.kind)) (\(Self.source($0.row)))"
        }
        return "  \(style.severity(.warning, "conflict")) \(conflict.field.name): kept "
            + "\(Escaped.quoted(conflict.kept, conflict.field.kind)) (\(Self.source(conflict.keptFrom))), "
            + "dropped \(dropped.joined(separator: ", "))"
    }

    private static func source(_ row: Int64?) -> String { row.map { "row \($0)" } ?? "the dump" }
}

extension WinnerStep {
    /// Why a record is kept; the other record's row follows.
    fileprivate var sentence: String {
        switch self {
        case .completeness: "more user data than"
        case .updatedAt: "changed later than"
        case .cloudRecord: "in CloudKit, unlike"
        case .recordName: "smaller CloudKit record name than"
        case .createdAt: "created earlier than"
        case .id: "smaller id than"
        case .row: "smaller row number than"
        }
    }
}
