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
        let outcome = try RebuildOutcome.reading(meters, in: session, policy: policy, chosen)
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

extension MeterSession {
    /// How many meters are in memory at a time.
    private static let mostMeters = 1 << 14

    /// Hands the records of some meters out, with what CloudKit knows of them: many meters at a time, for their records
    /// are read in the order in which they lie in the file, and not all, for a store can have millions.
    /// - Parameter body: handed the next of the meters, in the order of `meters`.
    /// - Throws: SQLite's errors.
    func forEachPart(
        of meters: ArraySlice<AddressIndex.Meter>,
        _ body: ([(address: MACAddress, records: [DeviceSettings])]) -> Void
    ) throws {
        let cloudRecords = try settings.cloudRecords(of: meters.lazy.flatMap(\.rows), base.mirror, base.database)
        var rest = meters
        while !rest.isEmpty {
            let part = rest.prefix(Self.mostMeters)
            rest = rest.dropFirst(Self.mostMeters)
            var groups = part.map { (address: $0.address, records: [DeviceSettings]()) }
            for (index, meter) in zip(groups.indices, part) { groups[index].records.reserveCapacity(meter.rows.count) }
            try settings.forEachRow(ofGroups: part.map(\.rows), cloudRecords: cloudRecords, base.database) {
                group, found in
                groups[group].records.append(found.record)
            }
            body(groups)
        }
    }
}
