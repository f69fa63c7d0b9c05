internal import Answer
internal import MeterInspect
internal import MeterModel

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
    private static let widest = 24

    init(_ meter: Meter, in letterCase: LetterCase) {
        self.meter = meter
        mac = meter.address.text(in: letterCase)
    }

    var blocks: [Block] {
        guard let survivor = meter.deletions.first?.merger?.survivor else { return alone }
        let body: [Block] = [
            .paragraph("row \(survivor.row) stays: \(reasons)"), .table(table(survivor)),
            .list(meter.conflicts.map(conflictLine)),
        ]
        return [.section("\(.code(mac))  \(Phrase.count(meter.deletions.count + 1, "record"))", body)]
    }

    /// A meter with one record, whose address is respelled.
    private var alone: [Block] {
        guard let update = meter.update else { return [] }
        let lines = update.fields.filter { $0.rule != .now }.map { change -> Inline in
            let (before, after) = (change.before, change.after)
            let kind = change.field.kind
            return
                "\(change.field.name): \(FieldText.quoted(before, kind)) becomes \(FieldText.quoted(after, kind)), \(reason(change))"
        }
        return [.section("\(.code(mac))  1 record, row \(update.row)", [.list(lines)])]
    }

    private var reasons: String {
        WinnerStep.allCases.compactMap { step in
            let rows = meter.deletions.filter { $0.merger?.advantage == step }.map(\.record.row).sorted()
            return rows.isEmpty ? nil : "\(step.sentence) \(rowList(rows))"
        }.joined(separator: "; ")
    }

    private func table(_ survivor: DeviceSettings) -> Block.Table {
        let changes = Dictionary(
            (meter.update?.fields ?? []).map { ($0.field.name, $0) }, uniquingKeysWith: { first, _ in first })
        let records = [survivor] + meter.deletions.map(\.record)
        let goes = meter.deletions.map { Block.Cell("row \($0.record.row) goes") }
        var table = Block.Table(
            [Block.Cell("kept", isMarked: true), "row \(survivor.row) stays"] + goes + ["becomes"], widest: Self.widest)
        for (position, field) in survivor.layout.fields.enumerated()
        where records.contains(where: { !$0.values[position].isNull }) || changes[field.name] != nil {
            var values = records.map { FieldText.cell($0.values[position], field.kind) }
            let change = changes[field.name]
            if let kept = kept(position, change, of: records) { values[kept].isMarked = true }
            values.append(change.map { FieldText.cell($0.after, field.kind) } ?? "")
            if let change { values.append(.remark("(\(reason(change)))")) }
            table.add([.text(field.name)] + values)
        }
        if records.contains(where: { $0.cloudRecord != nil }) {
            table.add(
                ["CloudKit record"] + records.map { .text($0.cloudRecord.map { $0.name ?? "unnamed" } ?? "–") })
        }
        return table
    }

    /// The record whose value the meter's record has in the end, where there was a choice.
    private func kept(_ position: Int, _ change: FieldChange?, of records: [DeviceSettings]) -> Int? {
        let row = change.map(\.donor) ?? records[0].row
        let value = change?.after ?? records[0].values[position]
        guard records.contains(where: { $0.values[position] != value }) else { return nil }
        return records.firstIndex { $0.row == row && $0.values[position] == value }
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
        case .newIdentity: return "its own from now on"
        case .unreadable: return "could not be read"
        case .understood: return "as the app writes it"
        }
    }

    private func conflictLine(_ conflict: Conflict) -> Inline {
        let kind = conflict.field.kind
        let dropped = conflict.dropped.map { "\(FieldText.quoted($0.value, kind)) (\(Self.source($0.row)))" }
        return
            "\(.tone(.warning, "conflict")) \(conflict.field.name): kept \(FieldText.quoted(conflict.kept, kind)) (\(Self.source(conflict.keptFrom))), dropped \(dropped.joined(separator: ", "))"
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
