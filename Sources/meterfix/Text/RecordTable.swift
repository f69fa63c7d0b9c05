internal import Answer
internal import MeterModel

/// Records side by side, field by field, and what becomes of them.
struct RecordTable {
    private let records: [DeviceSettings]
    private let changes: [FieldChange]
    private let heads: [String]
    private let widest: Int
    private let times: ShownTimes

    /// - Parameters:
    ///   - records: the one that is kept first; all of one layout.
    ///   - changes: of that one.
    ///   - heads: of the records' columns.
    ///   - widest: columns after which a value is cut.
    init(
        _ records: [DeviceSettings], _ changes: [FieldChange], heads: [String], widest: Int = 24,
        _ times: ShownTimes
    ) {
        self.records = records
        self.changes = changes
        self.heads = heads
        self.widest = widest
        self.times = times
    }

    /// Without the fields that are empty in each record, and stay so.
    var block: Block.Table {
        let isChoice = records.count > 1 || !changes.isEmpty
        let first = records.count > 1 ? Block.Cell("kept", isMarked: true) : ""
        var table = Block.Table(
            [first] + heads.map { Block.Cell($0) } + (isChoice ? ["becomes"] : []), widest: widest)
        for (position, field) in fields {
            let change = change(of: field)
            let all = records.map { $0.values[position] } + [change?.after].compactMap(\.self)
            var values = FieldText.cells(all, field.kind, times)
            if let kept = kept(position, change) { values[kept].isMarked = true }
            if isChoice, change == nil { values.append("") }
            if let change { values.append(.remark("(\(Self.reason(change)))")) }
            table.add([.text(field.name)] + values)
        }
        if records.contains(where: { $0.cloudRecord != nil }) {
            table.add(
                ["CloudKit record"] + records.map { .text($0.cloudRecord.map { $0.name ?? "unnamed" } ?? "–") })
        }
        return table
    }

    /// The names of the fields that are not in the table.
    var emptyFields: [String] {
        let shown = Set(fields.map(\.field.name))
        return (records.first?.layout.fields ?? []).map(\.name).filter { !shown.contains($0) }
    }

    private var fields: [(position: Int, field: RecordLayout.Field)] {
        guard let layout = records.first?.layout else { return [] }
        return layout.fields.enumerated().filter { position, field in
            records.contains { !$0.values[position].isNull } || change(of: field) != nil
        }.map { ($0.offset, $0.element) }
    }

    private func change(of field: RecordLayout.Field) -> FieldChange? {
        changes.first { $0.field.name == field.name }
    }

    /// The record whose value the meter's record has in the end, where there was a choice.
    private func kept(_ position: Int, _ change: FieldChange?) -> Int? {
        let row = change.map(\.donor) ?? records[0].row
        let value = change?.after ?? records[0].values[position]
        guard records.contains(where: { $0.values[position] != value }) else { return nil }
        return records.firstIndex { $0.row == row && $0.values[position] == value }
    }

    /// Why a field gets its new value.
    static func reason(_ change: FieldChange) -> String {
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
}
