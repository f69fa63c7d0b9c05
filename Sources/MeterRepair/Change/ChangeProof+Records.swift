internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

extension ChangeProof {
    /// The written records, read again, what is left to do, and, as the last of all, the schema.
    /// - Parameters:
    ///   - store: after the change.
    ///   - updatedBefore: has seen the updated records as they were.
    ///   - written: has seen the written records as they are.
    ///   - remaining: what the planner would still do.
    /// - Throws: `ProofError`; the transaction must not be committed then.
    func checkRecords(
        _ store: InspectedStore, _ updatedBefore: UpdatedRecords, _ written: WrittenRecords, remaining: Plan,
        _ database: Database
    ) throws {
        guard remaining.isEmpty else {
            throw ProofError(description: "\(remaining.changes.count) changes would still be planned")
        }
        guard store.addresses.records == plan.summary.records - rows.deleted.count + rows.inserted.count else {
            throw ProofError(description: "\(store.addresses.records) records are left instead of the planned number")
        }
        let updatedAfter = written.updated
        guard updatedAfter.versions == updatedBefore.versions.map({ $0 + 1 }) else {
            throw ProofError(description: "Z_OPT of an updated row did not go up by one, or the row is gone")
        }
        guard updatedAfter.digest == updatedBefore.digest else {
            throw ProofError(description: "a field of an updated row changed that the plan does not name")
        }
        guard written.inserted == rows.inserted.count else {
            throw ProofError(description: "\(rows.inserted.count - written.inserted) planned rows are not there")
        }
        try schema.check(store, database)
    }
}
