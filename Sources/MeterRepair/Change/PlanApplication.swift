internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// Carries a plan out, change by change. Belongs into a transaction.
enum PlanApplication {
    static func apply(
        _ plan: Plan, to store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws {
        for change in plan.schemaChanges { try change.apply(database) }
        // Without a change of a record there is nothing for the history, and no transaction in it.
        if plan.changesRecords { try applyRecordChanges(plan, to: store, settings, database) }
        var metadata = store.description.metadata
        let changes = plan.metadataChanges
        guard !changes.isEmpty else { return }
        // Where it was lost, it is made anew.
        metadata.dictionary = plan.applied(to: metadata.dictionary)
        try metadata.write(to: database)
    }

    private static func applyRecordChanges(
        _ plan: Plan, to store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws {
        var writer = try SettingsWriter(settings, store.description, now: store.now, database)
        // Deletes first: schema v1 lets no two records have one address, not even for a moment.
        for case .delete(let deletion) in plan.changes { try writer.delete(deletion) }
        for case .update(let update) in plan.changes { try writer.update(update) }
        for case .insert(let insertion) in plan.changes { try writer.insert(insertion) }
        try writer.finish()
    }
}

extension Plan {
    var metadataChanges: [MetadataChange] {
        changes.compactMap { change in
            if case .metadata(let change) = change { change } else { nil }
        }
    }

    /// A metadata dictionary as the plan leaves it; nil stays nil where the plan says nothing of it.
    func applied(to dictionary: [String: PropertyList]?) -> [String: PropertyList]? {
        let changes = metadataChanges
        guard !changes.isEmpty else { return dictionary }
        return changes.reduce(into: dictionary ?? [:]) { $0[$1.key] = $1.after.propertyList }
    }
}
