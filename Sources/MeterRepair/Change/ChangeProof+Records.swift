internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

extension ChangeProof {
    /// The written records, read again, what is left to do, and, as the last of all, the schema.
    /// - Parameters:
    ///   - store: after the change.
    ///   - updatedBefore: has seen the updated records as they were.
    ///   - written: has seen the written records as they are.
    ///   - remaining: what the planner would still do.
    /// - Throws: `Failure`; the transaction must not be committed then.
    func checkRecords(
        _ store: InspectedStore, _ updatedBefore: UpdatedRecords, _ written: WrittenRecords, remaining: Plan,
        _ database: Database
    ) throws {
        guard remaining.isEmpty else {
            throw Failure(description: "\(remaining.changes.count) changes would still be planned")
        }
        guard store.addresses.records == plan.summary.records - rows.deleted.count + rows.inserted.count else {
            throw Failure(description: "\(store.addresses.records) records are left instead of the planned number")
        }
        let updatedAfter = written.updated
        guard updatedAfter.versions.count == rows.updated.count else {
            throw Failure(description: "\(rows.updated.count - updatedAfter.versions.count) updated rows are gone")
        }
        for (index, version) in updatedAfter.versions.enumerated() where version != updatedBefore.versions[index] + 1 {
            throw Failure(description: "Z_OPT of row \(rows.updated[index].row) did not go up by one")
        }
        guard updatedAfter.digest == updatedBefore.digest else {
            throw Failure(description: "a field of an updated row changed that the plan does not name")
        }
        guard written.inserted == rows.inserted.count else {
            throw Failure(description: "\(rows.inserted.count - written.inserted) planned rows are not there")
        }
        try schema.check(store, database)
    }
}
