internal import CoreDataStore
internal import GRDB
package import MeterInspect
package import MeterModel
package import MeterStore

/// The canonical rebuild v3: of each meter's records one is kept and updated in place, and only the others go.
package struct RebuildPlanner: Planner {
    package let command = WritingCommand.rebuild
    let policy: WinnerPolicy

    package init(policy: WinnerPolicy) { self.policy = policy }

    package var options: [PlanOption] { [PlanOption(key: "winner", value: policy.rawValue)] }

    package struct Evidence: Sendable {
        /// The meters in need and all their records, in the order of addresses.
        let groups: [MeterGroup]
        /// How many records of the store CloudKit knows.
        let mirrored: Int
    }

    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Evidence {
        Evidence(
            groups: try groups(in: store, settings, source),
            mirrored: try settings.mirroredRecords(store.description.mirror, source.database))
    }

    private func groups(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> [MeterGroup] {
        let meters = store.metersNeedingRebuild()
        // The check after a change looks for what is left to plan, too.
        WorkProgress.expect(meters.reduce(0) { $0 + $1.rows.count }, in: .planning)
        guard source.reader.readsBeside(source.database) else {
            return try Self.groups(of: meters[...], store, settings, source.database)
        }
        let half = meters.count / 2
        let rest = source.reader.read(beside: source.database) { database in
            // With a layout of its own. Two threads that count the references to one object wait for each other.
            try Self.groups(of: meters[half...], store, SettingsTable(store.description) ?? settings, database)
        }
        let first = try Self.groups(of: meters[..<half], store, settings, source.database)
        return try first + rest.value()
    }

    private static func groups(
        of meters: ArraySlice<AddressIndex.Meter>, _ store: InspectedStore, _ settings: SettingsTable,
        _ database: Database
    ) throws -> [MeterGroup] {
        let cloudRecords = try settings.cloudRecords(
            of: meters.lazy.flatMap(\.rows), store.description.mirror, database)
        var groups: [MeterGroup] = []
        groups.reserveCapacity(meters.count)
        for meter in meters {
            groups.append(MeterGroup(address: meter.address, records: []))
            groups[groups.count - 1].records.reserveCapacity(meter.rows.count)
        }
        try settings.forEachRow(ofGroups: meters.map(\.rows), cloudRecords: cloudRecords, database) { group, found in
            groups[group].records.append(found.record)
        }
        return groups
    }

    package func plan(for store: InspectedStore, _ settings: SettingsTable, by evidence: Evidence) -> Plan {
        let metadata = store.description.metadata
        return RebuildOutcome(of: evidence.groups, letterCase: store.letterCase, policy: policy, now: store.now)
            .plan(
                records: store.addresses.records, mirrored: evidence.mirrored,
                marker: metadata.dictionary == nil ? RebuildMarker.current : store.rebuildMarker)
    }
}
