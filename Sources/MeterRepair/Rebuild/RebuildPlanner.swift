internal import CoreDataStore
internal import GRDB
internal import MeterInspect
package import MeterModel
internal import MeterStore

/// The canonical rebuild v3: of each meter's records one is kept and updated in place, and only the others go.
package struct RebuildPlanner: Planner {
    let command = WritingCommand.rebuild
    let policy: WinnerPolicy

    package init(policy: WinnerPolicy) { self.policy = policy }

    var options: [PlanOption] { [PlanOption(key: "winner", value: policy.rawValue)] }

    func plan(for store: InspectedStore, _ database: Database) throws -> Plan {
        guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
        let meters = store.metersNeedingRebuild()
        // What becomes of one meter's records is no matter of another's: half of them are another thread's.
        let parallel = store.parallel.flatMap { $0.canRead(beside: database) ? $0 : nil }
        let half = parallel == nil ? meters.count : meters.count / 2
        let rest = parallel?.read(beside: database) { [policy] database in
            // With a layout of its own. Two threads that count the references to one object wait for each other.
            let settings = SettingsTable(store.description) ?? settings
            return try Self.outcome(of: meters[half...], policy, store, settings, database)
        }
        var outcome = try Self.outcome(of: meters[..<half], policy, store, settings, database)
        if let rest { outcome.append(try rest.value()) }
        let plan = outcome.plan(
            records: store.addresses.records,
            mirrored: try settings.mirroredRecords(store.description.mirror, database),
            marker: store.description.metadata.dictionary == nil ? RebuildMarker.current : store.rebuildMarker)
        try refuse(plan, for: store, settings, database)
        return plan
    }

    /// What becomes of the records of these meters.
    private static func outcome(
        of meters: ArraySlice<AddressIndex.Meter>, _ policy: WinnerPolicy, _ store: InspectedStore,
        _ settings: SettingsTable, _ database: Database
    ) throws -> RebuildOutcome {
        let cloudRecords = try settings.cloudRecords(
            of: meters.lazy.flatMap(\.rows), store.description.mirror, database)
        var groups: [(address: MACAddress, records: [DeviceSettings])] = []
        for meter in meters {
            groups.append((meter.address, []))
            groups[groups.count - 1].records.reserveCapacity(meter.rows.count)
        }
        try settings.forEachRow(ofGroups: meters.map(\.rows), cloudRecords: cloudRecords, database) { group, found in
            groups[group].records.append(found.record)
        }
        return RebuildOutcome(of: groups, letterCase: store.letterCase, policy: policy, now: store.now)
    }

    /// - Throws: `StoreError` where the plan cannot be carried out without harm.
    private func refuse(
        _ plan: Plan, for store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws {
        guard !plan.isEmpty else { return }
        let losers = plan.changes.compactMap { change in
            if case .delete(let deletion) = change { deletion.record.row } else { nil }
        }
        let related = try settings.relatedRows(among: Set(losers), store.description, database)
        guard related.isEmpty else { throw Refusal.related(related, in: store) }
    }
}
