internal import Texts

/// How two models differ, entity by entity and property by property. Properties are compared where they are declared: a
/// change in a parent is not repeated for its subentities.
package struct ModelDifference: Hashable, Sendable {
    /// Sorted by entity, then property.
    package let items: [Item]

    package init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
        var items: [Item] = []
        for name in Set((old.entities + new.entities).map(\.name)) {
            switch (old[entity: name], new[entity: name]) {
            case (let before?, let after?): items += Self.items(from: before, to: after, in: new)
            case (nil, let after?):
                let parent = after.superentity.flatMap { old[entity: $0] }
                items.append(.entityAdded(entity: name, sharesTable: parent != nil))
            default: items.append(.entityRemoved(entity: name))
            }
        }
        self.items = items.sorted { left, right in
            if left.entity != right.entity { return left.entity.isBefore(bytesOf: right.entity) }
            let (first, second) = (left.property ?? "", right.property ?? "")
            if first != second { return first.isBefore(bytesOf: second) }
            return left.description.isBefore(bytesOf: right.description)
        }
    }

    private static func items(from old: Entity, to new: Entity, in model: ManagedObjectModel) -> [Item] {
        let name = old.name
        var items: [Item] = []
        if old.superentity != new.superentity {
            items.append(.parentChanged(entity: name, from: old.superentity, to: new.superentity))
        }
        if old.isAbstract != new.isAbstract { items.append(.abstractChanged(entity: name, isAbstract: new.isAbstract)) }
        if old.versionHashModifier != new.versionHashModifier {
            items.append(.modifierChanged(entity: name, property: nil))
        }
        for constraint in new.uniquenessConstraints where !old.uniquenessConstraints.contains(constraint) {
            items.append(.constraintAdded(entity: name, attributes: constraint))
        }
        for constraint in old.uniquenessConstraints where !new.uniquenessConstraints.contains(constraint) {
            items.append(.constraintRemoved(entity: name, attributes: constraint))
        }
        for property in old.unreadProperties.union(new.unreadProperties) {
            items.append(.unread(entity: name, property: property))
        }
        for (before, after) in pairs(old.attributes, new.attributes, by: \.name) {
            switch (before, after) {
            case (let before?, let after?): items += self.items(of: name, from: before, to: after)
            case (nil, let after?): items.append(.attributeAdded(entity: name, attribute: after))
            case (let before?, nil): items.append(.attributeRemoved(entity: name, attribute: before))
            case (nil, nil): break
            }
        }
        for (before, after) in pairs(old.relationships, new.relationships, by: \.name) {
            switch (before, after) {
            case (let before?, let after?): items += self.items(of: name, from: before, to: after)
            case (nil, let after?):
                let storage = RelationshipStorage(of: after, in: model)
                items.append(.relationshipAdded(entity: name, relationship: after, storage: storage))
            case (let before?, nil): items.append(.relationshipRemoved(entity: name, relationship: before))
            case (nil, nil): break
            }
        }
        return items
    }

    private static func items(of entity: String, from old: Attribute, to new: Attribute) -> [Item] {
        var items = traitItems(of: entity, old.name, from: old.traits, to: new.traits)
        if old.type != new.type {
            items.append(.attributeRetyped(entity: entity, attribute: old.name, from: old.type, to: new.type))
        }
        let flags: [(StorageFlag, KeyPath<Attribute, Bool>)] = [
            (.externalStorage, \.usesExternalStorage), (.preservedAfterDeletion, \.preservesValueAfterDeletion),
            (.derived, \.isDerived),
        ]
        for (flag, path) in flags where old[keyPath: path] != new[keyPath: path] {
            items.append(
                .storageFlagChanged(entity: entity, property: old.name, flag: flag, isSet: new[keyPath: path]))
        }
        return items
    }

    private static func items(of entity: String, from old: Relationship, to new: Relationship) -> [Item] {
        var items = traitItems(of: entity, old.name, from: old.traits, to: new.traits)
        var (before, after) = (old, new)
        before.traits = PropertyTraits()
        after.traits = PropertyTraits()
        if before != after { items.append(.relationshipChanged(entity: entity, from: old, to: new)) }
        return items
    }

    private static func traitItems(
        of entity: String, _ property: String, from old: PropertyTraits, to new: PropertyTraits
    ) -> [Item] {
        var items: [Item] = []
        if old.isOptional != new.isOptional {
            items.append(.optionalityChanged(entity: entity, property: property, isOptional: new.isOptional))
        }
        for (flag, path) in [(StorageFlag.transient, \PropertyTraits.isTransient), (.readOnly, \.isReadOnly)]
        where old[keyPath: path] != new[keyPath: path] {
            items.append(
                .storageFlagChanged(entity: entity, property: property, flag: flag, isSet: new[keyPath: path]))
        }
        if old.versionHashModifier != new.versionHashModifier {
            items.append(.modifierChanged(entity: entity, property: property))
        }
        return items
    }

    /// The values of the same name on both sides, or on one side only.
    private static func pairs<Property>(
        _ old: [Property], _ new: [Property], by name: (Property) -> String
    ) -> [(Property?, Property?)] {
        let names = Set(new.map(name))
        return new.map { property in (old.first { name($0) == name(property) }, property) }
            + old.filter { !names.contains(name($0)) }.map { ($0, nil) }
    }
}

