internal import CoreDataStore
package import MeterInspect
package import MeterModel
package import MeterStore

/// Carries out the cures of findings that the user names by their ids.
package struct FixPlanner: Planner {
    package let command = WritingCommand.fix
    /// Each once, in the order of all.
    package let cures: [Cure]

    package init(_ cures: some Collection<Cure>) {
        self.cures = Cure.allCases.filter(cures.contains)
    }

    package var options: [PlanOption] {
        [PlanOption(key: "ids", value: cures.map(\.rawValue).joined(separator: " "))]
    }

    package struct Evidence {
        /// How many records of the store CloudKit knows.
        let mirrored: Int
        let orphans: OrphanedRecords
    }

    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Evidence {
        Evidence(
            mirrored: try settings.mirroredRecords(store.description.mirror, source.database),
            orphans: try OrphanedRecords(in: store, source.database))
    }

    package func plan(
        for store: InspectedStore, _ settings: SettingsTable, by evidence: Evidence
    ) throws -> Plan {
        let summary = Summary(records: store.addresses.records, groups: store.addresses.groups)
        var changes: [Change] = []
        var notes: [String] = []
        for cure in cures {
            switch cure {
            case .mirrorOrphan:
                let orphans = evidence.orphans
                if let obstacle = orphans.obstacle { throw Refusal.unreachable(obstacle, in: store) }
                changes += orphans.deletions.map(Change.cloudDelete)
                notes += Self.notes(on: orphans)
            }
        }
        var plan = Plan(
            changes: changes, conflicts: [], summary: summary,
            cloud: CloudCost(
                updates: 0, deletes: changes.count, recreateDeletes: evidence.mirrored,
                recreateInserts: evidence.mirrored == 0 ? 0 : summary.records))
        plan.notes = notes
        return plan
    }

    private static func notes(on orphans: OrphanedRecords) -> [String] {
        var notes: [String] = []
        if !orphans.deletions.isEmpty {
            let (these, they, rows) =
                orphans.deletions.count == 1
                ? ("this record is", "it", "its row was") : ("these records are", "one of them", "their rows were")
            notes.append(
                "when the app opens this store next, \(these) deleted in CloudKit and on all of the user's other devices; "
                    + "if \(they) should stay, use a copy of the store from before \(rows) deleted instead")
        }
        if !orphans.ambiguous.isEmpty {
            notes.append(
                "\(list(orphans.ambiguous)): record metadata more than once (mirror-duplicate-metadata), of which the mirror "
                    + "may delete only one record")
        }
        if !orphans.unread.isEmpty {
            notes.append(
                "\(list(orphans.unread)): the mirror has yet to read the insert, and a delete after it would cancel it out; "
                    + "open the app until it has exported, and fix this then")
        }
        return notes
    }

    private static func list(_ deletions: [CloudDeletion]) -> String {
        Phrase.start(of: deletions.map { "row \($0.row) of \($0.entity)" })
    }
}
