internal import Texts

/// A managed object model: the entities of an app, as far as the store's layout and the version hashes depend on them.
public struct ManagedObjectModel: Hashable, Sendable {
    /// By name, in byte order. (`Z_ENT` follows it too, but with each entity's subentities right after it: seen in real
    /// stores.)
    public private(set) var entities: [Entity]
    /// `NSStoreModelVersionIdentifiers`, as the model's author named the version; often `[""]`.
    package var versionIdentifiers: [String]

    package init(entities: [Entity], versionIdentifiers: [String] = []) {
        self.entities = entities.sorted(byBytesOf: \.name)
        self.versionIdentifiers = versionIdentifiers
    }

    package subscript(entity name: String) -> Entity? {
        let index = entities.partitioningIndex { !$0.name.isBefore(bytesOf: name) }
        return index < entities.count && entities[index].name == name ? entities[index] : nil
    }

    /// The chain from the root entity down to `entity`, both included. Ends early if a parent is missing or repeats.
    package func lineage(of entity: Entity) -> [Entity] {
        var chain = [entity]
        var seen: Set<String> = [entity.name]
        while let parent = chain[0].superentity.flatMap({ self[entity: $0] }), seen.insert(parent.name).inserted {
            chain.insert(parent, at: 0)
        }
        return chain
    }

    /// The attributes of `entity`, inherited ones included, by name in byte order. One that a subentity redeclares
    /// replaces the inherited one.
    public func allAttributes(of entity: Entity) -> [Attribute] { nearest(\.attributes, by: \.name, of: entity) }

    /// The relationships of `entity`, likewise.
    public func allRelationships(of entity: Entity) -> [Relationship] {
        nearest(\.relationships, by: \.name, of: entity)
    }

    /// The composite attributes of `entity`, likewise.
    public func allComposites(of entity: Entity) -> [CompositeAttribute] {
        nearest(\.composites, by: \.name, of: entity)
    }

    func inverse(of relationship: Relationship) -> Relationship? {
        guard let name = relationship.inverse, let destination = self[entity: relationship.destination] else {
            return nil
        }
        return allRelationships(of: destination).first { $0.name == name }
    }

    private func nearest<Property>(
        _ properties: (Entity) -> [Property], by name: (Property) -> String, of entity: Entity
    ) -> [Property] {
        // The order of those with one name stays, from the root down.
        let all = lineage(of: entity).flatMap(properties).sorted(byBytesOf: name)
        return all.indices.filter { $0 + 1 == all.count || name(all[$0]) != name(all[$0 + 1]) }.map { all[$0] }
    }
}

/// One entity. `attributes` and `relationships` are its own, without inherited ones.
public struct Entity: Hashable, Sendable {
    /// Its name in the model.
    public package(set) var name: String
    /// The name of the parent entity.
    public package(set) var superentity: String?
    package var isAbstract = false
    package var attributes: [Attribute]
    package var relationships: [Relationship]
    /// Each constraint is the list of the attribute names it spans.
    package var uniquenessConstraints: [[String]]
    package var versionHashModifier: String?
    /// What an earlier version of the model called it, if that was something else.
    package var renamingIdentifier: String?
    package var composites: [CompositeAttribute] = []
    /// Names of properties whose part of the version hash and of the history's bits is not known: composite attributes,
    /// and those whose description in a model on disk is not understood at all.
    package var unreadProperties: Set<String> = []

    package init(
        _ name: String, superentity: String? = nil, attributes: [Attribute] = [], relationships: [Relationship] = [],
        uniquenessConstraints: [[String]] = []
    ) {
        self.name = name
        self.superentity = superentity
        self.attributes = attributes
        self.relationships = relationships
        self.uniquenessConstraints = uniquenessConstraints
    }

    /// Whether one of its constraints spans all these attributes.
    package func hasConstraint(over attributes: [String]) -> Bool {
        uniquenessConstraints.contains { Set(attributes).isSubset(of: $0) }
    }
}

