internal import Texts

/// Keyed archive to model. What a class name, a key or a bit means was seen in real stores.
struct ModelArchiveReader {
    // More than any app has; they keep a forged archive from taking long.
    static let mostSteps = 1 << 20
    private static let mostEntities = 1 << 12
    private static let mostGenerations = 64
    /// In all entities together, inherited ones counted in each.
    private static let mostProperties = 1 << 18

    private var archive: KeyedArchive
    /// Complete after `model()`.
    private(set) var details = ModelDetails()

    /// `NSDenyDeleteRule`.
    private static let denyRule: Int64 = 3

    init(_ list: PropertyList) throws(ModelArchiveError) {
        archive = try KeyedArchive(list, steps: Self.mostSteps)
    }

    mutating func model() throws(ModelArchiveError) -> ManagedObjectModel {
        guard let entries = try archive.entries(archive.root.values["NSEntities"]) else {
            throw .malformed("the archive has no list of entities")
        }
        guard entries.count <= Self.mostEntities else { throw .malformed("there are \(entries.count) entities") }
        var archived: [String: ArchivedEntity] = [:]
        for (name, reference) in entries {
            let found = try entity(reference, key: name)
            guard archived.updateValue(found, forKey: found.entity.name) == nil else {
                throw .malformed("there are two entities \(found.entity.name)")
            }
        }
        let entities = archived.values.map { entity, properties in
            var entity = entity
            entity.add(properties, besides: entity.superentity.flatMap { archived[$0] }?.properties ?? [:])
            return entity
        }
        var identifiers: [String] = []
        for reference in try archive.elements(archive.root.values["NSVersionIdentifiers"]) {
            if let identifier = try archive.string(reference) { identifiers.append(identifier) }
        }
        // A set in the archive: sorted, so that equal models are equal.
        identifiers.sort { $0.isBefore(bytesOf: $1) }
        let model = ManagedObjectModel(entities: entities, versionIdentifiers: identifiers)
        try check(model)
        details.keepDeclared(in: model)
        try readConfigurations()
        return model
    }

    /// Seen in real stores: under its name, each configuration has a set with the entities themselves.
    private mutating func readConfigurations() throws(ModelArchiveError) {
        for (name, entities) in try archive.entries(archive.root.values["NSConfigurations"]) ?? [] {
            var names: Set<String> = []
            for reference in try archive.elements(entities) {
                let entity = try archive.object(reference)
                if let entityName = try archive.string(entity?.values["NSEntityName"]) { names.insert(entityName) }
            }
            details.configurations[name] = names
        }
    }

    private func check(_ model: ManagedObjectModel) throws(ModelArchiveError) {
        var properties = 0
        for entity in model.entities {
            var generations = 0
            var ancestor: Entity? = entity
            while let current = ancestor {
                generations += 1
                guard generations <= Self.mostGenerations else {
                    throw .malformed("the entity \(entity.name) has too many ancestors, or is its own ancestor")
                }
                properties += current.attributes.count + current.relationships.count
                ancestor = current.superentity.flatMap { model[entity: $0] }
            }
        }
        guard properties <= Self.mostProperties else { throw .malformed("there are \(properties) properties") }
    }

    private mutating func entity(
        _ reference: PropertyList, key: String
    ) throws(ModelArchiveError) -> ArchivedEntity {
        guard let object = try archive.object(reference), object.className == "NSEntityDescription" else {
            throw .malformed("the entity \(key) is not described")
        }
        let name = try archive.string(object.values["NSEntityName"]) ?? key
        var entity = Entity(name)
        var described: [String: ArchivedProperty] = [:]
        if let parent = try archive.object(object.values["NSSuperentity"]) {
            guard let parentName = try archive.string(parent.values["NSEntityName"]) else {
                throw .malformed("the parent of the entity \(name) has no name")
            }
            entity.superentity = parentName
        }
        entity.isAbstract = object.flag("NSIsAbstract")
        entity.versionHashModifier = try archive.string(object.values["NSVersionHashModifier"])
        entity.renamingIdentifier = try renamingIdentifier(object, named: name)
        for tuple in try archive.elements(object.values["NSUniqueTuples"]) {
            guard let names = try archive.constrainedNames(tuple) else {
                throw .malformed("a uniqueness constraint of the entity \(name) is not a list of names")
            }
            entity.uniquenessConstraints.append(names)
        }
        guard let properties = try archive.entries(object.values["NSProperties"]) else {
            throw .malformed("the entity \(name) has no list of properties")
        }
        for (property, reference) in properties {
            described[property] = try self.property(reference, named: property, of: name)
        }
        return (entity, described)
    }

