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
