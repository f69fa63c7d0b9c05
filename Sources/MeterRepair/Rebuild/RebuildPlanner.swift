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
        /// What becomes of the records of the meters in need.
        let outcome: RebuildOutcome
        /// How many records of the store CloudKit knows.
        let mirrored: Int
    }

    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Evidence {
        Evidence(
            outcome: try RebuildOutcome.reading(
                store.metersNeedingRebuild(), in: store, settings, policy: policy, source),
            mirrored: try settings.mirroredRecords(store.description.mirror, source.database))
    }

    package func plan(for store: InspectedStore, _ settings: SettingsTable, by evidence: Evidence) -> Plan {
        let metadata = store.description.metadata
        var plan = evidence.outcome.plan(
            records: store.addresses.records, mirrored: evidence.mirrored,
            marker: metadata.dictionary == nil ? RebuildMarker.current : store.rebuildMarker)
        let unknown = store.unknownParts
        if plan.summary.deleted > 0, !unknown.isEmpty {
            plan.notes.append("the model has \(unknown.phrase): \(unknown.sentences.joined(separator: "; "))")
        }
        return plan
    }
}
