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
        for case .insert(let insertion) in plan.changes { try writer.insert(insertion) }
        try writer.finish()
        var metadata = store.description.metadata
        let changes = plan.metadataChanges
        for change in changes { metadata.dictionary?[change.key] = change.after.propertyList }
        if !changes.isEmpty { try metadata.write(to: database) }
    }
}

extension Plan {
    var metadataChanges: [MetadataChange] {
        changes.compactMap { change in
            if case .metadata(let change) = change { change } else { nil }
        }
    }
}

extension MetadataChange.Value {
    /// As it stands in the store's metadata dictionary.
    var propertyList: PropertyList {
        switch self {
        case .number(let number): .integer(number)
        case .legacyImport(let date, let sha256):
            .dictionary(["date": .date(date.secondsSince2001), "sha256": .string(sha256)])
        }
    }
}
