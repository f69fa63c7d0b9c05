internal import CoreDataStore
internal import GRDB
package import MeterInspect
package import MeterModel
package import MeterStore

/// Clears the locks of one meter, in each of its records and in each spelling.
package struct UnlockPlanner: Planner {
    package let command = WritingCommand.unlock
    package let address: MACAddress
    /// Also clear a lock whose device is connected right now.
    let force: Bool

    package init(_ address: MACAddress, force: Bool) {
        self.address = address
        self.force = force
    }

    package var options: [PlanOption] {
        [NamedRecords.meter(address).option] + (force ? [.force] : [])
    }

    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> MeterRecords {
        try MeterRecords(of: .meter(address), in: store, settings, source.database)
    }

    package func plan(
        for store: InspectedStore, _ settings: SettingsTable, by meter: MeterRecords
    ) throws -> Plan {
        var updates: [(record: DeviceSettings, fields: [FieldChange])] = []
        var notes: [String] = []
        for record in meter.records where record.hasLock {
            for lock in record.locks where !lock.isExpired(at: store.now) {
                if lock.isLive(at: store.now) && !force { throw Refusal.liveLock(lock, of: address, in: store) }
                notes.append(lock.warning(row: record.row))
            }
            updates.append((record, meter.editor.stamped(meter.editor.unlocking(record), of: record)))
        }
        if let note = orderNote(meter, updates, store) { notes.append(note) }
        return meter.plan(updating: updates, notes: notes)
    }

    /// A meter's records are merged by `updatedAt`, and clearing a lock moves that: says so where another value of the
    /// user's would come out on top.
    private func orderNote(
        _ meter: MeterRecords, _ updates: [(record: DeviceSettings, fields: [FieldChange])], _ store: InspectedStore
    ) -> String? {
        guard meter.records.count > 1, !updates.isEmpty else { return nil }
        let changed = Dictionary(uniqueKeysWithValues: updates.map { ($0.record.row, $0.fields) })
        let after = meter.records.map { record in changed[record.row].map(record.with) ?? record }
        let (before, later) = (kept(of: meter.records, store), kept(of: after, store))
        let moved = SettingsField.userData.filter { before[$0] != later[$0] }
        guard !moved.isEmpty else { return nil }
        let values = moved.map {
            "\($0.rawValue) \((later[$0] ?? .null).shown) instead of \((before[$0] ?? .null).shown)"
        }
        return
            "the meter has \(meter.records.count) records, and what is written last counts: a rebuild would now keep "
            + "\(Phrase.list(values)); rebuild first to keep the other"
    }

    private func kept(of records: [DeviceSettings], _ store: InspectedStore) -> [SettingsField: FieldValue] {
        Merge(rebuilding: records, of: address, in: store).userData
    }
}
