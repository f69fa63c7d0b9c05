internal import CoreDataStore
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import MeterStore

/// For another plan than the one that the user has seen. Nobody can read from a fingerprint what that one changed: said is
/// what this one changes, and what changed last in the store.
extension Refusal {
    /// - Parameters:
    ///   - fingerprint: of what would be done.
    ///   - work: what it does, behind "it".
    static func otherPlan(
        _ fingerprint: PlanFingerprint, _ expected: PlanFingerprint, _ work: String, in session: Session
    ) throws -> StoreError {
        try stale("the plan is another one now, \(fingerprint) instead of \(expected): it \(work)", session)
    }

    static func nothingNow(insteadOf expected: PlanFingerprint, in session: Session) throws -> StoreError {
        try stale("there is nothing to do now, instead of the plan \(expected)", session)
    }

    private static func stale(_ message: String, _ session: Session) throws -> StoreError {
        StoreError(
            .stale, at: session.store.path, "\(message); \(try session.lastChanges()); nothing was changed",
            hint: "run the dry run again: the same command with --dry-run and without --expect; other options make "
                + "another plan, too")
    }
}

extension Plan {
    /// The meters that it changes, behind "it".
    func work(in store: InspectedStore) -> String {
        guard !meters.isEmpty else { return "changes no record of a meter" }
        let named = meters.map { meter in
            guard let address = meter.address else { return Phrase.start(of: meter.records.map { "row \($0.row)" }) }
            return store.named(address, store.shownRecord(of: address)?.shownName)
        }
        return "changes \(Phrase.start(of: named))"
    }
}

extension InspectedStore {
    /// `"Kitchen", A4:C1:38:0B:7E:21`.
    fileprivate func named(_ address: MACAddress?, _ name: String?) -> String {
        [name.map { "\"\($0)\"" }, address?.text(in: letterCase)].compactMap(\.self).joined(separator: ", ")
    }
}

extension Session {
    /// Changes that are looked through for different records, and records that are named.
    private static let (mostChanges, mostRecords) = (50, 3)

    /// Which records changed last, by the history.
    fileprivate func lastChanges() throws -> String {
        guard let settings = store.settings, history != nil else {
            return "the store has no history that says what changed last"
        }
        var request = ChangeLog.Request()
        request.entity = settings.entity.name
        request.limit = Self.mostChanges
        request.readsPast = false
        var (rows, named): (Set<Int64>, [String]) = ([], [])
        for change in try ChangeLog(of: self, request, nil).entries where named.count < Self.mostRecords {
            guard let row = change.row, rows.insert(row).inserted else { continue }
            named.append(record(row, of: change))
        }
        guard !named.isEmpty else { return "its history has no change of a record of a meter" }
        return "the last changes in its history are of \(Phrase.list(named))"
    }

    private func record(_ row: Int64, of change: ChangeLog.Entry) -> String {
        let verb =
            switch change.kind {
            case .insert: "made"
            case .update, nil: "changed"
            case .delete: "deleted"
            }
        let time = change.transaction.time.map { " \($0)" } ?? ""
        let meter = store.named(change.address, change.name)
        return "row \(row) (\(meter.isEmpty ? "" : meter + ", ")\(verb)\(time)\(change.transaction.author.phrase))"
    }
}