    /// Nil for what is not stored: a proxy represents an inherited property, a fetched property is a query.
    private mutating func property(
        _ reference: PropertyList, named name: String, of entity: String
    ) throws(ModelArchiveError) -> ArchivedProperty? {
        guard let object = try archive.object(reference) else { return .unread }
        let keys = try archive.entries(object.values["NSUserInfo"]) ?? []
        if keys.contains(where: { $0.key == ModelDetails.externalizedKey }) {
            details.externalized.insert(.init(entity, name))
        }
        switch object.className {
        case "_NSPropertyDescriptionProxy", "NSFetchedPropertyDescription": return nil
        case "NSAttributeDescription", "NSDerivedAttributeDescription":
            guard let attribute = try attribute(object, named: name) else { return .unread }
            if try archive.refers(object.values["NSDefaultValue"]) { details.defaulted.insert(.init(entity, name)) }
            details.transformers[.init(entity, name)] = try archive.string(object.values["NSValueTransformerName"])
            return .attribute(attribute)
        case Self.compositeClass: return try composite(object, named: name, depth: 0).map { .composite($0) } ?? .unread
        case "NSRelationshipDescription":
            let described = try archive.object(object.values["NSDestinationEntity"])?.values["NSEntityName"]
            let describedName = try archive.string(described)
            let destination = try archive.string(object.values["_NSDestinationEntityName"]) ?? describedName
            guard let destination else { return .unread }
            var relationship = Relationship(name, to: destination)
            relationship.inverse = try archive.string(object.values["_NSInverseRelationshipName"])
            // -1 was seen for "no limit" and counts in the hash as the 32 bits it is.
            relationship.maxCount = UInt32(truncatingIfNeeded: object.values["NSMaxCount"]?.integer ?? 0)
            relationship.minCount = UInt32(truncatingIfNeeded: object.values["NSMinCount"]?.integer ?? 0)
            relationship.isOrdered = (object.values["_P"]?.integer ?? 0) & PropertyBits.ordered != 0
            relationship.traits = try traits(object, named: name)
            if object.values["NSDeleteRule"]?.integer == Self.denyRule { details.denying.insert(.init(entity, name)) }
            return .relationship(relationship)
        default: return .unread
        }
    }

    /// Nil for one that does not say of which type it is.
    private mutating func attribute(
        _ object: KeyedArchive.Object, named name: String
    ) throws(ModelArchiveError) -> Attribute? {
        guard let type = object.values["NSAttributeType"]?.integer.flatMap(UInt32.init(exactly:)) else { return nil }
        var attribute = Attribute(name, AttributeType(rawValue: type))
        attribute.traits = try traits(object, named: name)
        let flags = object.values["NSFlagsKey"]?.integer ?? 0
        attribute.usesExternalStorage = flags & PropertyBits.externalStorage != 0
        attribute.preservesValueAfterDeletion = flags & PropertyBits.preservedAfterDeletion != 0
        attribute.isDerived = object.className == "NSDerivedAttributeDescription"
        return attribute
    }

    static let compositeClass = "NSCompositeAttributeDescription"

    /// Nil if one of its elements is not understood. The key was described by readers of Apple's code.
    private mutating func composite(
        _ object: KeyedArchive.Object, named name: String, depth: Int
    ) throws(ModelArchiveError) -> CompositeAttribute? {
        guard depth < Self.mostGenerations else { return nil }
        var elements: [CompositeAttribute.Element] = []
        for reference in try archive.elements(object.values["NSCompositeElements"]) {
            guard let element = try archive.object(reference),
                let name = try archive.string(element.values["NSPropertyName"])
            else { return nil }
            if element.className == Self.compositeClass {
                guard let composite = try composite(element, named: name, depth: depth + 1) else { return nil }
                elements.append(.composite(composite))
            } else {
                guard let attribute = try attribute(element, named: name) else { return nil }
                elements.append(.attribute(attribute))
            }
        }
        return CompositeAttribute(name, isTransient: try traits(object, named: name).isTransient, elements: elements)
    }

    private mutating func traits(
        _ object: KeyedArchive.Object, named name: String
    ) throws(ModelArchiveError) -> PropertyTraits {
        let bits = object.values["_P"]?.integer ?? 0
        var traits = PropertyTraits(isOptional: bits & PropertyBits.optional != 0 || object.flag("NSIsOptional"))
        traits.isReadOnly = bits & PropertyBits.readOnly != 0 || object.flag("NSIsReadOnly")
        traits.isTransient = bits & PropertyBits.transient != 0 || object.flag("NSIsTransient")
        traits.versionHashModifier = try archive.string(object.values["NSVersionHashModifier"])
        traits.renamingIdentifier = try renamingIdentifier(object, named: name)
        return traits
    }

    /// Real stores have the present name there, where nothing was renamed.
    private mutating func renamingIdentifier(
        _ object: KeyedArchive.Object, named name: String
    ) throws(ModelArchiveError) -> String? {
        let identifier = try archive.string(object.values["NSRenamingIdentifier"])
        return identifier == name ? nil : identifier
    }
}

extension KeyedArchive {
    /// The names in one of an entity's `NSUniqueTuples`; nil if there is something else among them. Real stores have
    /// strings; an app may give Core Data the properties instead.
    mutating func constrainedNames(_ tuple: PropertyList) throws(ModelArchiveError) -> [String]? {
        var names: [String] = []
        for element in try elements(tuple) {
            let propertyName = try object(element)?.values["NSPropertyName"]
            guard let name = try string(propertyName ?? element) else { return nil }
            names.append(name)
        }
        return names
    }
}

private enum ArchivedProperty: Hashable {
    case attribute(Attribute)
    case composite(CompositeAttribute)
    case relationship(Relationship)
    case unread
}

/// An entity as archives describe it, and its properties: inherited ones are repeated in each subentity.
private typealias ArchivedEntity = (entity: Entity, properties: [String: ArchivedProperty])

extension Entity {
    /// Gives it its own properties: those that its parent lacks, or describes differently.
    fileprivate mutating func add(
        _ properties: [String: ArchivedProperty], besides inherited: [String: ArchivedProperty]
    ) {
        for (name, property) in properties.sorted(byBytesOf: \.key) where inherited[name] != property {
            switch property {
            case .attribute(let attribute): attributes.append(attribute)
            case .composite(let composite):
                composites.append(composite)
                unreadProperties.insert(name)
            case .relationship(let relationship): relationships.append(relationship)
            case .unread: unreadProperties.insert(name)
            }
        }
    }
}
