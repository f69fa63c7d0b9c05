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
