internal import CoreDataStore
package import MeterInspect
package import MeterModel
internal import MeterStore

/// The canonical rebuild v3: of each meter's records one is kept and updated in place, and only the others go.
package struct RebuildPlanner: Planner {
    package let command = WritingCommand.rebuild
    let policy: WinnerPolicy
    let chosen: ValueOverrides
    let filter: MeterFilter

    /// - Parameter chosen: what a person wants kept; checked by whoever asks for it.
    package init(
        policy: WinnerPolicy, choosing chosen: ValueOverrides = ValueOverrides(), _ filter: MeterFilter = .all
    ) {
        self.policy = policy
        self.chosen = chosen
        self.filter = filter
    }

    package func plan(in session: MeterSession) throws -> Plan {
        let store = session.store
        let inNeed = store.metersNeedingRebuild()
        let meters = inNeed.filter { filter.contains($0.address) }
        let left = inNeed.count - meters.count
        let outcome = RebuildOutcome(
            of: try session.withCloudRecords(meters), in: store, policy: policy, chosen)
        // The marker says that no meter needs a rebuild.
        let isToBeMarked = store.description.metadata.dictionary != nil && left == 0
        var plan = try outcome.plan(
            of: session.size(), marker: isToBeMarked ? store.rebuildMarker : RebuildMarker.current
        ) { try session.base.alerts().closing.isEmpty }
        if left > 0 {
            plan.notes.append(
                "\(Phrase.count(left, "other meter")) still \(left == 1 ? "needs" : "need") a rebuild, so "
                    + "no rebuild marker is set")
        }
        let unknown = store.unknownParts
        if !unknown.isEmpty, plan.summary.deleted > 0 {
            plan.notes.append("the model has \(unknown.phrase): \(unknown.sentences.joined(separator: "; "))")
        }
        return plan
    }
}
