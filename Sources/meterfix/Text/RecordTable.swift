internal import Answer
internal import MeterModel

/// Records side by side, field by field, and what becomes of them.
struct RecordTable {
    /// The one that is kept first; all of one layout.
    let records: [DeviceSettings]
    /// Of that one.
    let changes: [FieldChange]
    /// Of the records' columns.
    let heads: [String]
    /// Values that none of the records has afterwards.
    var discarded: [DiscardedValue] = []
    /// Columns after which a value is cut.
    var widest = 24
    /// Whether a terminal's table has identifiers too.
    var showsAll = true
    let times: ShownTimes

    /// Without the fields that are empty in each record, and stay so.
    var block: Block.Merging {
        var merging = Block.Merging(
            heads.enumerated().map { .init($1, isKept: $0 == 0) }, widest: widest, showsMinor: showsAll)
        for (position, field) in fields {
            let change = change(of: field)
            let all = records.map { $0.values[position] } + [change?.after].compactMap(\.self)
            let cells = FieldText.cells(all, field.kind, times)
            var property = Block.Merging.Property(field.name, Array(cells.prefix(records.count)))
            property.taken = kept(position, change)
            property.lost = lost(position, field)
            // The heading has it.
            let isSameAddress =
                field.known == .macAddress && change == nil && records.count > 1
                && Set(records.map { $0.values[position] }).count == 1
            property.isMinor = isSameAddress || Self.isForMachines(field)
            property.label = field.known.flatMap(Self.label)
            if let change {
                property.becomes = cells.last
                property.reason = Self.reason(change)
            }
            merging.add(property)
        }
        if records.contains(where: { $0.cloudRecord != nil }) {
            var property = Block.Merging.Property(
                "CloudKit record", records.map { .text($0.cloudRecord.map { $0.name ?? "unnamed" } ?? "–") })
            property.isMinor = true
            merging.add(property)
        }
        return merging
    }

    /// Whether its values are identifiers, or no text at all.
    private static func isForMachines(_ field: RecordLayout.Field) -> Bool {
        field.known?.role == .identifier || field.kind == .uuid || field.kind == .binary
    }

    /// What a page calls an attribute; nil for its name.
    private static func label(_ field: SettingsField) -> String? {
        switch field {
        case .macAddress: "Address"
        case .meterName: "Name"
        case .tc66TemperatureUnit: "Unit"
        case .modelType: "Model"
        case .createdAt: "Created"
        case .updatedAt: "Changed"
        case .lastSeenAt: "Last seen"
        case .lastSeenByDeviceName: "Last seen by"
        case .connectedByDeviceName: "Reserved for"
        case .connectedAt: "Reserved from"
        case .connectedExpiryAt: "Reserved until"
        default: nil
        }
    }

    /// The records with a value that is given up.
    private func lost(_ position: Int, _ field: RecordLayout.Field) -> Set<Int> {
        let values = discarded.filter { $0.field == field }.map(\.value)
        guard !values.isEmpty else { return [] }
        return Set(records.indices.filter { values.contains(records[$0].values[position]) })
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
        case .canonicalText: return "the canonical address"
        case .latestLock: return "latest lock\(from)"
        case .latestDiscovery: return "last seen\(from)"
        case .earliest: return "earliest\(from)"
        case .now: return "changed now"
        case .legacyFill: return "was empty, from the dump"
        case .legacyReplace: return "from the dump"
        case .newRecord: return "new"
        case .restored: return "from a backup\(from)"
        case .unlocked: return "cleared"
        case .byHand: return "chosen by hand\(from)"
        case .newIdentity: return "its own from now on"
        case .unreadable: return "could not be read"
        case .understood: return "as the app writes it"
        }
    }
}
