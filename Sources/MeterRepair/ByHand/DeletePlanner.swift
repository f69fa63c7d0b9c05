internal import CoreDataStore
internal import GRDB
package import MeterInspect
internal import MeterJournal
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

    package struct Evidence {
        /// Nil where the store has none in this row.
        let record: DeviceSettings?
        /// How many records of the store CloudKit knows.
        let size: StoreSize
    }

    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Evidence {
        Evidence(
            record: try settings.wholeRecords(of: [row], in: store.description, source.database)[row],
            size: try store.size(settings, source.database))
    }

    package func plan(for store: InspectedStore, _ settings: SettingsTable, by evidence: Evidence) throws -> Plan {
        guard let record = evidence.record else { throw Refusal.noRecord(row: row, in: store) }
        if !force, let refusal = Refusal.needed(record, in: store) { throw refusal }
        var plan = plan(deleting: record, of: evidence.size)
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
        return self.plan(deleting: evidence.record, of: evidence.size)
    }

    private func plan(deleting record: DeviceSettings?, of size: StoreSize) -> Plan {
        let deletion = record.map { RecordDeletion(record: $0, address: $0.usableAddress, mergedInto: nil) }
        return Plan(changes: deletion.map { [.delete($0)] } ?? [], of: size)
    }
}
