internal import CoreDataStore
internal import GRDB
package import MeterInspect
package import MeterModel
package import MeterStore

/// First aid while devices are in use: of each meter with several records, the one that the app finds first gets the name
/// and the unit that only the others have. No record is deleted, no value overwritten and no `updatedAt` moved: each of
/// these could beat what somebody types on another device at the same moment. It is no rebuild and sets no marker.
package struct FirstAidPlanner: Planner {
    package let command = WritingCommand.rebuild
    package let worksInUse = true

    package init() {}

    package var options: [PlanOption] { [.inUse] }

    package struct Evidence: Sendable {
        /// Of one record of each meter that it helps, in the order of addresses.
        let updates: [RecordUpdate]
        /// How many of these records CloudKit knows.
        let mirroredUpdates: Int
        /// The meters of which the app finds no record, in the order of addresses.
        let unfound: [MACAddress]
        /// How many records of the store CloudKit knows.
        let mirrored: Int
    }

    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Evidence {
        let meters = Array(store.addresses.metersWithSeveralRecords)
        // Which of them lack something is found out first: only their records are held.
        let levels = try store.levels(of: meters, source.database)
        var (helped, unfound) = ([AddressIndex.Meter](), [MACAddress]())
        for (meter, level) in zip(meters, levels) {
            if level.foundRow == nil { unfound.append(meter.address) }
            if !level.lacking.isEmpty { helped.append(meter) }
        }
        WorkProgress.expect(helped.reduce(0) { $0 + $1.rows.count }, in: .planning)
        var updates: [RecordUpdate] = []
        var mirroredUpdates = 0
        if !helped.isEmpty {
            try MeterGroup.forEachPart(of: helped[...], in: store, settings, source.database) { groups in
                for group in groups {
                    let aid = FirstAid(for: group.records, at: group.address, in: store.letterCase)
                    guard let update = aid.update else { continue }
                    updates.append(update)
                    if aid.found?.cloudRecord != nil { mirroredUpdates += 1 }
                }
            }
        }
        return Evidence(
            updates: updates, mirroredUpdates: mirroredUpdates, unfound: unfound,
            mirrored: try settings.mirroredRecords(store.description.mirror, source.database))
    }

    package func plan(for store: InspectedStore, _ settings: SettingsTable, by evidence: Evidence) -> Plan {
        let changes = evidence.updates.map { Change.update($0) }
        let records = store.addresses.records
        var summary = Summary(records: records, groups: store.addresses.groups)
        summary.updated = changes.count
        var plan = Plan(
            changes: changes, conflicts: [], summary: summary,
            cloud: CloudCost(
                updates: evidence.mirroredUpdates, deletes: 0, recreateDeletes: evidence.mirrored,
                recreateInserts: evidence.mirrored == 0 ? 0 : records))
        plan.notes = (changes.isEmpty ? [] : [Self.condition]) + notes(on: evidence.unfound, in: store)
        return plan
    }

    /// What rehearsals showed to be needed, and enough.
    private static let condition =
        "before it, update the app on every device and let each of them sync; from then on and until this has arrived "
        + "everywhere, type no name and choose no unit on any device: meters may be used, but of two changes of one field "
        + "only one stays"

    /// What is left: for another day, and for a person.
    private func notes(on unfound: [MACAddress], in store: InspectedStore) -> [String] {
        let groups = store.addresses.groups
        guard groups > 0 else { return [] }
        var notes: [String] = []
        if !unfound.isEmpty {
            let meters = Phrase.start(of: unfound.map { $0.text(in: store.letterCase) })
            notes.append(
                "this does not help \(meters): the app finds none of \(unfound.count == 1 ? "its" : "their") records, "
                    + "because none is written exactly like this")
        }
        notes.append(
            "the duplicates stay: \(Phrase.count(groups, "meter")) still \(groups == 1 ? "has" : "have") several records; "
                + "when all devices are at rest, run `\(store.command("rebuild"))` (see MIGRATIONS.md)")
        return notes
    }
}
