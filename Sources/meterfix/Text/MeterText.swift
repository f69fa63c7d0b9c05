internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// One meter's records side by side, and what becomes of them.
struct MeterText {
    let meter: MeterPlan
    let letterCase: LetterCase
    /// Of records, by row.
    let names: [Int64: String]
    /// Whether all its records are kept.
    var isFirstAid = false
    let times: ShownTimes

    var mac: String { meter.address?.text(in: letterCase) ?? "no usable address" }

    /// What the meter is called now, where the records do not say it.
    var name: String? { meter.nameAfter ?? meter.update.flatMap { names[$0.row] } }

    private var label: Inline { Inline.meter(mac, name) }

    var blocks: [Block] {
        guard !meter.deletions.isEmpty else { return alone }
        return .section(
            "\(label)  \(Phrase.count(meter.deletions.count + 1, "record"))",
            body(isDone: false) + [.list(meter.conflicts.map { Self.conflictLine($0, times) })])
    }

    /// What is below the meter's name.
    /// - Parameter isDone: whether it was made already.
    func body(isDone: Bool) -> [Block] {
        guard let winner = meter.winner else { return [.list(lines)] }
        var merging = table(winner).block
        merging.isDone = isDone
        let reasons = Self.reasons(meter.deletions)
        return ["row \(winner.row) \(isDone ? "was kept" : "is kept"): \(reasons)", .merging(merging)]
    }

    /// A meter none of whose records is deleted: the address of its only one becomes canonical, or first aid fills one of several.
    private var alone: [Block] {
        guard let update = meter.update else { return [] }
        let records = isFirstAid ? "the app finds row \(update.row)" : "1 record, row \(update.row)"
        return [.section("\(label)  \(records)", [.list(lines)])]
    }

    /// The values of a single record that change.
    private var lines: [Inline] {
        (meter.update?.fields ?? []).filter { $0.rule != .now }.map { change in
            let values = FieldText.quoted(change.delta, times)
            return "\(change.field.name): \(values[0]) becomes \(values[1]), \(RecordTable.reason(change))"
        }
    }

    private func table(_ winner: DeviceSettings) -> RecordTable {
        RecordTable(
            records: [winner] + meter.deletions.map(\.record), changes: meter.update?.fields ?? [],
            heads: ["row \(winner.row), kept"] + meter.deletions.map { "row \($0.record.row), deleted" },
            discarded: meter.discarded, showsAll: times.showsAll, times: times)
    }

    /// Why one record is kept and the others are not.
    static func reasons(_ deletions: [RecordDeletion]) -> String {
        WinnerStep.allCases.compactMap { step in
            let rows = deletions.filter { $0.advantage == step }.map(\.record.row).sorted()
            return rows.isEmpty ? nil : "\(step.sentence) \(rowList(rows))"
        }.joined(separator: "; ")
    }

    static func conflictLine(_ conflict: Conflict, _ times: ShownTimes) -> Inline {
        let values = FieldText.quoted([conflict.kept] + conflict.dropped.map(\.value), conflict.field.kind, times)
        let dropped = zip(conflict.dropped, values.dropFirst()).map { "\($1) (\(source($0.row)))" }
        return
            "\(.tone(.warning, "conflict")) \(conflict.field.name): kept \(values[0]) (\(source(conflict.keptFrom))), discarded \(dropped.joined(separator: ", "))"
    }

    private static func source(_ row: Int64?) -> String { row.map { "row \($0)" } ?? "chosen by hand" }
}

extension WinnerStep {
    /// Why a record is kept; the other record's row follows.
    fileprivate var sentence: String {
        switch self {
        case .pendingDelete: "not about to be deleted, unlike"
        case .mark: "not marked as deleted, unlike"
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
