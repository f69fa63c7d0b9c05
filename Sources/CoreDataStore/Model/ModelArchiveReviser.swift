/// Changes an archived model into another one, by changing single values of its objects in place. Lists, which archives
/// may share, are replaced by changed copies; the old ones stay among the objects, where the model no longer refers to
/// them.
struct ModelArchiveReviser {
    private var top: [String: PropertyList]
    private var objects: [PropertyList]
    /// Looks references up in the archive as it was: the references followed here do not change.
    private var lookup: KeyedArchive
    private var entities: [String: PropertyList] = [:]

    init(_ list: PropertyList) throws(ModelArchiveError) {
        lookup = try KeyedArchive(list, steps: ModelArchiveReader.Limit.steps)
        top = list.dictionary ?? [:]
        objects = top["$objects"]?.array ?? []
        for (key, reference) in try lookup.entries(lookup.root.values["NSEntities"]) ?? [] {
            let name = try lookup.string(lookup.object(reference)?.values["NSEntityName"])
            entities[name ?? key] = reference
        }
    }

    /// The archive as it is now.
    var archive: PropertyList {
        var top = top
        top["$objects"] = .array(objects)
        return .dictionary(top)
    }

    /// Only what a `ModelRevision` can change is compared: removed constraints, attributes that have become optional.
    mutating func change(
        _ model: ManagedObjectModel, to revised: ManagedObjectModel
    ) throws(ModelArchiveError) {
        for entity in model.entities {
            guard let target = revised[entity: entity.name] else { continue }
            if target.uniquenessConstraints != entity.uniquenessConstraints {
                try keepConstraints(target.uniquenessConstraints, of: entity.name)
            }
            // Inherited ones too: subentities have copies of their own.
            for (before, after) in zip(model.allAttributes(of: entity), revised.allAttributes(of: target))
            where before != after {
                try makeOptional(before.name, of: entity.name)
            }
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
            reviser.objects.append(.dictionary(list))
            values[key] = .uid(UInt64(reviser.objects.count - 1))
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

    private mutating func edit(
        _ reference: PropertyList?,
        _ change: (inout [String: PropertyList], inout Self) throws(ModelArchiveError) -> Void
    ) throws(ModelArchiveError) {
        guard let index = reference?.uid.flatMap(Int.init(exactly:)), objects.indices.contains(index),
            var values = objects[index].dictionary
        else { return }
        try change(&values, &self)
        objects[index] = .dictionary(values)
    }
}
