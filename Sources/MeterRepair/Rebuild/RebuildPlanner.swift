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
    /// Whether the store's metadata, which are lost, are there again when the plan is carried out.
    var isMetadataRestored = false

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
        let candidates = store.metersNeedingRebuild()
        let meters = candidates.filter { filter.contains($0.address) }
        let skipped = candidates.count - meters.count
        var plan = Plan(of: try session.size())
        var circumstances = RebuildCircumstances()
        let unsent = try meters.isEmpty ? [] : session.rowsNeverSent()
        for meter in try session.withCloudRecords(meters) {
            let merge = Merge(
                of: meter.records, at: meter.address, in: store.letterCase, policy: policy,
                choosing: chosen[meter.address], now: store.now, unsent: unsent)
            circumstances.add(merge, in: store.letterCase, now: store.now)
            let merged = MeterPlan(merge)
            if !merged.records.isEmpty { plan.meters.append(merged) }
        }
        if !plan.isEmpty {
            plan.notes += try circumstances.sentences { try session.base.alerts().closing.isEmpty }
            // The marker says that no meter needs a rebuild.
            let setsMarker = (isMetadataRestored || store.description.metadata.dictionary != nil) && skipped == 0
            addMarker(after: setsMarker ? store.rebuildMarker : RebuildMarker.current, to: &plan)
        }
        if skipped > 0 {
            plan.notes.append(
                "\(Phrase.count(skipped, "other meter")) still \(skipped == 1 ? "needs" : "need") a rebuild, so "
                    + "no rebuild marker is set")
        }
        let unknown = store.unknownParts
        if !unknown.isEmpty, plan.summary.deleted > 0 {
            plan.notes.append("the model has \(unknown.phrase): \(unknown.sentences.joined(separator: "; "))")
        }
        return plan
    }

    /// - Parameter marker: the version the store claims to have been rebuilt to.
    private func addMarker(after marker: Int64?, to plan: inout Plan) {
        // The marker goes with a change; alone it would be a write for nothing. It is never lowered.
        if let change = RebuildMarker.change(from: marker) { plan.metadataChanges.append(change) }
        if let marker, marker > RebuildMarker.current {
            plan.notes.append(
                "the marker \(RebuildMarker.key) is \(marker), from a later rebuild than this one, and is kept")
        }
    }
}
