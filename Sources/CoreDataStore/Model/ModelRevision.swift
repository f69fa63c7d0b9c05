/// One change of a model.
package enum ModelRevision: Hashable, Sendable {
    /// Removes the uniqueness constraint over exactly these attributes, in this order; not one that spans other
    /// attributes too.
    case dropUniquenessConstraint(entity: String, attributes: [String])
    /// Lets the attribute have no value. It has to be the entity's own; subentities that inherit it change with it,
    /// those that redeclare it do not.
    case makeOptional(entity: String, attribute: String)

    package var entity: String {
        switch self {
        case .dropUniquenessConstraint(let entity, _), .makeOptional(let entity, _): entity
        }
    }
}