extension ModelDifference {
    /// One thing that differs, seen from the old model.
    package enum Item: Hashable, Sendable {
        /// - Parameter sharesTable: whether its rows are in the table of a parent that the old model has.
        case entityAdded(entity: String, sharesTable: Bool)
        case entityRemoved(entity: String)
        case parentChanged(entity: String, from: String?, to: String?)
        case abstractChanged(entity: String, isAbstract: Bool)
        /// The entity's own modifier if `property` is nil.
        case modifierChanged(entity: String, property: String?)
        case constraintAdded(entity: String, attributes: [String])
        case constraintRemoved(entity: String, attributes: [String])
        case attributeAdded(entity: String, attribute: Attribute)
        case attributeRemoved(entity: String, attribute: Attribute)
        case attributeRetyped(entity: String, attribute: String, from: AttributeType, to: AttributeType)
        case optionalityChanged(entity: String, property: String, isOptional: Bool)
        case storageFlagChanged(entity: String, property: String, flag: StorageFlag, isSet: Bool)
        case relationshipAdded(entity: String, relationship: Relationship, storage: RelationshipStorage)
        case relationshipRemoved(entity: String, relationship: Relationship)
        /// In other ways than being optional, transient or read-only.
        case relationshipChanged(entity: String, from: Relationship, to: Relationship)
        /// A property whose description in at least one of the models is not understood.
        case unread(entity: String, property: String)

        package var entity: String {
            switch self {
            case .entityAdded(let entity, _), .entityRemoved(let entity), .parentChanged(let entity, _, _),
                .abstractChanged(let entity, _), .modifierChanged(let entity, _), .constraintAdded(let entity, _),
                .constraintRemoved(let entity, _), .attributeAdded(let entity, _), .attributeRemoved(let entity, _),
                .attributeRetyped(let entity, _, _, _), .optionalityChanged(let entity, _, _),
                .storageFlagChanged(let entity, _, _, _), .relationshipAdded(let entity, _, _),
                .relationshipRemoved(let entity, _), .relationshipChanged(let entity, _, _), .unread(let entity, _):
                entity
            }
        }

        /// Whether the new model can have values that the old one has no place for.
        package var addsValues: Bool {
            switch self {
            case .entityAdded, .relationshipAdded: true
            case .attributeAdded(_, let attribute): !attribute.traits.isTransient
            case .storageFlagChanged(_, _, let flag, let isSet): flag == .transient && !isSet
            case .entityRemoved, .parentChanged, .abstractChanged, .modifierChanged, .constraintAdded,
                .constraintRemoved, .attributeRemoved, .attributeRetyped, .optionalityChanged, .relationshipRemoved,
                .relationshipChanged, .unread:
                false
            }
        }

        /// Nil if the item is about the entity itself.
        package var property: String? {
            switch self {
            case .entityAdded, .entityRemoved, .parentChanged, .abstractChanged, .constraintAdded, .constraintRemoved:
                nil
            case .modifierChanged(_, let property): property
            case .attributeAdded(_, let attribute), .attributeRemoved(_, let attribute): attribute.name
            case .attributeRetyped(_, let name, _, _), .optionalityChanged(_, let name, _),
                .storageFlagChanged(_, let name, _, _), .unread(_, let name):
                name
            case .relationshipAdded(_, let relationship, _), .relationshipRemoved(_, let relationship),
                .relationshipChanged(_, let relationship, _):
                relationship.name
            }
        }
    }

    /// A flag of a property, under the name people know it by.
    package enum StorageFlag: String, Hashable, Sendable {
        case transient
        case readOnly = "read-only"
        case externalStorage = "external storage"
        case preservedAfterDeletion = "preserved after deletion"
        case derived
    }

    /// Where the two ends of a relationship are kept.
    package enum RelationshipStorage: Hashable, Sendable {
        /// A to-one relationship: a column of its own, with an index.
        case key
        /// A to-many relationship whose other end is to-one: nothing in this table.
        case keyAtDestination
        /// An ordered one: the key has a position beside it.
        case orderedKey
        case joinTable
        /// A to-many relationship without inverse, for which Core Data invents a column elsewhere.
        case unknown
        /// Transient.
        case none

        init(of relationship: Relationship, in model: ManagedObjectModel) {
            let inverse = relationship.inverse.flatMap { name in
                model[entity: relationship.destination].flatMap { destination in
                    model.allRelationships(of: destination).first { $0.name == name }
                }
            }
            self =
                switch (relationship.isToMany, inverse?.isToMany) {
                case _ where relationship.traits.isTransient: .none
                case (true, nil): .unknown
                case (true, true): .joinTable
                case (true, false): relationship.isOrdered ? .orderedKey : .keyAtDestination
                case (false, _): inverse?.isOrdered == true ? .orderedKey : .key
                }
        }
    }
}
