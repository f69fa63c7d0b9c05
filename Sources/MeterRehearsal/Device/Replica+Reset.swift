internal import MeterModel

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
