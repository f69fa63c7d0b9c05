/// What a merge does to the store.
extension Merge {
    /// The update of the winner; nil where it stays as it is.
    package var update: RecordUpdate? {
        guard !changes.isEmpty else { return nil }
        return RecordUpdate(
            row: winner.row, address: address, cloudRecord: winner.cloudRecord?.name, layout: winner.layout,
            fields: changes)
    }

    /// The deletes of the losers, in the winner's order.
    package var deletions: [RecordDeletion] {
        zip(losers, advantages).map { loser, advantage in
            RecordDeletion(record: loser, address: address, mergedInto: .init(winner, by: advantage))
        }
    }
}
