internal import CoreDataStore

/// What follows from the requests of a log.
extension RequestTimeline {
    /// Errors of an occasion without those that only carry another one.
    package func listed(_ occasion: MirrorRequest) -> [LoggedError] {
        let all = occasion.errors.map { errors[$0] }.filter { $0.fault.kind != .noise }
        let coded = all.filter { !$0.domain.isEmpty }
        let carriers = coded.filter(\.fault.isCarrier)
        let kept =
            coded.count > carriers.count ? nil : carriers.first { $0.domain == MirrorFault.cloudKit } ?? carriers.first
        let listed = all.filter { !$0.fault.isCarrier || $0 == kept }
        let known = listed.filter { $0.fault.kind != .note && !$0.isUnknownLine }
        if !known.isEmpty { return listed.filter { !$0.isUnknownLine } }
        // No all-clear without evidence: a failure stays one where nobody told its error.
        let isSilent = occasion.outcome == .failed && listed.allSatisfy(\.isNoteInWords)
        return isSilent ? listed + [.hiddenReason] : listed
    }

    /// Each error with how often, since when and until when, in the order of its first occasion.
    var entries: [LogEntry] {
        var entries: [LogEntry] = []
        var places: [String: Int] = [:]
        // Of each error, whether the last occasion of each party is overcome.
        var overcome: [[LogParty: Bool]] = []
        let successes = successes
        for occasion in occasions where !occasion.isTaken {
            for error in listed(occasion) {
                let place = places[error.fault.id] ?? entries.count
                if place == entries.count {
                    places[error.fault.id] = place
                    entries.append(LogEntry(error: error, first: occasion.from))
                    overcome.append([:])
                }
                entries[place].count += 1
                entries[place].last = occasion.to ?? occasion.from ?? entries[place].last
                let party = party(of: occasion)
                let isStuck = occasion.isOfClient && error.isUnknownLine
                entries[place].isStuck = entries[place].isStuck || isStuck
                overcome[place][party] = isOvercome(error.fault, occasion, party, successes)
            }
        }
        for (place, parties) in overcome.enumerated() {
            entries[place].isOvercome = !entries[place].isStuck && parties.values.allSatisfy(\.self)
        }
        return unread > 0 ? entries + [LogEntry(error: .brokenLog, count: unread, first: nil)] : entries
    }

    private var successes: LogSuccesses {
        occasions.reduce(into: olderSuccesses) { $0.add($1, party(of: $1)) }
    }

    private func isOvercome(
        _ fault: MirrorFault, _ occasion: MirrorRequest, _ party: LogParty, _ successes: LogSuccesses
    ) -> Bool {
        guard !isOutOfOrder, fault.id != "log-incomplete" else { return false }
        switch fault.kind {
        case .deletes, .build, .note, .noise: return false
        case .stops, .waits, .startsOver, .retries: break
        }
        if fault.id.hasPrefix("deferred") {
            return lastAllowed.contains { store, allowed in
                allowed > occasion.number && (store == nil || occasion.store == nil || store == occasion.store)
            }
        }
        return successes.contains(
            of: occasion.kind, for: party, after: occasion.number, isOneStore: stores.count < 2)
    }
}
