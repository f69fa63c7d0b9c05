extension Plan {
    /// This plan and one that was made for the store as this one leaves it, as a single plan for the store as it is.
    /// - Parameter next: inserts and deletes no record.
    package func followed(by next: Plan) -> Plan {
        var plan = self
        plan.schemaChanges += next.schemaChanges
        plan.cloudDeletions += next.cloudDeletions
        plan.take(next.meters)
        let keys = Set(metadataChanges.map(\.key))
        plan.metadataChanges += next.metadataChanges.filter { !keys.contains($0.key) }
        plan.notes += next.notes
        return plan
    }

    private mutating func take(_ others: [MeterPlan]) {
        var places: [MACAddress: Int] = [:]
        for (place, meter) in meters.enumerated() {
            if let address = meter.address { places[address] = place }
        }
        for other in others {
            if let place = other.address.flatMap({ places[$0] }) {
                for case .update(let update) in other.records { meters[place].take(update) }
            } else {
                meters.append(other)
            }
        }
        meters.removeAll { $0.records.isEmpty }
    }
}

extension MeterPlan {
    /// Adds what is done to a record after what is planned for it already.
    fileprivate mutating func take(_ next: RecordUpdate) {
        for (place, record) in records.enumerated() {
            guard case .update(let update) = record, update.row == next.row else { continue }
            if let both = update.followed(by: next) {
                records[place] = .update(both)
            } else {
                records.remove(at: place)
            }
            return
        }
        // The update of the winner comes first.
        records.insert(.update(next), at: next.row == winner?.row ? 0 : records.endIndex)
    }
}

extension RecordUpdate {
    /// Both as one; nil where the record ends as it began.
    fileprivate func followed(by next: RecordUpdate) -> RecordUpdate? {
        var changes = fields
        for change in next.fields {
            guard let place = changes.firstIndex(where: { $0.field == change.field }) else {
                changes.append(change)
                continue
            }
            changes[place] = FieldChange(
                field: change.field, before: changes[place].before, after: change.after, donor: change.donor,
                rule: change.rule)
        }
        changes.removeAll { $0.before == $0.after }
        guard !changes.isEmpty else { return nil }
        changes.sort { layout.position(of: $0.field)! < layout.position(of: $1.field)! }
        return RecordUpdate(row: row, cloudRecord: cloudRecord, layout: layout, fields: changes)
    }
}
