internal import Texts

/// Model to keyed archive. Keys, classes and constants are those of real stores.
struct ModelArchiveWriter {
    private let model: ManagedObjectModel
    private var builder = KeyedArchiveBuilder()
    private let root: PropertyList
    private var entities: [String: PropertyList] = [:]
    /// Subentities have copies of their own of what they inherit.
    private var properties: [ModelDetails.Property: PropertyList] = [:]

    init(_ model: ManagedObjectModel) {
        self.model = model
        root = builder.reserve()
        for entity in model.entities {
            entities[entity.name] = builder.reserve()
            let names = model.allAttributes(of: entity).map(\.name) + model.allRelationships(of: entity).map(\.name)
            for name in names { properties[.init(entity.name, name)] = builder.reserve() }
        }
    }

    mutating func archive(_ configurations: [String: Set<String>]) -> PropertyList {
        let emptyUserInfo = builder.add(["NS.keys": .array([]), "NS.objects": .array([])], class: "NSDictionary")
        for entity in model.entities { write(entity, userInfo: emptyUserInfo) }
        let identifiers = model.versionIdentifiers.map { builder.string($0) }
        var values = [
            "NSEntities": knownKeysDictionary(),
            "NSFetchRequestTemplates": KeyedArchiveBuilder.null,
            "NSVersionIdentifiers": builder.add(["NS.objects": .array(identifiers)], class: "NSSet"),
        ]
        if !configurations.isEmpty {
            let sets = configurations.sorted(byBytesOf: \.key).map { name, entities in
                let references = model.entities.filter { entities.contains($0.name) }.map { reference(to: $0.name) }
                return (name, builder.add(["NS.objects": .array(references)], class: "NSSet"))
            }
            values["NSConfigurations"] = builder.mutableDictionary(sets)
        }
        builder.set(root, to: values, class: "NSManagedObjectModel")
        return builder.archive(root: root)
    }

    /// The encoding that entities have in real stores: keys in one object, values in another.
    private mutating func knownKeysDictionary() -> PropertyList {
        let names = model.entities.map { builder.string($0.name) }
        let mapping = builder.add(
            ["keys": builder.array(names), "length": .integer(Int64(names.count)), "version": .integer(1)],
            class: "NSKnownKeysMappingStrategy1", ancestors: ["NSKnownKeysMappingStrategy"])
        let values = model.entities.map { reference(to: $0.name) }
        return builder.add(
            [
                "searchMapping": mapping, "values": builder.array(values), "version": .integer(1),
                "emptyToken": builder.string("__empty_slot_token_4c24_98dc_ac1e_b773__"),
            ], class: "NSKnownKeysDictionary1",
            ancestors: ["NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"])
    }

    private mutating func write(_ entity: Entity, userInfo: PropertyList) {
        var references: [(key: String, value: PropertyList)] = []
        for attribute in model.allAttributes(of: entity) {
            let reference = reference(to: attribute.name, of: entity.name)
            builder.describe(attribute, of: self.reference(to: entity.name), at: reference)
            references.append((attribute.name, reference))
        }
        for composite in model.allComposites(of: entity) {
            references.append((composite.name, builder.add(composite, of: reference(to: entity.name))))
        }
        for relationship in model.allRelationships(of: entity) {
            references.append((relationship.name, write(relationship, in: entity)))
        }
        let subentities = model.entities.filter { $0.superentity == entity.name }
        let name = builder.string(entity.name)
        var values: [String: PropertyList] = [
            "NSEntityName": name,
            "NSRenamingIdentifier": entity.renamingIdentifier.map { builder.string($0) } ?? name,
            "NSClassNameForEntity": builder.string("NSManagedObject"),
            "NSManagedObjectModel": root,
            "NSProperties": builder.mutableDictionary(references),
            "NSSubentities": builder.mutableDictionary(subentities.map { ($0.name, reference(to: $0.name)) }),
            "NSSuperentity": entity.superentity.map { reference(to: $0) } ?? KeyedArchiveBuilder.null,
            "NSUserInfo": userInfo,
            "NSVersionHashModifier": builder.string(entity.versionHashModifier),
        ]
        if entity.isAbstract { values["NSIsAbstract"] = .bool(true) }
        if !entity.uniquenessConstraints.isEmpty {
            let tuples = entity.uniquenessConstraints.map { constraint in
                builder.mutableArray(constraint.map { builder.string($0) })
            }
            values["NSUniqueTuples"] = builder.mutableArray(tuples)
        }
        builder.set(reference(to: entity.name), to: values, class: "NSEntityDescription")
    }

