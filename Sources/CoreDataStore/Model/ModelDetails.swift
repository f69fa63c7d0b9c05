/// What a model says of its properties beyond a `ManagedObjectModel`: neither the layout of a store nor the version
/// hashes depend on it, but CloudKit mirroring asks for it (`CloudKitRule`).
package struct ModelDetails: Hashable, Sendable {
    /// A property where an entity declares it.
    package struct Property: Hashable, Sendable {
        package let entity: String
        package let name: String

        package init(_ entity: String, _ name: String) {
            self.entity = entity
            self.name = name
        }
    }

    /// Attributes with a default value.
    package var defaulted: Set<Property> = []
    /// Relationships with the delete rule "Deny".
    package var denying: Set<Property> = []

    package init() {}

    /// Drops what is said of inherited properties, which archives repeat.
    mutating func keepDeclared(in model: ManagedObjectModel) {
        defaulted = defaulted.filter { property in
            model[entity: property.entity]?.attributes.contains { $0.name == property.name } ?? false
        }
        denying = denying.filter { property in
            model[entity: property.entity]?.relationships.contains { $0.name == property.name } ?? false
        }
    }
}
