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

extension Replica {
    /// The mirror starts over: it forgets how far it has read the zone, and what becomes of the records depends on why.
    /// - Parameter newest: the zone's token at this moment.
    func startOver(_ reset: MirrorReset, newest: Int, _ journal: inout Journal) {
        forgetPlace(newest)
        switch reset {
        case .accountChange: discard(numbers, &journal)
        case .historyLost:
            discard(numbers.filter(isKnownToMirror), &journal)
            // Without a token the mirror looks for rows that it does not know.
            for number in numbers where pending[number] == nil { markPending(number) }
        case .tokenExpired: uploadsAgain = Set(numbers.filter(isKnownToMirror))
        }
    }

    /// The zone was emptied, which this device learns now.
    /// - Parameter newest: the zone's token at this moment.
    func startOver(_ reset: ZoneReset, newest: Int, _ journal: inout Journal) {
        forgetPlace(newest)
        switch reset {
        case .deletedByUser: discard(numbers.filter(isKnownToMirror), &journal)
        case .lost: uploadsAgain = Set(numbers.filter(isKnownToMirror))
        }
    }

    private func forgetPlace(_ newest: Int) {
        token = 0
        deletionsKnownFrom = newest
        isWaitingForUpgrade = false
    }

    /// Whether the mirror has metadata of the record: it is in CloudKit, or was on its way there.
    private func isKnownToMirror(_ number: RecordNumber) -> Bool {
        self[number]?.tag != Record.new || pending[number]?.wasSent == true
    }

    /// Deletes records on the device only. With them goes what waits for CloudKit: their changes, and the deletions of
    /// records that are gone already.
    private func discard(_ numbers: [RecordNumber], _ journal: inout Journal) {
        journal.isMirrorReset = true
        let deletions = pending.filter { $0.value.isDeletion }.keys.sorted { $0.index < $1.index }
        for number in deletions {
            pending[number] = nil
            journal.note(register.meter(of: number), "forgets that it deleted record \(shortName(number))")
        }
        for number in numbers {
            let unsent = pending[number] == nil ? "" : ", with changes that were not uploaded"
            pending[number] = nil
            remove(number)
            journal.note(register.meter(of: number), "deletes record \(shortName(number)) here\(unsent)")
        }
    }
}
