/// What becomes of the records of one meter, or of one record without a usable address.
package struct MeterPlan: Hashable, Sendable {
    /// Before the change; nil for a record without a usable one.
    package let address: MACAddress?
    /// The record that the deleted ones are merged into, as it is before the change; nil where none is merged.
    package var winner: DeviceSettings?
    /// The update of the winner comes first.
    package var records: [RecordChange]
    package var conflicts: [Conflict]

    package init(
        _ address: MACAddress?, winner: DeviceSettings? = nil, _ records: [RecordChange], conflicts: [Conflict] = []
    ) {
        self.address = address
        self.winner = winner
        self.records = records
        self.conflicts = conflicts
    }

    /// What a merge does.
    package init(_ merge: Merge) {
        let update = merge.changes.isEmpty ? [] : [RecordChange.update(RecordUpdate(of: merge.winner, merge.changes))]
        self.init(
            merge.address, winner: merge.losers.isEmpty ? nil : merge.winner,
            update + zip(merge.losers, merge.advantages).map { .delete(RecordDeletion($0, by: $1)) },
            conflicts: merge.conflicts)
    }

    /// What first aid does; nil where it does nothing.
    package init?(_ aid: FirstAid) {
        guard let found = aid.found, !aid.changes.isEmpty else { return nil }
        self.init(aid.address, [.update(RecordUpdate(of: found, aid.changes))])
    }

    /// Updates of records, each with its meter: one plan for each meter, in the order of their first records.
    package static func updating(_ updates: [(address: MACAddress?, update: RecordUpdate)]) -> [MeterPlan] {
        var meters: [MeterPlan] = []
        var places: [MACAddress: Int] = [:]
        for (address, update) in updates {
            if let address, let place = places[address] {
                meters[place].records.append(.update(update))
            } else {
                if let address { places[address] = meters.count }
                meters.append(MeterPlan(address, [.update(update)]))
            }
        }
        return meters
    }

    /// The first update: of the winner, where records are merged.
    package var update: RecordUpdate? {
        for case .update(let update) in records { return update }
        return nil
    }

    package var deletions: [RecordDeletion] {
        records.compactMap { if case .delete(let deletion) = $0 { deletion } else { nil } }
    }

    /// Those of all its records that the plan tells of.
    package var rows: [Int64] { [update?.row, winner?.row].compactMap(\.self) + deletions.map(\.record.row) }

    /// What the meter is called once it has one record; nil where it has no name, or where that cannot be told.
    package var nameAfter: String? {
        let name = update?.after(.meterName) ?? winner?[.meterName]
        return name.flatMap { $0.isEmpty ? nil : $0.text }
    }
}

/// A value that the records of a meter had before a change and its record does not have afterwards.
package struct DiscardedValue: Hashable, Sendable {
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
    /// Hands over what is discarded: what the user typed first, in the order of the meters.
    package func forEachDiscarded(_ body: (DiscardedValue) -> Void) {
        for meter in meters { meter.typedDiscarded.forEach(body) }
        for meter in meters where !meter.conflicts.isEmpty { meter.otherDiscarded.forEach(body) }
    }
}

extension MeterPlan {
    /// Each different value once, what the user typed first.
    package var discarded: [DiscardedValue] { typedDiscarded + otherDiscarded }

    /// What the user typed is looked up in the records themselves. (A single update most often discards nothing.)
    fileprivate var typedDiscarded: [DiscardedValue] {
        guard let address else { return [] }
        var values: [DiscardedValue] = []
        func add(_ field: RecordLayout.Field, _ value: FieldValue, kept: FieldValue, _ row: Int64, isDeleted: Bool) {
            guard !value.meansTheSame(as: kept, in: field),
                !values.contains(where: { $0.field == field && $0.value == value })
            else { return }
            values.append(
                DiscardedValue(
                    address: address, field: field, value: value, kept: kept, row: row, isDeleted: isDeleted))
        }
        for case .update(let update) in records {
            for change in update.fields where change.field.isUserData && !change.before.isEmpty {
                add(change.field, change.before, kept: change.after, update.row, isDeleted: false)
            }
        }
        // Without another record there is no meter that could have it back.
        guard let winner else { return values }
        let update = update
        let updated = SettingsField.userData.map { ($0, update?.after($0)) }
        for case .delete(let deletion) in records {
            let record = deletion.record
            for (field, after) in updated {
                guard let position = record.layout.position(of: field), !record.isEmpty(field) else { continue }
                let (value, kept) = (record[field], after ?? winner[field])
                guard value != kept else { continue }
                add(record.layout.fields[position], value, kept: kept, record.row, isDeleted: true)
            }
        }
        return values
    }

    /// Of other attributes the conflicts say it. The record that is kept keeps its own.
    fileprivate var otherDiscarded: [DiscardedValue] {
        var values: [DiscardedValue] = []
        for conflict in conflicts where !conflict.field.isUserData {
            var known: [FieldValue] = []
            for dropped in conflict.dropped where !known.contains(dropped.value) {
                guard let row = dropped.row else { continue }
                known.append(dropped.value)
                values.append(
                    DiscardedValue(
                        address: conflict.address, field: conflict.field, value: dropped.value, kept: conflict.kept,
                        row: row, isDeleted: true))
            }
        }
        return values
    }
}