    private mutating func write(_ relationship: Relationship, in entity: Entity) -> PropertyList {
        let reference = reference(to: relationship.name, of: entity.name)
        let ordered = relationship.isOrdered ? PropertyBits.ordered : 0
        var values = builder.values(
            ofPropertyNamed: relationship.name, relationship.traits, of: self.reference(to: entity.name), bits: ordered)
        values["NSDestinationEntity"] = self.reference(to: relationship.destination)
        values["_NSDestinationEntityName"] = builder.string(relationship.destination)
        values["_NSInverseRelationshipName"] = builder.string(relationship.inverse)
        values["NSInverseRelationship"] =
            relationship.inverse.map { self.reference(to: $0, of: relationship.destination) }
            ?? KeyedArchiveBuilder.null
        values["NSMaxCount"] = .integer(Int64(Int32(bitPattern: relationship.maxCount)))
        values["NSMinCount"] = .integer(Int64(Int32(bitPattern: relationship.minCount)))
        let nullify: Int64 = 1
        values["NSDeleteRule"] = .integer(nullify)
        builder.set(reference, to: values, class: "NSRelationshipDescription", ancestors: ["NSPropertyDescription"])
        return reference
    }

    private func reference(to entity: String) -> PropertyList { entities[entity] ?? KeyedArchiveBuilder.null }

    private func reference(to property: String, of entity: String) -> PropertyList {
        properties[.init(entity, property)] ?? KeyedArchiveBuilder.null
    }
}

extension KeyedArchiveBuilder {
    /// Makes the object at `reference` the description of an attribute.
    mutating func describe(_ attribute: Attribute, of entity: PropertyList, at reference: PropertyList) {
        var values = values(ofPropertyNamed: attribute.name, attribute.traits, of: entity, bits: 0)
        values["NSAttributeType"] = .integer(Int64(attribute.type.rawValue))
        values["NSAttributeValueClassName"] = string(attribute.type.valueClassName)
        values["NSDefaultValue"] = Self.null
        values["NSValueTransformerName"] = Self.null
        let external = attribute.usesExternalStorage ? PropertyBits.externalStorage : 0
        let preserved = attribute.preservesValueAfterDeletion ? PropertyBits.preservedAfterDeletion : 0
        values["NSFlagsKey"] = .integer(external | preserved)
        let ancestors = (attribute.isDerived ? ["NSAttributeDescription"] : []) + ["NSPropertyDescription"]
        let name = attribute.isDerived ? "NSDerivedAttributeDescription" : "NSAttributeDescription"
        set(reference, to: values, class: name, ancestors: ancestors)
    }

    mutating func add(_ composite: CompositeAttribute, of entity: PropertyList) -> PropertyList {
        var traits = PropertyTraits()
        traits.isTransient = composite.isTransient
        var values = values(ofPropertyNamed: composite.name, traits, of: entity, bits: 0)
        values["NSAttributeType"] = .integer(Int64(AttributeType.composite.rawValue))
        var elements: [PropertyList] = []
        for element in composite.elements {
            switch element {
            case .composite(let composite): elements.append(add(composite, of: entity))
            case .attribute(let attribute):
                let reference = reserve()
                describe(attribute, of: entity, at: reference)
                elements.append(reference)
            }
        }
        values["NSCompositeElements"] = array(elements)
        return add(
            values, class: ModelArchiveReader.compositeClass,
            ancestors: ["NSAttributeDescription", "NSPropertyDescription"])
    }

    /// What every kind of property has.
    fileprivate mutating func values(
        ofPropertyNamed name: String, _ traits: PropertyTraits, of entity: PropertyList, bits: Int64
    ) -> [String: PropertyList] {
        var bits = bits | PropertyBits.always
        let nameReference = string(name)
        var values = [
            "NSEntity": entity, "NSPropertyName": nameReference,
            "NSRenamingIdentifier": traits.renamingIdentifier.map { string($0) } ?? nameReference,
        ]
        let flags = [
            (traits.isOptional, PropertyBits.optional, "NSIsOptional"),
            (traits.isReadOnly, PropertyBits.readOnly, "NSIsReadOnly"),
            (traits.isTransient, PropertyBits.transient, "NSIsTransient"),
        ]
        for (isSet, bit, key) in flags where isSet {
            bits |= bit
            values[key] = .bool(true)
        }
        values["_P"] = .integer(bits)
        if let modifier = traits.versionHashModifier { values["NSVersionHashModifier"] = string(modifier) }
        return values
    }
}

extension AttributeType {
    /// The class of the values, as real stores name it; nil if the app decides.
    fileprivate var valueClassName: String? {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binary: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        default: nil
        }
    }
}
