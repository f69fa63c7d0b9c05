internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// Carries a plan out, change by change. Belongs into a transaction.
enum PlanApplication {
    static func apply(
        _ plan: Plan, to store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws {
        var writer = try SettingsWriter(settings, store.description, now: store.now, database)
        // Deletes first: schema v1 lets no two records have one address, not even for a moment.
        for case .delete(let deletion) in plan.changes { try writer.delete(deletion) }
        for case .update(let update) in plan.changes { try writer.update(update) }
        try writer.finish()
        var metadata = store.description.metadata
        var isChanged = false
        for case .metadata(let change) in plan.changes {
            metadata.dictionary?[change.key] = .integer(change.after)
            isChanged = true
        }
        if isChanged { try metadata.write(to: database) }
    }
}
