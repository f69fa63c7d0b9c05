internal import MeterModel

extension Replica {
    /// The next batch to upload: the records that were changed first, as they are now.
    /// - Parameter size: the most records.
    func nextBatch(_ size: Int) -> [CloudZone.Item] {
        let changed = pending.filter { !$0.value.fields.isEmpty || ($0.value.isDeletion && !$0.value.isDeletionSent) }
        let waiting =
            uploadsAgain.filter { pending[$0] == nil }.map { (transaction: 0, record: $0) }
            + changed.map { (transaction: $0.value.transaction, record: $0.key) }
        let next = waiting.sorted { ($0.transaction, $0.record.index) < ($1.transaction, $1.record.index) }
            .prefix(size)
        return next.map { _, number in
            pending[number]?.wasSent = true
            if let record = self[number] {
                if let fields = pending[number]?.fields {
                    pending[number]!.sent.formUnion(fields)
                    pending[number]!.fields = []
                }
                let tag = uploadsAgain.contains(number) ? Record.new : record.tag
                let changed = pending[number]?.unconfirmed ?? []
                return CloudZone.Item(
                    record: number, work: .save(record.values, tag: tag),
                    leavesAlone: fieldsLeftAlone.subtracting(changed.subtracting(unknownFields)))
            }
            pending[number]!.isDeletionSent = true
            return CloudZone.Item(record: number, work: .delete)
        }
    }

    /// The batch succeeded.
    /// - Parameter tags: of each saved version; 0 for a deletion.
    func confirm(_ batch: [CloudZone.Item], tags: [Int]) {
        for (item, tag) in zip(batch, tags) {
            switch item.work {
            // One of the same name may have been created since.
            case .delete: if pending[item.record]?.isDeletion == true { pending[item.record] = nil }
            case .save(let values, _):
                records[item.record.index]?.tag = tag
                uploadsAgain.remove(item.record)
                guard var change = pending[item.record] else { continue }
                change.sent = []
                change.base = CommonVersion(values: values)
                pending[item.record] = change.fields.isEmpty && !change.isDeletion ? nil : change
            }
        }
    }

    /// The batch failed, or its outcome is unknown: everything in it waits again.
    func takeBack(_ batch: [CloudZone.Item]) {
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
