internal import MeterModel

extension Replica {
    /// The next batch to upload: the records that were changed first, as they are now.
    mutating func nextBatch() -> [CloudZone.Item] {
        let waiting = pending.filter { !$0.value.fields.isEmpty || ($0.value.isDeletion && !$0.value.isDeletionSent) }
        let next = waiting.sorted { ($0.value.transaction, $0.key.index) < ($1.value.transaction, $1.key.index) }
            .prefix(CloudZone.batchSize)
        return next.map { number, _ in
            pending[number]!.wasSent = true
            if let record = self[number] {
                pending[number]!.sent.formUnion(pending[number]!.fields)
                pending[number]!.fields = []
                return CloudZone.Item(record: number, work: .save(record.values, tag: record.tag))
            }
            pending[number]!.isDeletionSent = true
            return CloudZone.Item(record: number, work: .delete)
        }
    }

    /// The batch succeeded.
    /// - Parameter tags: of each saved version; 0 for a deletion.
    mutating func confirm(_ batch: [CloudZone.Item], tags: [Int]) {
        for (item, tag) in zip(batch, tags) {
            guard var change = pending[item.record] else { continue }
            switch item.work {
            case .delete: pending[item.record] = nil
            case .save:
                records[item.record.index]?.tag = tag
                change.sent = []
                pending[item.record] = change.fields.isEmpty && !change.isDeletion ? nil : change
            }
        }
    }

    /// The batch failed, or its outcome is unknown: everything in it waits again.
    mutating func takeBack(_ batch: [CloudZone.Item]) {
        for item in batch {
            guard var change = pending[item.record] else { continue }
            change.fields.formUnion(change.sent)
            change.sent = []
            change.isDeletionSent = false
            if change.isDeletion { change.fields = [] }
            pending[item.record] = change
        }
    }
}
