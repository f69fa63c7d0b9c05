/// One change of a model.
package enum ModelRevision: Hashable, Sendable {
    /// Removes the uniqueness constraint over exactly these attributes, in this order; not one that spans other
    /// attributes too.
    case dropUniquenessConstraint(entity: String, attributes: [String])
    /// Lets the attribute have no value. It has to be the entity's own; subentities that inherit it change with it,
    /// those that redeclare it do not.
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

extension ManagedObjectModel {
    /// The model with these revisions, one after the other. An attribute that is optional already stays so.
    ///
    /// - Throws: `notRevised` if the model has no such entity, constraint or attribute of its own, or already has
    ///   the attribute to add.
    package func revised(_ revisions: [ModelRevision]) throws(ModelArchiveError) -> ManagedObjectModel {
        var byName: [String: Entity] = [:]
        for entity in entities { byName[entity.name] = entity }
        for revision in revisions {
            guard var entity = byName[revision.entity] else {
                throw .notRevised("there is no entity \(revision.entity)")
            }
            try entity.revise(revision)
            byName[revision.entity] = entity
        }
        return ManagedObjectModel(entities: Array(byName.values), versionIdentifiers: versionIdentifiers)
    }
}

extension Entity {
    fileprivate mutating func revise(_ revision: ModelRevision) throws(ModelArchiveError) {
        switch revision {
        case .dropUniquenessConstraint(_, let names):
            guard uniquenessConstraints.contains(names) else {
                throw .notRevised("\(name) has no uniqueness constraint [\(names.joined(separator: ", "))]")
            }
            uniquenessConstraints.removeAll { $0 == names }
        case .makeOptional(_, let attribute):
            guard let index = attributes.firstIndex(where: { $0.name == attribute }) else {
                throw .notRevised("\(name) has no attribute \(attribute) of its own")
            }
            attributes[index].traits.isOptional = true
        case .addAttribute(_, let attribute):
            guard attribute.traits.isOptional else { throw .notRevised("\(attribute.name) is not optional") }
            guard !attributes.contains(where: { $0.name == attribute.name }) else {
                throw .notRevised("\(name) has an attribute \(attribute.name)")
            }
            // Where an archive that is read has it, so that equal models are equal.
            let place = attributes.firstIndex { attribute.name.utf8.lexicographicallyPrecedes($0.name.utf8) }
            attributes.insert(attribute, at: place ?? attributes.endIndex)
        }
    }
}
