extension LogProcess {
    var isDaemon: Bool { name.map(RequestTimeline.daemons.contains) ?? false }
}

/// Whose a request is: that of a store, or that of a process where no store is named.
struct LogParty: Hashable {
    let store: String?
    let owner: LogProcess

    /// Whether what one did is evidence for the other. A log can be that of several devices, or of an app with several
    /// stores: then the success of one says nothing of the others.
    /// - Parameter isOneStore: whether the log is about one store, which is then also what the daemons speak of.
    func isEvidence(for other: LogParty, isOneStore: Bool) -> Bool {
        guard owner.isOnDevice(of: other.owner) else { return false }
        if let store, let otherStore = other.store { return store == otherStore }
        return owner.canBe(other.owner) || other.owner.isDaemon && isOneStore
    }
}

/// With which message requests succeeded last, for each kind and each party.
struct LogSuccesses {
    /// Parties and kinds of a log that are told apart: of what is beyond, no success counts.
    private static let most = 1_000

    private struct Key: Hashable {
        let kind: String
        let party: LogParty
    }

    private var last: [Key: Int] = [:]

    mutating func add(_ request: MirrorRequest, _ party: LogParty) {
        guard let success = request.success, let kind = request.kind else { return }
        let key = Key(kind: kind, party: party)
        guard last.count < Self.most || last[key] != nil else { return }
        last[key] = max(success, last[key] ?? success)
    }

    /// Whether a request succeeded afterwards that is evidence for a party.
    /// - Parameter kind: nil for any.
    func contains(of kind: String?, for party: LogParty, after number: Int, isOneStore: Bool) -> Bool {
        last.contains { key, success in
            success > number && (kind == nil || kind == key.kind)
                && key.party.isEvidence(for: party, isOneStore: isOneStore)
        }
    }
}
