package import CoreDataStore
internal import GRDB
internal import MeterJournal
package import MeterModel
internal import MeterStore

extension InspectedStore {
    /// The changes that add what a model needs and the store lacks, in Core Data's own layout: tables and columns first,
    /// then indexes, then entities.
    /// - Throws: `StoreError` where an entity would get another's number, or its table cannot be laid out.
    package func additions(for model: ManagedObjectModel) throws(StoreError) -> [SchemaChange] {
        let layout = ModelLayout(model)
        let numbers = layout.numbers
        let known = description.keys
        // A renamed entity keeps its old name in Z_PRIMARYKEY: seen in a store that Core Data migrated.
        let new = numbers.entries.filter { known[$0.name] == nil && known[number: $0.number] == nil }
        if numbers.entries.contains(where: { known[$0.name] == nil }) {
            for entry in numbers.entries {
                if let number = known[entry.name]?.number, number != entry.number {
                    throw Refusal.renumbered(entry.name, from: number, to: entry.number, in: self)
                }
            }
        }
        let newNames = Set(new.map(\.name))
        var changes: [SchemaChange] = []
        var indexes: [SchemaChange] = []
        for root in layout.roots {
            let table: EntityTable
            do {
                table = try EntityTable(root: root, in: layout)
            } catch {
                // What is there already is of no concern.
                guard newNames.contains(root.name) else { continue }
                throw Refusal.notAdditive(["\(error)"], in: self)
            }
            let present = description.schema.tables[SQLName(table.name)]
            guard present != nil || newNames.contains(root.name) else { continue }
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
        return changes + indexes + new.map { .addEntity(number: $0.number, name: $0.name, parent: $0.parent) }
    }
}

extension Refusal {
    static func renumbered(_ entity: String, from old: Int64, to new: Int64, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "a new entity of the model comes before \(entity), whose number would change from \(old) to \(new) in every "
                + "row, in the history and in the mirror",
            hint: "only the app can do such a migration")
    }
}

/// Rows without a value for an attribute, or a link of a relationship, that a model requires: Core Data would not save
/// them.
package struct MissingValues {
    struct Count {
        /// Of an entity and those below it.
        let rows: Int64
        /// Whether the store has a column for the property.
        let isKept: Bool
    }

    /// By the names of entities and properties.
    private var counts: [String: [String: Count]] = [:]

    /// Counts them for what these models require.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package init(for models: [ManagedObjectModel], in session: Session) throws {
        for model in models {
            for entity in model.entities {
                for property in Self.required(of: entity) where counts[entity.name]?[property] == nil {
                    counts[entity.name, default: [:]][property] =
                        try Self.count(of: entity, without: property, in: session)
                }
            }
        }
    }

    /// The names of those that have a column.
    private static func required(of entity: Entity) -> [String] {
        let attributes = entity.attributes.filter { !$0.traits.isOptional && !$0.traits.isTransient && !$0.isDerived }
        let relationships = entity.relationships.filter {
            !$0.traits.isOptional && !$0.traits.isTransient && !$0.isToMany
        }
        return attributes.map(\.name) + relationships.map(\.name)
    }

    /// Nil where there are none.
    func count(of entity: String, without property: String) -> Count? {
        counts[entity]?[property]
    }

    /// A sentence for each property of the model with such rows.
    package func sentences(for model: ManagedObjectModel) -> [Sentence] {
        model.entities.flatMap { entity in
            Self.required(of: entity).compactMap { property in
                // A column that is not there yet is for the migration to add, or to refuse.
                guard let count = count(of: entity.name, without: property), count.isKept else { return nil }
                return "\(Phrase.count(count.rows, "row")) of \(entity.name) \(count.rows == 1 ? "has" : "have") no "
                    + "\(property), which the model requires"
            }
        }
    }

    private static func count(of entity: Entity, without property: String, in session: Session) throws -> Count? {
        let keys = session.description.keys
        guard let key = keys[entity.name], let table = session.description.schema.tables[keys.table(of: key)],
            table.has("Z_ENT")
        else { return nil }
        let column = SettingsTable.column(property)
        let numbers = keys.family(of: key).map { String($0.number) }.joined(separator: ", ")
        let isMissing = table.has(column) ? "\(column.quotedIdentifier) IS NULL AND " : ""
        var count: Int64 = 0
        try session.database.forEachRow(
            "SELECT COUNT(*) FROM \(table.name.quotedIdentifier) WHERE \(isMissing)Z_ENT IN (\(numbers))"
        ) { count = $0.integer(0) }
        return count == 0 ? nil : Count(rows: count, isKept: table.has(column))
    }
}
