internal import Texts

/// The columns of an entity's properties in the table of its root entity. Core Data numbers names that occur several
/// times there: `ZVALUE`, `ZVALUE1`.
///
/// That a later entity's column gets the number was seen in real stores. The rest was described by readers of Apple's
/// code: entities come by number, and of each first the attributes by name, then the to-one relationships by name; the
/// elements of a composite attribute take its place, under their own names.
struct ColumnNames: Sendable {
    /// A name that is numbered among those of a table.
    private struct Name: Hashable {
        let root: String
        /// Of the entity in a column's name, `Z1_` in `Z1_BOOK`; empty for all other columns.
        let destination: String
        let text: String
    }

    private let model: ManagedObjectModel
    private var columns: [ModelDetails.Property: SQLName] = [:]
    /// What stands behind `Z1_` in the name of the column that says of which of several entities an object is that a
    /// relationship leads to.
    private var destinationColumns: [ModelDetails.Property: String] = [:]

    init(_ model: ManagedObjectModel, _ numbers: PrimaryKeys) {
        self.model = model
        var used: [Name: Int] = [:]
        func numbered(_ text: String, of root: String, to destination: String = "") -> String {
            let count = used[Name(root: root, destination: destination, text: text), default: 0]
            used[Name(root: root, destination: destination, text: text)] = count + 1
            return count == 0 ? text : "\(text)\(count)"
        }
        for entry in numbers.entries {
            guard let entity = model[entity: entry.name], let root = model.lineage(of: entity).first?.name else {
                continue
            }
            for (keyPath, name) in Self.attributes(of: entity) {
                columns[.init(entity.name, keyPath)] = "Z\(numbered(name.uppercased(), of: root))"
            }
            for relationship in Self.toOneRelationships(of: entity) {
                let property = ModelDetails.Property(entity.name, relationship.name)
                let name = relationship.name.uppercased()
                columns[property] = "Z\(numbered(name, of: root))"
                if model.entities.contains(where: { $0.superentity == relationship.destination }) {
                    destinationColumns[property] = numbered(name, of: root, to: relationship.destination)
                }
            }
        }
    }

    /// The column of a property, inherited or not; nil for one that has none.
    /// - Parameter keyPath: the property's name; of an element of a composite attribute, its key path.
    subscript(entity: Entity, keyPath: String) -> SQLName? {
        model.lineage(of: entity).reversed().lazy.compactMap {
            columns[.init($0.name, keyPath)]
        }.first
    }

    /// The column that says of which of several entities an object is that a relationship leads to: `Z1_BOOK`. Nil for a
    /// relationship to an entity that has none below it.
    /// - Parameter number: that of the relationship's destination, in the store.
    func destinationColumn(of entity: Entity, _ relationship: String, number: Int64) -> SQLName? {
        model.lineage(of: entity).reversed().lazy.compactMap {
            destinationColumns[.init($0.name, relationship)]
        }.first.map { "Z\(number)_\($0)" }
    }

    /// The entity's own attributes that have a column, in the order in which they get it.
    private static func attributes(of entity: Entity) -> [(keyPath: String, name: String)] {
        let plain = entity.attributes.filter { !$0.traits.isTransient }.map { ($0.name, [($0.name, $0.name)]) }
        let composite = entity.composites.filter { !$0.isTransient }.map { composite in
            (composite.name, composite.leaves.map { ($0.keyPath, $0.attribute.name) })
        }
        return (plain + composite).sorted(byBytesOf: \.0).flatMap(\.1)
            .map { (keyPath: $0.0, name: $0.1) }
    }

    private static func toOneRelationships(of entity: Entity) -> [Relationship] {
        entity.relationships.filter { !$0.traits.isTransient && !$0.isToMany }
            .sorted(byBytesOf: \.name)
    }
}
