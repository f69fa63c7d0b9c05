internal import Texts

/// The columns of an entity's properties in the table of its root entity. Core Data numbers names that occur several
/// times there: `ZVALUE`, `ZVALUE1`.
///
/// That a later entity's column gets the number was seen in real stores. The rest was described by readers of Apple's
/// code: entities come by number, and of each first the attributes by name, then the to-one relationships by name; the
/// elements of a composite attribute take its place, under their own names.
struct ColumnNames: Sendable {
    private let model: ManagedObjectModel
    private var columns: [ModelDetails.Property: SQLName] = [:]
    /// What stands behind `Z1_` in the name of the column that says of which of several entities an object is that a
    /// relationship leads to.
    private var destinationColumns: [ModelDetails.Property: String] = [:]

    init(_ model: ManagedObjectModel, _ numbers: PrimaryKeys) {
        self.model = model
        /// By the root, the entity in a column's name, `Z1_` in `Z1_BOOK`, which others lack, and the name.
        var used: [[String]: Int] = [:]
        func numbered(_ text: String, of root: String, to destination: String = "") -> String {
            used[[root, destination, text], default: -1] += 1
            let count = used[[root, destination, text]] ?? 0
            return count == 0 ? text : "\(text)\(count)"
        }
        for entry in numbers.entries {
            guard let entity = model[entity: entry.name], let root = model.lineage(of: entity).first?.name else {
                continue
            }
            for (keyPath, name) in Self.attributes(of: entity) {
                columns[.init(entity.name, keyPath)] = "Z\(numbered(name.uppercased(), of: root))"
            }
            let keys = entity.relationships.filter { !$0.traits.isTransient && !$0.isToMany }
            for relationship in keys.sorted(byBytesOf: \.name) {
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
    subscript(entity: Entity, keyPath: String) -> SQLName? { nearest(columns, entity, keyPath) }

    /// The column that says of which of several entities an object is that a relationship leads to: `Z1_BOOK`. Nil for a
    /// relationship to an entity that has none below it.
    /// - Parameter number: that of the relationship's destination, in the store.
    func destinationColumn(of entity: Entity, _ relationship: String, number: Int64) -> SQLName? {
        nearest(destinationColumns, entity, relationship).map { "Z\(number)_\($0)" }
    }

    private func nearest<Value>(
        _ columns: [ModelDetails.Property: Value], _ entity: Entity, _ name: String
    ) -> Value? {
        model.lineage(of: entity).reversed().lazy.compactMap { columns[.init($0.name, name)] }.first
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
}
