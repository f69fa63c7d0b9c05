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
        lookup = try KeyedArchive(list, steps: ModelArchiveReader.Limit.steps)
        top = list.dictionary ?? [:]
        builder = KeyedArchiveBuilder(continuing: top["$objects"]?.array ?? [])
        for (key, reference) in try lookup.entries(lookup.root.values["NSEntities"]) ?? [] {
            let name = try lookup.string(lookup.object(reference)?.values["NSEntityName"])
            entities[name ?? key] = reference
        }
    }

    /// The archive as it is now.
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
