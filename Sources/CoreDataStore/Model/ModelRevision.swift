internal import Texts

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
            let place = attributes.firstIndex { attribute.name.isBefore(bytesOf: $0.name) }
            attributes.insert(attribute, at: place ?? attributes.endIndex)
        }
    }
}

/// Changes an archived model into another one, by changing single values of its objects in place. Lists, which archives
/// may share, are replaced by changed copies; the old ones stay among the objects, where the model no longer refers to
/// them.
struct ModelArchiveReviser {
    private var top: [String: PropertyList]
    private var builder: KeyedArchiveBuilder
    /// Looks references up in the archive as it was: the references followed here do not change.
    private var lookup: KeyedArchive
    private var entities: [String: PropertyList] = [:]

    init(_ list: PropertyList) throws(ModelArchiveError) {
        lookup = try KeyedArchive(list, steps: ModelArchiveReader.mostSteps)
        top = list.dictionary ?? [:]
        builder = KeyedArchiveBuilder(continuing: top["$objects"]?.array ?? [])
        for (key, reference) in try lookup.entries(lookup.root.values["NSEntities"]) ?? [] {
            let name = try lookup.string(lookup.object(reference)?.values["NSEntityName"])
            entities[name ?? key] = reference
        }
    }

    var archive: PropertyList {
        var top = top
        top["$objects"] = .array(builder.objects)
        return .dictionary(top)
    }

    /// Only what a `ModelRevision` can change is compared: removed constraints, attributes that have become optional or
    /// are new.
    mutating func change(
        _ model: ManagedObjectModel, to revised: ManagedObjectModel
    ) throws(ModelArchiveError) {
        for entity in model.entities {
            guard let target = revised[entity: entity.name] else { continue }
            if target.uniquenessConstraints != entity.uniquenessConstraints {
                try keepConstraints(target.uniquenessConstraints, of: entity.name)
            }
            // Inherited ones too: subentities have copies of their own.
            let known = Dictionary(
                model.allAttributes(of: entity).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            var new: [Attribute] = []
            for attribute in revised.allAttributes(of: target) where known[attribute.name] != attribute {
                if known[attribute.name] == nil {
                    new.append(attribute)
                } else {
                    try makeOptional(attribute.name, of: entity.name)
                }
            }
            if !new.isEmpty { try add(new, to: entity.name) }
        }
    }

    private mutating func keepConstraints(_ constraints: [[String]], of entity: String) throws(ModelArchiveError) {
        let key = "NSUniqueTuples"
        try edit(entities[entity]) { values, reviser throws(ModelArchiveError) in
            var kept: [PropertyList] = []
            for tuple in try reviser.lookup.elements(values[key])
            where constraints.contains(try reviser.lookup.constrainedNames(tuple) ?? []) {
                kept.append(tuple)
            }
            guard !kept.isEmpty, var list = try reviser.lookup.object(values[key])?.values else {
                // Entities without constraints have no list in real stores.
                values[key] = nil
                return
            }
            list["NS.objects"] = .array(kept)
            values[key] = reviser.builder.append(.dictionary(list))
        }
    }

    /// Does nothing if the entity does not describe the attribute itself but leaves it to its parent.
    private mutating func makeOptional(_ attribute: String, of entity: String) throws(ModelArchiveError) {
        let properties = try lookup.entries(lookup.object(entities[entity])?.values["NSProperties"]) ?? []
        for (name, reference) in properties where name == attribute {
            try edit(reference) { values, _ throws(ModelArchiveError) in
                guard let bits = values["_P"]?.integer else { return }
                values["_P"] = .integer(bits | PropertyBits.optional)
                // Real stores always have both.
                values["NSIsOptional"] = .bool(true)
            }
        }
    }

    private mutating func add(_ attributes: [Attribute], to entity: String) throws(ModelArchiveError) {
        let key = "NSProperties"
        guard let reference = entities[entity] else { return }
        try edit(reference) { values, reviser throws(ModelArchiveError) in
            var properties = try reviser.lookup.entries(values[key]) ?? []
            for attribute in attributes {
                let described = reviser.builder.reserve()
                reviser.builder.describe(attribute, of: reference, at: described)
                properties.append((attribute.name, described))
            }
            values[key] = reviser.builder.mutableDictionary(properties)
        }
    }

    private mutating func edit(
        _ reference: PropertyList?,
        _ change: (inout [String: PropertyList], inout Self) throws(ModelArchiveError) -> Void
    ) throws(ModelArchiveError) {
        guard var values = builder[reference] else { return }
        try change(&values, &self)
        builder[reference] = values
    }
}
