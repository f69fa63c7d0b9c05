/// The numbers Core Data gives the entities of a new store: from 1, along the tree of inheritance, depth first,
/// siblings by name. Without inheritance that is the alphabetical order.
package struct EntityNumbers: Sendable {
    package struct Entry: Hashable, Sendable {
        package let number: Int64
        package let name: String
        /// The parent's number; 0 for an entity without one.
        package let superNumber: Int64
    }

    /// By number.
    package let entries: [Entry]

    /// The numbers of the model's entities; those that inherit from each other in a circle get none.
    package init(_ model: ManagedObjectModel) {
        var entries: [Entry] = []
        var numbered: Set<String> = []
        func visit(_ entity: Entity, parent: Int64) {
            guard numbered.insert(entity.name).inserted else { return }
            let entry = Entry(number: Int64(entries.count + 1), name: entity.name, superNumber: parent)
            entries.append(entry)
            for child in model.entities where child.superentity == entity.name {
                visit(child, parent: entry.number)
            }
        }
        for root in model.entities where root.superentity.flatMap({ model[entity: $0] }) == nil {
            visit(root, parent: 0)
        }
        self.entries = entries
    }

    package subscript(_ name: String) -> Int64? { entries.first { $0.name == name }?.number }
}
