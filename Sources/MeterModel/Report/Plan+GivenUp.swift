/// A value that the records of a meter had before a change and its record does not have afterwards.
package struct GivenUpValue: Hashable, Sendable {
    package let address: MACAddress
    package let field: RecordLayout.Field
    package let value: FieldValue
    /// What the meter has instead.
    package let kept: FieldValue
    /// A record that had it.
    package let row: Int64
    /// Whether that record is deleted.
    package let isDeleted: Bool
}

extension Plan {
    /// What a merge gives up: each different value once for a meter, in the order of the changes. What the user typed is
    /// looked up in the records themselves, of other attributes the conflicts say it.
    package var givenUp: [GivenUpValue] {
        var given: [GivenUpValue] = []
        var deleted: Set<Int64> = []
        var update: RecordUpdate?
        // Of the meter whose changes are being looked at.
        var start = 0
        func add(_ value: GivenUpValue) {
            let isKnown = given[start...].contains { $0.field == value.field && $0.value == value.value }
            if !isKnown { given.append(value) }
        }
        var last: MACAddress?
        func begin(_ address: MACAddress) {
            // Changes of one meter follow one another, its update first.
            guard last != address else { return }
            (last, start, update) = (address, given.count, nil)
        }
        for change in changes {
            switch change {
            case .update(let own):
                begin(own.address)
                update = own
                for field in own.fields where field.field.isUserData && !field.before.isEmpty {
                    add(
                        GivenUpValue(
                            address: own.address, field: field.field, value: field.before, kept: field.after,
                            row: own.row, isDeleted: false))
                }
            case .delete(let deletion):
                begin(deletion.address)
                let (record, survivor) = (deletion.record, deletion.survivor)
                for known in SettingsField.userData {
                    guard let position = record.layout.position(of: known), !record.values.isEmpty(position) else {
                        continue
                    }
                    let after = update?.fields.first { $0.field.known == known }?.after
                    guard after != nil || !record.values.isEqual(position, to: survivor.values) else { continue }
                    let (value, kept) = (record.values[position], after ?? survivor.values[position])
                    guard value != kept else { continue }
                    add(
                        GivenUpValue(
                            address: deletion.address, field: record.layout.fields[position], value: value, kept: kept,
                            row: record.row, isDeleted: true))
                }
                if !conflicts.isEmpty { deleted.insert(record.row) }
            case .cloudDelete, .insert, .schema, .metadata: break
            }
        }
        for conflict in conflicts where !conflict.field.isUserData {
            start = given.count
            for dropped in conflict.dropped {
                guard let row = dropped.row else { continue }
                add(
                    GivenUpValue(
                        address: conflict.address, field: conflict.field, value: dropped.value, kept: conflict.kept,
                        row: row, isDeleted: deleted.contains(row)))
            }
        }
        return given
    }
}

extension RecordLayout.Field {
    fileprivate var isUserData: Bool { known.map(SettingsField.userData.contains) ?? false }
}
