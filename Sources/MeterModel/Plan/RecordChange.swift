/// What becomes of one record.
package enum RecordChange: Hashable, Sendable {
    case update(RecordUpdate)
    case delete(RecordDeletion)
    case insert(RecordInsertion)

    package var row: Int64 {
        switch self {
        case .update(let update): update.row
        case .delete(let deletion): deletion.record.row
        case .insert(let insertion): insertion.row
        }
    }
}

/// A record updated in place.
package struct RecordUpdate: Hashable, Sendable {
    package let row: Int64
    /// CloudKit record name.
    package let cloudRecord: String?
    /// Of the record. All changed fields are in it.
    package let layout: RecordLayout
    /// What changes, one for each field.
    package let fields: [FieldChange]

    package init(row: Int64, cloudRecord: String?, layout: RecordLayout, fields: [FieldChange]) {
        precondition(
            fields.allSatisfy { layout.position(of: $0.field) != nil }, "each changed field is in the record's layout")
        self.row = row
        self.cloudRecord = cloudRecord
        self.layout = layout
        self.fields = fields
    }

    /// - Parameter record: as it is before the change.
    package init(of record: DeviceSettings, _ fields: [FieldChange]) {
        self.init(row: record.row, cloudRecord: record.cloudRecord?.name, layout: record.layout, fields: fields)
    }

    /// What a field becomes; nil where it stays.
    package func after(_ field: SettingsField) -> FieldValue? { fields.first { $0.field.known == field }?.after }
}

/// A deleted record; in full, because it is gone afterwards.
package struct RecordDeletion: Hashable, Sendable {
    package let record: DeviceSettings
    /// The step of the winners' order in which the meter's winner came before it; nil for a record that was deleted because
    /// the user named it.
    package let advantage: WinnerStep?

    package init(_ record: DeviceSettings, by advantage: WinnerStep? = nil) {
        self.record = record
        self.advantage = advantage
    }
}

/// A new record.
package struct RecordInsertion: Hashable, Sendable {
    /// The row number it gets.
    package let row: Int64
    /// Its values that are not NULL, in the order of the layout.
    package let fields: [FieldChange]

    package init(row: Int64, fields: [FieldChange]) {
        self.row = row
        self.fields = fields
    }
}

extension [FieldChange] {
    /// Where the changed fields are in a store's layout, which has them all.
    package func positions(in layout: RecordLayout) -> [Int] { map { layout.position(of: $0.field)! } }
}
