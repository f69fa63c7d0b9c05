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
