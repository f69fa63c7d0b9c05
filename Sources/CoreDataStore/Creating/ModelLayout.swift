/// How a store keeps the entities of a model: their numbers, and the columns of their properties.
package struct ModelLayout: Sendable {
    package let model: ManagedObjectModel
    package let numbers: PrimaryKeys
    let columns: ColumnNames

    package init(_ model: ManagedObjectModel) {
        self.model = model
        numbers = PrimaryKeys(numbering: model)
        columns = ColumnNames(model, numbers)
    }

    /// The entities without a parent, by number. Each has a table, in which those below it are too.
    package var roots: [Entity] {
        numbers.entries.filter { $0.parent == 0 }.compactMap { model[entity: $0.name] }
    }

    /// By the number of the root entity.
    /// - Throws: `StoreCreationError.unsupportedModel` for names, types and relationships that have no column.
    package func tables() throws(StoreCreationError) -> [EntityTable] {
        try roots.map { root throws(StoreCreationError) in try EntityTable(root: root, in: self) }
    }
}
