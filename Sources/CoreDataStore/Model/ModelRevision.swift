/// One change of a model.
package enum ModelRevision: Hashable, Sendable {
    /// Takes away the uniqueness constraint over exactly these attributes, in this order. One that spans other
    /// attributes too is not meant by it.
    case dropUniquenessConstraint(entity: String, attributes: [String])
    /// Lets the attribute have no value. It has to be the entity's own; subentities that inherit it change with it,
    /// those that declare it anew do not.
    case makeOptional(entity: String, attribute: String)
    /// Adds an attribute to an entity and to those that inherit from it. It has to be optional: the rows that are there
    /// have no value for it.
    case addAttribute(entity: String, Attribute)

    package var entity: String {
        switch self {
        case .dropUniquenessConstraint(let entity, _), .makeOptional(let entity, _), .addAttribute(let entity, _):
            entity
        }
    }
}