/// What attributes and relationships have in common.
package struct PropertyTraits: Hashable, Sendable {
    package var isOptional = true
    package var isTransient = false
    package var isReadOnly = false
    package var versionHashModifier: String?
    /// What an earlier version of the model called it, if that was something else.
    package var renamingIdentifier: String?
}

/// An attribute.
public struct Attribute: Hashable, Sendable {
    /// Its name in the entity.
    public package(set) var name: String
    package var type: AttributeType
    package var traits: PropertyTraits
    package var usesExternalStorage = false
    package var preservesValueAfterDeletion = false
    /// Kept up to date by triggers `Z_DA_*`; its part of the version hash cannot be recomputed.
    package var isDerived = false

    package init(_ name: String, _ type: AttributeType, isOptional: Bool = true) {
        self.name = name
        self.type = type
        self.traits = PropertyTraits(isOptional: isOptional)
    }

    /// As Xcode's editor names the type: "Integer 16" for instance.
    public var typeName: String { type.name }

    /// Its column, in the table of the root entity, where no other property there has that name (`ColumnNames`).
    package var column: SQLName { "Z\(name.uppercased())" }
}

/// A relationship.
public struct Relationship: Hashable, Sendable {
    /// Its name in the entity.
    public package(set) var name: String
    /// The name of the entity that it leads to.
    public package(set) var destination: String
    package var inverse: String?
    package var minCount: UInt32 = 0
    /// 1 is a to-one relationship; 0 is "no limit".
    package var maxCount: UInt32 = 1
    package var isOrdered = false
    package var traits = PropertyTraits()

    package init(_ name: String, to destination: String, inverse: String? = nil, maxCount: UInt32 = 1) {
        self.name = name
        self.destination = destination
        self.inverse = inverse
        self.maxCount = maxCount
    }

    /// Whether it may lead to more than one object.
    public var isToMany: Bool { maxCount != 1 }

    /// The column of a to-one relationship's key, in the table of the root entity.
    package var column: SQLName { "Z\(name.uppercased())" }
}

/// `NSAttributeType`: the number in models and version hashes.
package struct AttributeType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let undefined = AttributeType(rawValue: 0)
    package static let integer16 = AttributeType(rawValue: 100)
    package static let integer32 = AttributeType(rawValue: 200)
    package static let integer64 = AttributeType(rawValue: 300)
    package static let decimal = AttributeType(rawValue: 400)
    package static let double = AttributeType(rawValue: 500)
    package static let float = AttributeType(rawValue: 600)
    package static let string = AttributeType(rawValue: 700)
    package static let boolean = AttributeType(rawValue: 800)
    package static let date = AttributeType(rawValue: 900)
    package static let binary = AttributeType(rawValue: 1000)
    package static let uuid = AttributeType(rawValue: 1100)
    package static let uri = AttributeType(rawValue: 1200)
    package static let transformable = AttributeType(rawValue: 1800)
    package static let objectID = AttributeType(rawValue: 2000)
    package static let composite = AttributeType(rawValue: 2100)
}

extension AttributeType {
    /// As Xcode's editor and model sources name the type.
    private static let names: [AttributeType: String] = [
        .undefined: "Undefined", .integer16: "Integer 16", .integer32: "Integer 32",
        .integer64: "Integer 64", .decimal: "Decimal", .double: "Double", .float: "Float", .string: "String",
        .boolean: "Boolean", .date: "Date", .binary: "Binary", .uuid: "UUID", .uri: "URI",
        .transformable: "Transformable", .objectID: "Object ID",
    ]

    /// "Integer 16" for instance; the number of a type not known here.
    package var name: String { Self.names[self] ?? "type \(rawValue)" }

    /// Nil for a name not known here.
    init?(named name: String) {
        guard let type = Self.names.first(where: { $0.value == name })?.key else { return nil }
        self = type
    }
}
