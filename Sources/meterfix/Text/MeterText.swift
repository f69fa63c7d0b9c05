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

    init(_ meter: Meter, in letterCase: LetterCase) {
        self.meter = meter
        mac = meter.address.text(in: letterCase)
    }

    var blocks: [Block] {
        guard let survivor = meter.deletions.first?.merger?.survivor else { return alone }
        let body: [Block] = [
            .paragraph("row \(survivor.row) stays: \(reasons)"), .table(table(survivor).block),
            .list(meter.conflicts.map(Self.conflictLine)),
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
                "\(change.field.name): \(FieldText.quoted(before, kind)) becomes \(FieldText.quoted(after, kind)), \(RecordTable.reason(change))"
        }
        return [.section("\(.code(mac))  1 record, row \(update.row)", [.list(lines)])]
    }

    private func table(_ survivor: DeviceSettings) -> RecordTable {
        RecordTable(
            [survivor] + meter.deletions.map(\.record), meter.update?.fields ?? [],
            heads: ["row \(survivor.row) stays"] + meter.deletions.map { "row \($0.record.row) goes" })
    }

    private var reasons: String { Self.reasons(meter.deletions) }

    /// Why one record is kept and the others are not.
    static func reasons(_ deletions: [RecordDeletion]) -> String {
        WinnerStep.allCases.compactMap { step in
            let rows = deletions.filter { $0.merger?.advantage == step }.map(\.record.row).sorted()
            return rows.isEmpty ? nil : "\(step.sentence) \(rowList(rows))"
        }.joined(separator: "; ")
    }

    static func conflictLine(_ conflict: Conflict) -> Inline {
        let kind = conflict.field.kind
        let dropped = conflict.dropped.map { "\(FieldText.quoted($0.value, kind)) (\(source($0.row)))" }
        return
            "\(.tone(.warning, "conflict")) \(conflict.field.name): kept \(FieldText.quoted(conflict.kept, kind)) (\(source(conflict.keptFrom))), dropped \(dropped.joined(separator: ", "))"
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
