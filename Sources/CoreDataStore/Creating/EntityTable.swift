internal import Texts

/// The table of a root entity and all entities below it: its columns in the order Core Data declares them.
package struct EntityTable: Sendable {
    package struct Column: Equatable, Sendable {
        package let name: String
        /// As declared in the DDL, `VARCHAR` for instance.
        package let declaredType: String
        /// Whether this is the key of a to-one relationship, which has an index of its own.
        package let isKey: Bool
    }

    package let name: String
    /// Without `Z_PK`, `Z_ENT` and `Z_OPT`, which every table begins with.
    package let columns: [Column]
    /// Whether several entities share the table; then `Z_ENT` has an index.
    package let hasSubentities: Bool
    /// One for each uniqueness constraint, as Core Data keeps it.
    package private(set) var uniqueIndexes: [(name: String, columns: [String])] = []

    /// The table of the entities that descend from `root`.
    /// - Throws: `StoreCreationError.unsupportedModel` for names, types and relationships that have no column.
    package init(root: Entity, in layout: ModelLayout) throws(StoreCreationError) {
        let model = layout.model
        let family = layout.numbers.entries.compactMap { model[entity: $0.name] }
            .filter { model.lineage(of: $0).first?.name == root.name }
        var drafts: [Draft] = []
        for (depth, entity) in family.enumerated() {
            drafts += try Draft.drafts(of: entity, at: depth, in: layout)
        }

        name = "Z" + root.name.uppercased()
        columns = drafts.sorted(by: Draft.precedes).map(\.column)
        hasSubentities = family.count > 1
        for entity in family {
            for constraint in entity.uniquenessConstraints {
                let columns = constraint.compactMap { layout.columns[entity, $0]?.text }
                guard columns.count == constraint.count else {
                    throw .unsupportedModel("a uniqueness constraint of \(entity.name) names an unknown attribute")
                }
                let name = "Z_\(entity.name)_UNIQUE_" + constraint.joined(separator: "_")
                uniqueIndexes.append((name, columns))
            }
        }
    }
}

private struct Draft {
    let column: EntityTable.Column
    /// What columns are sorted by: the storage class, then the entity, then the type, then the name.
    let place: (storage: Int, entity: Int, type: Int, name: String, second: Int)

    static func precedes(_ left: Draft, _ right: Draft) -> Bool {
        let (a, b) = (left.place, right.place)
        let (first, second) = ((a.storage, a.entity, a.type), (b.storage, b.entity, b.type))
        if first != second { return first < second }
        if a.name != b.name { return a.name.isBefore(bytesOf: b.name) }
        return a.second < b.second
    }

    static func drafts(
        of entity: Entity, at depth: Int, in layout: ModelLayout
    ) throws(StoreCreationError) -> [Draft] {
        let (model, columns) = (layout.model, layout.columns)
        var drafts: [Draft] = []
        func add(
            _ column: SQLName, _ declaredType: String, isKey: Bool = false, storage: Int = 0, type: Int = 1,
            _ name: String, second: Int = 0
        ) {
            drafts.append(
                Draft(
                    column: .init(name: column.text, declaredType: declaredType, isKey: isKey),
                    place: (storage, depth, type, name, second)))
        }
        // The order of their columns is not known.
        if let composite = entity.composites.first {
            throw .unsupportedModel("\(entity.name).\(composite.name) is a composite attribute")
        }
        for attribute in entity.attributes where !attribute.traits.isTransient {
            try checkIdentifier(attribute.name)
            guard let layout = attribute.type.layout else {
                throw .unsupportedModel(
                    "attribute \(entity.name).\(attribute.name) has the unknown type \(attribute.type.rawValue)")
            }
            guard let column = columns[entity, attribute.name] else { continue }
            add(column, layout.declared, storage: layout.storage, type: layout.type, attribute.name)
        }
        for relationship in entity.relationships where !relationship.traits.isTransient {
            try checkIdentifier(relationship.name)
            let inverse = model.inverse(of: relationship)
            if relationship.isToMany {
                // Join tables and order keys are not made: the app's model has neither.
                guard !relationship.isOrdered, let inverse, !inverse.isToMany else {
                    throw .unsupportedModel("\(entity.name).\(relationship.name) needs a join table or an order key")
                }
                continue
            }
            guard inverse?.isOrdered != true else {
                throw .unsupportedModel("\(entity.name).\(relationship.name) needs an order key")
            }
            let name = relationship.name
            guard let column = columns[entity, name] else { continue }
            add(column, "INTEGER", isKey: true, name)
            if let number = layout.numbers[relationship.destination]?.number,
                let column = columns.destinationColumn(of: entity, name, number: number)
            {
                add(column, "INTEGER", name, second: 1)
            }
        }
        return drafts
    }
}

extension AttributeType {
    /// How the column of an attribute is declared; nil for a type that is not known.
    package var declaredType: String? { layout?.declared }

    /// The declared SQL type and the rank among columns. A store keeps its numbers of one storage class together for
    /// the whole family of entities (`TIMESTAMP` and `FLOAT` are one class), and sorts by type only inside an entity.
    fileprivate var layout: (declared: String, storage: Int, type: Int)? {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: ("INTEGER", 0, 0)
        case .date: ("TIMESTAMP", 1, 0)
        case .double, .float: ("FLOAT", 1, 1)
        case .decimal: ("DECIMAL", 1, 2)
        case .string, .uri: ("VARCHAR", 2, 0)
        case .uuid: ("BLOB", 3, 0)
        case .binary, .transformable: ("BLOB", 4, 0)
        default: nil
        }
    }
}

/// Refuses a name that cannot be used in DDL without quotes. Core Data writes its DDL without quotes and compares the
/// text, so quoting is not an option here.
func checkIdentifier(_ name: String) throws(StoreCreationError) {
    guard name.isPlainIdentifier else { throw .unsupportedModel("the name '\(name)' is not an identifier") }
}

extension String {
    /// Whether it consists only of ASCII letters, digits and underscores, and so can be a part of a name without
    /// quotes.
    package var isPlainIdentifier: Bool {
        !isEmpty
            && utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
            }
    }
}
