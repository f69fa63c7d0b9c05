/// The columns of an entity's properties in the table of its root entity. Core Data numbers names that occur several
/// times there: `ZVALUE`, `ZVALUE1`.
///
/// That a later entity's column gets the number was seen in real stores. The rest was described by readers of Apple's
/// code: entities come by number, and of each first the attributes by name, then the to-one relationships by name; the
/// elements of a composite attribute take its place, under their own names.
struct ColumnNames {
    private struct Property: Hashable {
        let entity: String
        let keyPath: String
    }

    private let model: ManagedObjectModel
    private var columns: [Property: SQLName] = [:]

    init(_ model: ManagedObjectModel) {
        self.model = model
        var used: [String: [SQLName: Int]] = [:]
        for entry in EntityNumbers(model).entries {
            guard let entity = model[entity: entry.name], let root = model.lineage(of: entity).first else { continue }
            for (keyPath, name) in Self.stored(in: entity) {
                let plain: SQLName = "Z\(name.uppercased())"
                let count = used[root.name, default: [:]][plain, default: 0]
                used[root.name, default: [:]][plain] = count + 1
                columns[Property(entity: entity.name, keyPath: keyPath)] = count == 0 ? plain : "\(plain)\(count)"
            }
        }
    }

    /// The column of a property, inherited or not; nil for one that has none.
    /// - Parameter keyPath: the property's name; of an element of a composite attribute, its key path.
    subscript(entity: Entity, keyPath: String) -> SQLName? {
        model.lineage(of: entity).reversed().lazy.compactMap {
            columns[Property(entity: $0.name, keyPath: keyPath)]
        }.first
    }

    /// The entity's own properties that have a column, in the order in which they get it.
    private static func stored(in entity: Entity) -> [(keyPath: String, name: String)] {
        let plain = entity.attributes.filter { !$0.traits.isTransient }.map { ($0.name, [($0.name, $0.name)]) }
        let composite = entity.composites.filter { !$0.isTransient }.map { composite in
            (composite.name, composite.leaves.map { ($0.keyPath, $0.attribute.name) })
        }
        let attributes = (plain + composite).sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.flatMap(\.1)
        let keys = entity.relationships.filter { !$0.traits.isTransient && !$0.isToMany }.map(\.name)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return attributes.map { (keyPath: $0.0, name: $0.1) } + keys.map { (keyPath: $0, name: $0) }
    }
}
