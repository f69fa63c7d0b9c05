internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterStore

/// Rows without a value for an attribute that a model requires: Core Data would not save them.
enum RequiredValues {
    /// A sentence for each attribute with such rows.
    static func missing(for model: ManagedObjectModel, in store: InspectedStore, _ database: Database) throws
        -> [String]
    {
        var sentences: [String] = []
        for entity in model.entities {
            for attribute in entity.attributes
            where !attribute.traits.isOptional && !attribute.traits.isTransient && !attribute.isDerived {
                // A column that is not there yet is for the migration to add, or to refuse.
                guard let count = try rows(of: entity, without: attribute.name, in: store, database), count.isKept
                else { continue }
                sentences.append(
                    "\(Phrase.count(count.rows, "row")) of \(entity.name) \(count.rows == 1 ? "has" : "have") no "
                        + "\(attribute.name), which the model requires")
            }
        }
        return sentences
    }

    /// How many records of an entity, and of those below it, have no value for an attribute, and whether the store has
    /// a column for it. Nil where there are none.
    static func rows(
        of entity: Entity, without attribute: String, in store: InspectedStore, _ database: Database
    ) throws -> (rows: Int64, isKept: Bool)? {
        guard let key = store.description.keys[entity.name],
            let table = store.description.schema.tables[store.description.keys.table(of: key)], table.has("Z_ENT")
        else { return nil }
        let column = SettingsTable.column(attribute)
        let numbers = store.description.keys.family(of: key).map { String($0.number) }.joined(separator: ", ")
        let isMissing = table.has(column) ? "\(column.quotedIdentifier) IS NULL AND " : ""
        var count: Int64 = 0
        try database.forEachRow(
            "SELECT COUNT(*) FROM \(table.name.quotedIdentifier) WHERE \(isMissing)Z_ENT IN (\(numbers))"
        ) { count = $0.integer(0) }
        return count == 0 ? nil : (count, table.has(column))
    }
}
