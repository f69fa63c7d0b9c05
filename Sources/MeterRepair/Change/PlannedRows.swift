internal import CoreDataStore
internal import MeterModel

/// The records that a plan changes, each kind in the order of row numbers, and the objects that it deletes in CloudKit
/// only.
struct PlannedRows {
    private(set) var deleted: [RecordDeletion] = []
    private(set) var updated: [RecordUpdate] = []
    private(set) var inserted: [RecordInsertion] = []
    /// Gone from the store already; by entity and row number.
    let gone: [CloudDeletion]

    init(_ plan: Plan) {
        gone = plan.cloudDeletions.sorted { $0.object < $1.object }
        for change in plan.meters.lazy.flatMap(\.records) {
            switch change {
            case .delete(let deletion): deleted.append(deletion)
            case .update(let update): updated.append(update)
            case .insert(let insertion): inserted.append(insertion)
            }
        }
        deleted.sort { $0.record.row < $1.record.row }
        updated.sort { $0.row < $1.row }
        inserted.sort { $0.row < $1.row }
    }

    /// Each change of a record: as the rows lie in the file, so that each page is written once, then the new ones.
    /// - Parameter isConstrained: whether no two records may have one address, not even for a moment. Deletes come first
    ///   then.
    func changes(isConstrained: Bool) -> [RecordChange] {
        let others = deleted.map(RecordChange.delete) + updated.map(RecordChange.update)
        // Each kind is in the order of row numbers by itself.
        let inOrder = isConstrained ? others : others.sorted { $0.row < $1.row }
        return inOrder + inserted.map(RecordChange.insert)
    }
}
