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
    /// Hands over what a merge gives up: each different value once for a meter, in the order of the changes. What the user
    /// typed is looked up in the records themselves; of other attributes the conflicts say it.
    package func forEachGivenUp(_ body: (GivenUpValue) -> Void) {
        // What is not the user's is said of few records; of which of them are deleted, the changes tell.
        let others = conflicts.filter { !$0.field.isUserData }
        let wanted = Set(others.flatMap { $0.dropped.compactMap(\.row) })
        var deleted: Set<Int64> = []
        var meter = GivenUpByMeter()
        for change in changes {
            switch change {
            case .update(let update): meter.add(update, body)
            case .delete(let deletion):
                meter.add(deletion, body)
                if wanted.contains(deletion.record.row) { deleted.insert(deletion.record.row) }
            case .cloudDelete, .insert, .schema, .metadata: break
            }
        }
        for conflict in others {
            var known: [FieldValue] = []
            for dropped in conflict.dropped where !known.contains(dropped.value) {
                guard let row = dropped.row else { continue }
                known.append(dropped.value)
                body(
                    GivenUpValue(
                        address: conflict.address, field: conflict.field, value: dropped.value, kept: conflict.kept,
                        row: row, isDeleted: deleted.contains(row)))
            }
        }
    }
}

/// What the user typed and a merge gives up, of the meter whose changes are being looked at: changes of one meter follow
/// one another, its update first.
private struct GivenUpByMeter {
    private var address: MACAddress?
    private var update: RecordUpdate?
    private var known: [GivenUpValue] = []

    private mutating func begin(_ address: MACAddress) {
        guard self.address != address else { return }
        self = GivenUpByMeter()
        self.address = address
    }

    private mutating func add(_ value: GivenUpValue, _ body: (GivenUpValue) -> Void) {
        guard !value.value.readsLike(value.kept),
            !known.contains(where: { $0.field == value.field && $0.value == value.value })
        else { return }
        known.append(value)
        body(value)
    }

    mutating func add(_ update: RecordUpdate, _ body: (GivenUpValue) -> Void) {
        guard let address = update.address else { return }
        begin(address)
        self.update = update
        for change in update.fields where change.field.isUserData && !change.before.isEmpty {
            add(
                GivenUpValue(
                    address: address, field: change.field, value: change.before, kept: change.after,
                    row: update.row, isDeleted: false), body)
        }
    }

    mutating func add(_ deletion: RecordDeletion, _ body: (GivenUpValue) -> Void) {
        // Without a usable address, and without another record, there is no meter that could have it back.
        guard let address = deletion.address, let survivor = deletion.merger?.survivor else { return }
        begin(address)
        let record = deletion.record
        for field in SettingsField.userData {
            guard let position = record.layout.position(of: field), !record.values.isEmpty(position) else { continue }
            let after = update?.fields.first { $0.field.known == field }?.after
            // Most have the same value, which is told without making a text of it.
            guard after != nil || !record.values.isEqual(position, to: survivor.values) else { continue }
            let (value, kept) = (record.values[position], after ?? survivor.values[position])
            guard value != kept else { continue }
            add(
                GivenUpValue(
                    address: address, field: record.layout.fields[position], value: value, kept: kept,
                    row: record.row, isDeleted: true), body)
        }
    }
}

/// What first aid does to the store.
extension FirstAid {
    /// The update of the record that the app finds first; nil where it stays as it is.
    package var update: RecordUpdate? {
        guard let found, !changes.isEmpty else { return nil }
        return RecordUpdate(
            row: found.row, address: address, cloudRecord: found.cloudRecord?.name, layout: found.layout,
            fields: changes)
    }
}

/// What a merge does to the store.
extension Merge {
    /// The update of the winner; nil where it stays as it is.
    package var update: RecordUpdate? {
        guard !changes.isEmpty else { return nil }
        return RecordUpdate(
            row: winner.row, address: address, cloudRecord: winner.cloudRecord?.name, layout: winner.layout,
            fields: changes)
    }

    /// The deletes of the losers, in the winner's order.
    package var deletions: [RecordDeletion] {
        zip(losers, advantages).map { loser, advantage in
            RecordDeletion(record: loser, address: address, mergedInto: .init(winner, by: advantage))
        }
    }
}
