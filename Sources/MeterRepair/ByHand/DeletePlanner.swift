internal import CoreDataStore
internal import GRDB
package import MeterInspect
package import MeterModel
package import MeterStore

/// Deletes one record that nothing needs, here and, by the history, in CloudKit.
package struct DeletePlanner: Planner {
    package let command = WritingCommand.delete
    /// `Z_PK`.
    let row: Int64
    /// Also a record with what the user typed, or of a meter.
    let force: Bool

    package init(row: Int64, force: Bool) {
        self.row = row
        self.force = force
    }

    package var options: [PlanOption] {
        [NamedRecords.row(row).option] + (force ? [.force] : [])
    }

    package struct Evidence {
        /// Nil where the store has none in this row.
        let record: DeviceSettings?
        /// How many records of the store CloudKit knows.
        let mirrored: Int
    }

    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Evidence {
        Evidence(
            record: try settings.wholeRecords(of: [row], in: store.description, source.database)[row],
            mirrored: try settings.mirroredRecords(store.description.mirror, source.database))
    }

    package func plan(for store: InspectedStore, _ settings: SettingsTable, by evidence: Evidence) throws -> Plan {
        guard let record = evidence.record else { throw Refusal.noRecord(row: row, in: store) }
        if !force, let refusal = Refusal.needed(record, in: store) { throw refusal }
        var plan = plan(deleting: record, in: store, mirrored: evidence.mirrored)
        let values = record.irreplaceableTexts
        if !values.isEmpty {
            let list = Phrase.start(of: values, limit: 3)
            plan.notes.append("deleted with row \(row): \(list)")
        }
        return plan
    }

    /// Nothing is left to do where the record is gone.
    package func remaining(
        of plan: Plan, in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Plan {
        let evidence = try evidence(in: store, settings, source)
        return self.plan(deleting: evidence.record, in: store, mirrored: evidence.mirrored)
    }

    private func plan(deleting record: DeviceSettings?, in store: InspectedStore, mirrored: Int) -> Plan {
        var summary = Summary(records: store.addresses.records, groups: store.addresses.groups)
        summary.deleted = record == nil ? 0 : 1
        return Plan(
            changes: record.map {
                [.delete(RecordDeletion(record: $0, address: $0.usableAddress, mergedInto: nil))]
            } ?? [], conflicts: [], summary: summary,
            cloud: CloudCost(
                updates: 0, deletes: record?.cloudRecord == nil ? 0 : 1, recreateDeletes: mirrored,
                recreateInserts: mirrored == 0 ? 0 : summary.records - summary.deleted))
    }
}
