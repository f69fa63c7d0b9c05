internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Attributes of the model that have no column.
struct ColumnMissing: StoreCheck {
    static let description = CheckDescription(
        "column-missing", .error, "the model has an attribute whose column the table lacks",
        explanation: [
            """
            The app opens this store, fails at its first fetch, and may take it for damaged and delete it. The version \
            hashes in the metadata are those of the store's model, so Core Data opens the store without a migration. \
            But a table lacks the column of an attribute: the app's first fetch of that entity fails with "no such \
            column", and it may take the store for damaged and delete it.
            """,
            "This comes from a migration that was done by hand, or from metadata that was copied from another store.",
            "Use an earlier copy, or show the store to the app's developers.",
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        let (keys, schema) = (store.description.keys, store.description.schema)
        guard let model = store.description.model, let noted = store.description.metadata.versionHashes else {
            return []
        }
        let hashes = HashComparison(of: model, with: noted)
        return hashes.matching.compactMap { name in
            guard let entity = model[entity: name], let entry = keys[name],
                let table = schema.tables[keys.table(of: entry)]
            else { return nil }
            let missing = model.allAttributes(of: entity)
                .filter { !$0.traits.isTransient && !table.has($0.column) }.map(\.name)
            guard !missing.isEmpty else { return nil }
            return description.finding(
                "\(table.name) has no column for \(Phrase.list(missing)) of \(name), which the store's model has",
                entity: name, cure: "use an earlier copy, or show the store to the app's developers")
        }
    }
}
