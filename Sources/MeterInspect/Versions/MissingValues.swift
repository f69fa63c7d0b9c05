package import CoreDataStore
package import GRDB
internal import MeterModel
internal import MeterStore

/// Rows without a value for an attribute that a model requires: Core Data would not save them.
package struct MissingValues {
    /// Of an entity and those below it.
    struct Count {
        let rows: Int64
        /// Whether the store has a column for the attribute.
        let isKept: Bool
    }

    private struct Place: Hashable {
        let entity: String
        let attribute: String
    }

    private var counts: [Place: Count] = [:]

    /// Counts them for what these models require.
    /// - Throws: SQLite's errors.
    package init(for models: [ManagedObjectModel], in store: InspectedStore, _ database: Database) throws {
        for model in models {
            for entity in model.entities {
                for attribute in Self.required(of: entity) {
                    let place = Place(entity: entity.name, attribute: attribute.name)
                    if counts[place] == nil {
                        counts[place] = try Self.count(of: entity, without: attribute.name, in: store, database)
                    }
                }
            }
        }
    }

    private static func required(of entity: Entity) -> [Attribute] {
        entity.attributes.filter { !$0.traits.isOptional && !$0.traits.isTransient && !$0.isDerived }
    }

    /// Nil where there are none.
    func count(of entity: String, without attribute: String) -> Count? {
        counts[Place(entity: entity, attribute: attribute)]
    }

    /// A sentence for each attribute of the model with such rows.
    package func sentences(for model: ManagedObjectModel) -> [String] {
        model.entities.flatMap { entity in
            Self.required(of: entity).compactMap { attribute in
                // A column that is not there yet is for the migration to add, or to refuse.
                guard let count = count(of: entity.name, without: attribute.name), count.isKept else { return nil }
                return "\(Phrase.count(count.rows, "row")) of \(entity.name) \(count.rows == 1 ? "has" : "have") no "
                    + "\(attribute.name), which the model requires"
            }
        }
    }

    private static func count(
        of entity: Entity, without attribute: String, in store: InspectedStore, _ database: Database
    ) throws -> Count? {
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
        return count == 0 ? nil : Count(rows: count, isKept: table.has(column))
    }
}
