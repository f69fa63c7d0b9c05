internal import CoreDataStore
internal import GRDB
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
        WorkProgress.expect(meters.reduce(0) { $0 + $1.rows.count }, in: .planning)
        var plan = Plan(of: try session.size())
        var circumstances = RebuildCircumstances()
        for (meter, records) in zip(meters, try session.records(of: meters)) where !records.isEmpty {
            let merge = Merge(
                of: records, at: meter.address, in: store.letterCase, policy: policy, choosing: chosen[meter.address],
                now: store.now)
            circumstances.add(merge, in: store.letterCase, now: store.now)
            let merged = MeterPlan(merge)
            if !merged.records.isEmpty { plan.meters.append(merged) }
        }
        if !plan.isEmpty {
            // The marker says that no meter needs a rebuild.
            let isToBeMarked = store.description.metadata.dictionary != nil && left == 0
            add(circumstances, marker: isToBeMarked ? store.rebuildMarker : RebuildMarker.current, to: &plan)
        }
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

    /// - Parameter marker: the version the store claims to have been rebuilt to.
    private func add(_ circumstances: RebuildCircumstances, marker: Int64?, to plan: inout Plan) {
        // The marker goes with a change; alone it would be a write for nothing. It is never lowered.
        if let change = RebuildMarker.change(from: marker) { plan.metadataChanges.append(change) }
        plan.notes += circumstances.sentences
        if let marker, marker > RebuildMarker.current {
            plan.notes.append(
                "the marker \(RebuildMarker.key) is \(marker), from a later rebuild than this one, and is kept")
        }
    }
}

extension MeterSession {
    /// The records of each of some meters, with what CloudKit knows of them.
    /// - Throws: SQLite's errors.
    func records(of meters: [AddressIndex.Meter]) throws -> [[DeviceSettings]] {
        var records = [[DeviceSettings]](repeating: [], count: meters.count)
        // What the mirror knows need not be read for none.
        guard !meters.isEmpty else { return records }
        let cloudRecords = try settings.cloudRecords(of: meters.lazy.flatMap(\.rows), base.mirror, base.database)
        try settings.forEachRow(ofGroups: meters.map(\.rows), cloudRecords: cloudRecords, base.database) {
            meter, found in
            records[meter].append(found.record)
        }
        return records
    }
}
