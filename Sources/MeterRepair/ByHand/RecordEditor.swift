internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// Makes the changes of records that stay the records they are: one field, or a lock, and `updatedAt` because of them.
struct RecordEditor {
    let layout: RecordLayout
    let now: Timestamp

    /// The change of a known field; nil where the store lacks the attribute.
    func change(
        _ field: SettingsField, of record: DeviceSettings, to value: FieldValue, by rule: SurvivorshipRule
    ) -> FieldChange? {
        layout.position(of: field).map { position in
            FieldChange(
                field: layout.fields[position], before: record.values[position], after: value, donor: nil, rule: rule)
        }
    }

    /// The changes of a record and, because of them, of its `updatedAt`, in the order of the layout.
    func stamped(_ changes: [FieldChange], of record: DeviceSettings) -> [FieldChange] {
        let stamp = change(.updatedAt, of: record, to: .real(now.secondsSince2001), by: .now)
        let all = changes + (stamp.map { $0.before == $0.after ? [] : [$0] } ?? [])
        return all.sorted { layout.position(of: $0.field)! < layout.position(of: $1.field)! }
    }

    /// Clears the lock as a whole, in each spelling.
    func unlocking(_ record: DeviceSettings) -> [FieldChange] {
        SettingsField.lock.filter { !record[$0].isNull }
            .compactMap { change($0, of: record, to: .null, by: .unlocked) }
    }
}

extension ConnectionLock {
    /// What to say where a lock is cleared that has not expired.
    func warning(row: Int64) -> String {
        let end = expiresAt.map { "until \($0)" } ?? "without an end"
        return
            "row \(row): the lock of \(shownHolder) had not expired (\(end)); if "
            + "that device is connected, it takes the lock again within 60 s"
    }
}

extension DeviceSettings {
    /// The record after these changes.
    func with(_ changes: [FieldChange]) -> DeviceSettings {
        var values = Array(self.values)
        for change in changes { layout.position(of: change.field).map { values[$0] = change.after } }
        return DeviceSettings(row: row, layout: layout, readingBlobsOf: values, cloudRecord: cloudRecord)
    }
}

extension Merge {
    /// What a rebuild makes of a meter's records as they are.
    init(rebuilding records: [DeviceSettings], of address: MACAddress, in store: InspectedStore) {
        self.init(of: records, at: address, in: store.letterCase, policy: .mostComplete, now: store.now)
    }

    /// What the user typed, as the rebuild leaves it.
    var userData: [SettingsField: FieldValue] {
        var values: [SettingsField: FieldValue] = [:]
        for field in SettingsField.userData {
            values[field] = changes.first { $0.field.known == field }?.after ?? winner[field]
        }
        return values
    }
}
