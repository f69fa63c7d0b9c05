package import CoreDataStore
package import MeterModel
internal import MeterStore

/// What a model needs and a store lacks: columns, tables and entities, in Core Data's own layout.
package enum MissingTables {
    /// The tables of a model.
    static func expected(of model: ManagedObjectModel, _ numbers: EntityNumbers) throws(StoreCreationError)
        -> [EntityTable]
    {
        var tables: [EntityTable] = []
        for entry in numbers.entries where entry.superNumber == 0 {
            guard let root = model[entity: entry.name] else { continue }
            tables.append(try EntityTable(root: root, model: model, numbers: numbers))
        }
        return tables
    }

    /// The changes that add what is missing, tables and columns first, then indexes, then entities.
    /// - Throws: `StoreError` where an entity would get another's number, or its table cannot be laid out.
    package static func changes(for model: ManagedObjectModel, in store: InspectedStore) throws(StoreError)
        -> [SchemaChange]
    {
        let numbers = EntityNumbers(model)
        let known = store.description.keys
        // A renamed entity keeps its old name in Z_PRIMARYKEY: seen in a store that Core Data migrated.
        let new = numbers.entries.filter { known[$0.name] == nil && known[number: $0.number] == nil }
        if numbers.entries.contains(where: { known[$0.name] == nil }) {
            for entry in numbers.entries {
                if let number = known[entry.name]?.number, number != entry.number {
                    throw Refusal.renumbered(entry.name, from: number, to: entry.number, in: store)
                }
            }
        }
        let newNames = Set(new.map(\.name))
        var changes: [SchemaChange] = []
        var indexes: [SchemaChange] = []
        for entry in numbers.entries where entry.superNumber == 0 {
            guard let root = model[entity: entry.name] else { continue }
            let table: EntityTable
            do {
                table = try EntityTable(root: root, model: model, numbers: numbers)
            } catch {
                // What is there already is of no concern.
                guard newNames.contains(entry.name) else { continue }
                throw Refusal.notAdditive(["\(error)"], in: store)
            }
            let present = store.description.schema.tables[SQLName(table.name)]
            guard present != nil || newNames.contains(entry.name) else { continue }
            let missing = table.columns.filter { present?.has(SQLName($0.name)) != true }
            if present == nil {
                changes.append(
                    .createTable(
                        name: table.name, columns: missing.map { .init(name: $0.name, declaredType: $0.declaredType) }))
            } else {
                changes += missing.map {
                    .addColumn(table: table.name, column: $0.name, declaredType: $0.declaredType)
                }
            }
            var indexed = missing.filter(\.isKey).map(\.name)
            if present == nil && table.hasSubentities { indexed.append("Z_ENT") }
            indexes += indexed.map { .createIndex(name: table.index(of: $0).name, table: table.name, column: $0) }
        }
        return changes + indexes + new.map { .addEntity(number: $0.number, name: $0.name, parent: $0.superNumber) }
    }
}

extension Refusal {
    static func renumbered(_ entity: String, from old: Int64, to new: Int64, in store: InspectedStore) -> StoreError {
        StoreError(
            .unsuitable, at: store.path,
            "a new entity of the model comes before \(entity), whose number would change from \(old) to \(new) in every "
                + "row, in the history and in the mirror",
            hint: "only the app can do such a migration")
    }
}
