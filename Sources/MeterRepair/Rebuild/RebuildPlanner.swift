internal import CoreDataStore
internal import GRDB
package import MeterModel
internal import MeterStore

/// The canonical rebuild v3: of each meter's records one is kept and updated in place, and only the others go.
package struct RebuildPlanner: Planner {
    package let command = "rebuild"
    let policy: WinnerPolicy

    package init(policy: WinnerPolicy) { self.policy = policy }

    var options: [PlanOption] { [PlanOption(key: "winner", value: policy.rawValue)] }

    func plan(for store: InspectedStore, _ database: Database) throws -> Plan {
        guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
        let meters = store.metersInNeed
        let groups = try Self.groups(of: meters, store, settings, database)
        let plan = Self.plan(
            groups, letterCase: store.letterCase, policy: policy, now: store.now, records: store.addresses.records,
            mirrored: try settings.mirroredRecords(store.description.mirror, database),
            marker: store.description.metadata.dictionary == nil ? RebuildMarker.current : store.rebuildMarker)
        try refuse(plan, for: store, settings, database)
        return plan
    }

    /// The records of these meters.
    private static func groups(
        of meters: [AddressIndex.Meter], _ store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws -> [(address: MACAddress, records: [DeviceSettings])] {
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
        return groups
    }

    /// The plan for these groups; a function of its arguments alone.
    ///
    /// - Parameters:
    ///   - groups: the meters in need and all their records, in the order of addresses.
    ///   - records: how many records the store has.
    ///   - mirrored: how many of them CloudKit knows.
    ///   - marker: the version the store claims to have been rebuilt to.
    package static func plan(
        _ groups: [(address: MACAddress, records: [DeviceSettings])], letterCase: LetterCase, policy: WinnerPolicy,
        now: Timestamp, records: Int, mirrored: Int, marker: Int64?
    ) -> Plan {
        var changes: [Change] = []
        changes.reserveCapacity(groups.reduce(1) { $0 + $1.records.count })
        var conflicts: [Conflict] = []
        var summary = Summary(records: records, groups: groups.count { $0.records.count > 1 })
        var cloudUpdates = 0
        var cloudDeletes = 0
        for group in groups where !group.records.isEmpty {
            let merge = Merge(of: group.records, at: group.address, in: letterCase, policy: policy, now: now)
            conflicts += merge.conflicts
            if !merge.changes.isEmpty {
                changes.append(
                    .update(
                        RecordUpdate(
                            row: merge.winner.row, address: group.address,
                            cloudRecord: merge.winner.cloudRecord?.name, fields: merge.changes)))
                summary.updated += 1
                if merge.winner.cloudRecord != nil { cloudUpdates += 1 }
            }
            for (loser, advantage) in zip(merge.losers, merge.advantages) {
                changes.append(
                    .delete(
                        RecordDeletion(
                            record: loser, address: group.address, survivor: merge.winner, advantage: advantage)))
                summary.deleted += 1
                if loser.cloudRecord != nil { cloudDeletes += 1 }
            }
        }
        // The marker goes with a change; alone it would be a write for nothing.
        if !changes.isEmpty && marker != RebuildMarker.current {
            changes.append(
                .metadata(
                    MetadataChange(
                        key: RebuildMarker.key, before: marker.map(MetadataChange.Value.number),
                        after: .number(RebuildMarker.current))))
        }
        summary.conflicts = conflicts.count
        return Plan(
            changes: changes, conflicts: conflicts, summary: summary,
            cloud: CloudCost(
                updates: cloudUpdates, deletes: cloudDeletes, recreateDeletes: mirrored,
                recreateInserts: mirrored == 0 ? 0 : records - summary.deleted))
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
