internal import MeterModel

extension Plan {
    /// Whether the numbers of the plan are those of its changes.
    /// - Throws: `PlanError` for the first that is not.
    func checkNumbers() throws(PlanError) {
        var counted = Summary(records: summary.records, groups: summary.groups)
        var named = 0
        var deletes = 0
        var meters: Set<MACAddress> = []
        for change in changes {
            switch change {
            case .update(let update):
                counted.updated += 1
                if update.cloudRecord != nil { named += 1 }
            case .delete(let deletion):
                counted.deleted += 1
                meters.insert(deletion.address)
                if deletion.record.cloudRecord != nil { deletes += 1 }
            case .insert: counted.inserted += 1
            case .schema, .metadata: break
            }
        }
        counted.conflicts = conflicts.count
        counted.rejects = rejects.count
        for (key, path) in Self.numbers where summary[keyPath: path] != counted[keyPath: path] {
            throw PlanError(
                at: .member(.member(.document, "summary"), key),
                "\(summary[keyPath: path]) instead of \(counted[keyPath: path])")
        }
        guard meters.count <= summary.groups, summary.groups <= summary.records else {
            throw PlanError(
                at: .member(.member(.document, "summary"), "groups"), "this plan merges \(meters.count) groups")
        }
        let place = PlanPlace.member(.document, "cloud")
        guard cloud.deletes == deletes else {
            throw PlanError(at: .member(place, "deletes"), "\(cloud.deletes) instead of \(deletes)")
        }
        guard (named...counted.updated + counted.inserted).contains(cloud.updates) else {
            throw PlanError(
                at: .member(place, "updates"),
                "\(cloud.updates), and \(named) to \(counted.updated + counted.inserted) are possible")
        }
        guard !changes.contains(where: { if case .schema = $0 { true } else { false } }) else { return }
        // A migration says nothing of what a rebuild would have cost.
        let left = summary.records - counted.deleted + counted.inserted
        let inserts = cloud.recreateDeletes == 0 ? 0 : left
        guard cloud.recreateInserts == inserts else {
            throw PlanError(
                at: .member(.member(place, "deleteAndRecreate"), "inserts"),
                "\(cloud.recreateInserts) instead of \(inserts)")
        }
    }

    private static let numbers: [(String, any KeyPath<Summary, Int> & Sendable)] = [
        ("updated", \.updated), ("deleted", \.deleted), ("inserted", \.inserted), ("conflicts", \.conflicts),
        ("rejects", \.rejects),
    ]
}
