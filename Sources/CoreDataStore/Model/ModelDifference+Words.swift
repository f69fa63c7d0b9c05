extension ModelDifference.Item: CustomStringConvertible {
    /// A fragment for people: `DeviceSettings.macAddress: required → optional`.
    package var description: String { entity + (property.map { "." + $0 } ?? "") + ": " + change }

    private var change: String {
        switch self {
        case .entityAdded: "entity added"
        case .entityRemoved: "entity removed"
        case .parentChanged(_, let from, let to): "parent \(from ?? "none") → \(to ?? "none")"
        case .abstractChanged(_, let isAbstract): isAbstract ? "concrete → abstract" : "abstract → concrete"
        case .modifierChanged: "version hash modifier changed"
        case .constraintAdded(_, let names): "uniqueness constraint [\(names.joined(separator: ", "))] added"
        case .constraintRemoved(_, let names): "uniqueness constraint [\(names.joined(separator: ", "))] removed"
        case .attributeAdded(_, let attribute):
            "attribute added (\(attribute.type.name), \(attribute.traits.isOptional ? "optional" : "required"))"
        case .attributeRemoved(_, let attribute): "attribute removed (\(attribute.type.name))"
        case .attributeRetyped(_, _, let from, let to): "\(from.name) → \(to.name)"
        case .optionalityChanged(_, _, let isOptional): isOptional ? "required → optional" : "optional → required"
        case .storageFlagChanged(_, _, let flag, let isSet): "\(flag.rawValue) \(isSet ? "on" : "off")"
        case .relationshipAdded(_, let relationship, _):
            "relationship \(relationship.cardinality) \(relationship.destination) added"
        case .relationshipRemoved(_, let relationship):
            "relationship \(relationship.cardinality) \(relationship.destination) removed"
        case .relationshipChanged(_, let from, let to): "relationship changed: \(to.changes(since: from))"
        case .unread: "described in a way that meterfix does not understand"
        }
    }
}

extension Relationship {
    fileprivate var cardinality: String { isToMany ? isOrdered ? "to many ordered" : "to many" : "to one" }

    fileprivate func changes(since old: Relationship) -> String {
        var changes: [String] = []
        if cardinality != old.cardinality { changes.append("\(old.cardinality) → \(cardinality)") }
        if destination != old.destination { changes.append("destination \(old.destination) → \(destination)") }
        if inverse != old.inverse { changes.append("inverse \(old.inverse ?? "none") → \(inverse ?? "none")") }
        if counts != old.counts { changes.append("count \(old.counts) → \(counts)") }
        return changes.joined(separator: ", ")
    }

    /// 0 and −1 both stand for "no limit".
    private var counts: String {
        "\(minCount)…" + (maxCount == 0 ? "" : maxCount == .max ? "(−1)" : String(maxCount))
    }
}

extension ModelDifference.Item {
    /// Why a migration that only adds cannot do this; nil if it can, or if that depends on the rows.
    package var obstacle: String? {
        switch self {
        case .entityRemoved: "its rows would be removed"
        case .entityAdded(_, let sharesTable):
            sharesTable ? "it shares the table of its parent, and keys to that would need entity numbers" : nil
        case .parentChanged: "its rows would have to move to another table"
        case .abstractChanged(_, let isAbstract): isAbstract ? "its rows would belong to no entity" : nil
        case .attributeRemoved: "its values would be removed"
        case .attributeRetyped: "its values would have to be converted"
        case .attributeAdded(_, let attribute): attribute.obstacle
        case .storageFlagChanged(_, _, let flag, let isSet): flag.obstacle(isSet: isSet)
        case .relationshipAdded(_, _, let storage):
            switch storage {
            case .joinTable: "it needs a join table"
            case .orderedKey: "it needs a column for the order"
            case .unknown: "where it is kept is not known: it has no inverse"
            case .key, .keyAtDestination, .none: nil
            }
        case .relationshipRemoved: "its links would be removed"
        case .relationshipChanged(_, let from, let to):
            from.isToMany == to.isToMany && from.isOrdered == to.isOrdered && from.destination == to.destination
                && from.inverse == to.inverse ? nil : "its keys would have to move"
        case .unread: "its part of the store is not known"
        case .modifierChanged, .constraintAdded, .constraintRemoved, .optionalityChanged: nil
        }
    }
}

extension Attribute {
    fileprivate var obstacle: String? {
        guard !traits.isTransient else { return nil }
        if isDerived { return "derived attributes are kept up to date by triggers that only Core Data can create" }
        if preservesValueAfterDeletion { return "the history keeps its values in a column of its own" }
        return nil
    }
}

extension ModelDifference.StorageFlag {
    fileprivate func obstacle(isSet: Bool) -> String? {
        switch self {
        case .transient: isSet ? "its values would be removed" : nil
        case .readOnly: nil
        case .externalStorage: "its values would have to be written in another format"
        case .preservedAfterDeletion: "the history keeps such values in columns of their own"
        case .derived: "derived attributes are kept up to date by triggers that only Core Data can create"
        }
    }
}
