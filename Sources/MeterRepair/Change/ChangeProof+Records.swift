internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

extension ChangeProof {
    /// The written records, read again.
    /// - Parameter store: as it is after the change.
    func checkRecords(
        _ store: InspectedStore, _ updatedBefore: UpdatedRecords, _ written: WrittenRecords
    ) throws {
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
    }
}
