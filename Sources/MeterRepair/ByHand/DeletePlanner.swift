internal import CoreDataStore
internal import GRDB
package import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

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

    package func plan(in session: MeterSession) throws -> Plan {
        guard let record = try record(in: session) else { throw Refusal.noRecord(row: row, in: session.store) }
        if !force, let refusal = Refusal.needed(record, in: session.store) { throw refusal }
        var plan = plan(deleting: record, of: try session.size())
        let values = record.irreplaceableTexts
        if !values.isEmpty {
            let list = Phrase.start(of: values, limit: 3)
            plan.notes.append("deleted with row \(row): \(list)")
        }
        if record.cloudRecord?.sharedBy != nil {
            plan.notes.append(
                "row \(row) lies in another zone, which somebody else shares: it is deleted in that person's iCloud, too, and "
                    + "for everybody else there")
        }
        return plan
    }

    /// Nothing is left to do where the record is gone.
    package func remaining(of plan: Plan, in session: MeterSession) throws -> Plan {
        self.plan(deleting: try record(in: session), of: try session.size())
    }

    /// Nil where the store has none in this row.
    private func record(in session: MeterSession) throws -> DeviceSettings? {
        try session.wholeRecords(of: [row])[row]
    }

    private func plan(deleting record: DeviceSettings?, of size: StoreSize) -> Plan {
        let meter = record.map { MeterPlan($0.usableAddress, [.delete(RecordDeletion($0))]) }
        return Plan(meters: meter.map { [$0] } ?? [], of: size)
    }
}
