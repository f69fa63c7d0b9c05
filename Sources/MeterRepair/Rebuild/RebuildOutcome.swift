internal import MeterInspect
package import MeterModel

/// What a rebuild makes of the records of some meters; a function of its arguments alone.
package struct RebuildOutcome: Sendable {
    private var changes: [Change] = []
    private var conflicts: [Conflict] = []
    /// Meters with several records.
    private var groups = 0
    private var updated = 0
    private var deleted = 0
    private var cloudUpdates = 0
    private var cloudDeletes = 0

    /// - Parameter groups: the meters in need and all their records, in the order of addresses.
    package init(
        of groups: [MeterGroup], letterCase: LetterCase, policy: WinnerPolicy, now: Timestamp
    ) {
        changes.reserveCapacity(groups.reduce(0) { $0 + $1.records.count })
        for group in groups where !group.records.isEmpty {
            if group.records.count > 1 { self.groups += 1 }
            add(Merge(of: group.records, at: group.address, in: letterCase, policy: policy, now: now))
        }
    }

    private mutating func add(_ merge: Merge) {
        conflicts += merge.conflicts
        if let update = merge.update {
            changes.append(.update(update))
            updated += 1
            if merge.winner.cloudRecord != nil { cloudUpdates += 1 }
        }
        for deletion in merge.deletions {
            changes.append(.delete(deletion))
            deleted += 1
            if deletion.record.cloudRecord != nil { cloudDeletes += 1 }
        }
    }

    /// - Parameters:
    ///   - records: how many records the store has.
    ///   - mirrored: how many of them CloudKit knows.
    ///   - marker: the version the store claims to have been rebuilt to.
    package func plan(records: Int, mirrored: Int, marker: Int64?) -> Plan {
        var changes = changes
        // The marker goes with a change; alone it would be a write for nothing. It is never lowered.
        if !changes.isEmpty, let change = RebuildMarker.change(from: marker) { changes.append(.metadata(change)) }
        var summary = Summary(records: records, groups: groups)
        summary.updated = updated
        summary.deleted = deleted
        summary.conflicts = conflicts.count
        var plan = Plan(
            changes: changes, conflicts: conflicts, summary: summary,
            cloud: CloudCost(
                updates: cloudUpdates, deletes: cloudDeletes, recreateDeletes: mirrored,
                recreateInserts: mirrored == 0 ? 0 : records - deleted))
        if let marker, marker > RebuildMarker.current, !changes.isEmpty {
            plan.notes.append(
                "the marker \(RebuildMarker.key) is \(marker), of a later rebuild than this one, and stays so")
        }
        return plan
    }
}
