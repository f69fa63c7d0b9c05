/// What a model says of its properties beyond a `ManagedObjectModel`: neither the layout of a store nor the version
/// hashes depend on it, but CloudKit mirroring asks for it (`CloudKitRule`).
package struct ModelDetails: Hashable, Sendable {
    /// A property where an entity declares it.
    package struct Property: Hashable, Sendable {
        package let entity: String
        /// Of an element of a composite attribute the key path.
        package let name: String

        package init(_ entity: String, _ name: String) {
            self.entity = entity
            self.name = name
        }
    }

    package var defaulted: Set<Property> = []
    package var denying: Set<Property> = []
    package var transformers: [Property: String] = [:]
    /// Properties whose user info asks the mirror to keep the value outside its record.
    package var externalized: Set<Property> = []
    /// Of the user info (new in Core Data 27: seen in the texts of its framework).
    static let externalizedKey = "NSPersistentCloudKitContainerExternalizedAttributeKey"
    /// The names of the entities in each configuration but the default one, which has all.
    package var configurations: [String: Set<String>] = [:]

    package init() {}

    /// Drops what is said of inherited properties, which archives repeat.
    mutating func keepDeclared(in model: ManagedObjectModel) {
        func isAttribute(_ property: Property) -> Bool {
            model[entity: property.entity]?.attributes.contains { $0.name == property.name } ?? false
        }
        func isRelationship(_ property: Property) -> Bool {
            model[entity: property.entity]?.relationships.contains { $0.name == property.name } ?? false
        }
        defaulted = defaulted.filter(isAttribute)
        denying = denying.filter(isRelationship)
        transformers = transformers.filter { isAttribute($0.key) }
        externalized = externalized.filter { isAttribute($0) || isRelationship($0) }
    }
}

/// A rule that CloudKit mirroring has for models. Core Data does not load a mirrored store with a model that breaks one
/// (error 134060).
///
/// Most are in Apple's "Creating a Core Data Model for CloudKit". That attributes are optional or have a default value,
/// and that no relationship is ordered, is what the error itself says, as are the last two, which are new in the systems of
/// 2026.
package enum CloudKitRule: String, CaseIterable, Sendable {
    case uniquenessConstraint = "uniqueness-constraint"
    case attributeType = "attribute-type"
    case requiredAttribute = "required-attribute"
    case requiredRelationship = "required-relationship"
    case relationshipWithoutInverse = "relationship-without-inverse"
    case orderedRelationship = "ordered-relationship"
    case relationshipOutside = "relationship-outside"
    case denyRule = "deny-rule"
    case externalizedType = "externalized-type"
    case externalizedRelationship = "externalized-relationship"

    /// Where a model breaks a rule. As text, a fragment for people.
    package struct Breach: Hashable, Sendable, CustomStringConvertible {
        package let rule: CloudKitRule
        package let entity: String
        /// A property, or the attributes of a constraint.
        package let properties: [String]

        private var subject: String { properties.joined(separator: ", ") }

        package var description: String {
            switch rule {
            case .uniquenessConstraint: "\(entity) has a uniqueness constraint [\(subject)]"
            case .attributeType: "\(entity).\(subject) is of a type that CloudKit does not have"
            case .requiredAttribute: "\(entity).\(subject) is required and has no default value"
            case .requiredRelationship: "the relationship \(entity).\(subject) is required"
            case .relationshipWithoutInverse: "the relationship \(entity).\(subject) has no inverse"
            case .orderedRelationship: "the relationship \(entity).\(subject) is ordered"
            case .relationshipOutside:
                "the relationship \(entity).\(subject) leads out of a configuration that has \(entity)"
            case .denyRule: "the relationship \(entity).\(subject) has the delete rule Deny"
            case .externalizedType: "\(entity).\(subject) is externalized, and its values are all of one length"
            case .externalizedRelationship: "the relationship \(entity).\(subject) is externalized"
            }
        }
    }
}

extension ManagedObjectModel {
    /// Where the model breaks the rules of CloudKit mirroring, by entity.
    package func breaches(_ details: ModelDetails) -> [CloudKitRule.Breach] {
        entities.flatMap { entity in
            func breach(_ rule: CloudKitRule, _ properties: String...) -> CloudKitRule.Breach {
                CloudKitRule.Breach(rule: rule, entity: entity.name, properties: properties)
            }
            var breaches = entity.uniquenessConstraints.map {
                CloudKitRule.Breach(rule: .uniquenessConstraint, entity: entity.name, properties: $0)
            }
            for attribute in entity.attributes {
                if [AttributeType.undefined, .objectID].contains(attribute.type) {
                    breaches.append(breach(.attributeType, attribute.name))
                }
                let isDefaulted = details.defaulted.contains(.init(entity.name, attribute.name))
                if !attribute.traits.isOptional && !isDefaulted {
                    breaches.append(breach(.requiredAttribute, attribute.name))
                }
                if attribute.type.isOfOneLength, details.externalized.contains(.init(entity.name, attribute.name)) {
                    breaches.append(breach(.externalizedType, attribute.name))
                }
            }
            for relationship in entity.relationships {
                let isDenying = details.denying.contains(.init(entity.name, relationship.name))
                let isExternalized = details.externalized.contains(.init(entity.name, relationship.name))
                let isLeaving = details.configurations.values.contains {
                    $0.contains(entity.name) && !$0.contains(relationship.destination)
                }
                let broken: [(CloudKitRule, Bool)] = [
                    (.requiredRelationship, !relationship.traits.isOptional),
                    (.relationshipWithoutInverse, relationship.inverse == nil),
                    (.orderedRelationship, relationship.isOrdered), (.relationshipOutside, isLeaving),
                    (.denyRule, isDenying), (.externalizedRelationship, isExternalized),
                ]
                for (rule, isBroken) in broken where isBroken { breaches.append(breach(rule, relationship.name)) }
            }
            return breaches
        }
    }
}

extension AttributeType {
    /// Whether a value always takes the same number of bytes.
    fileprivate var isOfOneLength: Bool {
        [.integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date, .uuid].contains(self)
    }
}
