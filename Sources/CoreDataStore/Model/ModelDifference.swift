internal import Texts

/// How two models differ, entity by entity and property by property. Properties are compared where they are declared: a
/// change in a parent is not repeated for its subentities. What the new model says was renamed is the same.
package struct ModelDifference: Hashable, Sendable {
    /// Sorted by entity, then property.
    package let items: [Item]

    /// One thing that differs, seen from the old model.
    package struct Item: Hashable, Sendable, CustomStringConvertible {
        package enum Kind: Sendable {
            /// A property whose description in at least one of the models is not understood.
            case notUnderstood
            case constraintAdded
            /// A property of which every row needs a value, or a link, now.
            case required
            case other
        }

        package fileprivate(set) var entity = ""
        /// Nil if the item is about the entity itself.
        package fileprivate(set) var property: String?
        fileprivate let change: String
        /// Why a migration that only adds cannot do this; nil if it can, or if that depends on the rows.
        package fileprivate(set) var obstacle: String?
        /// Whether the new model can have values that the old one has no place for.
        package fileprivate(set) var addsValues = false
        package fileprivate(set) var kind = Kind.other

        /// A fragment for people: `DeviceSettings.macAddress: required → optional`.
        package var description: String { entity + (property.map { "." + $0 } ?? "") + ": " + change }
    }

    /// Whether an entity or an attribute of the old model is not in the new one.
    package var removes: Bool { items.contains { $0.obstacle?.hasSuffix("would be removed") ?? false } }

    package init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
        let pairs = Self.pairs(old.entities, new.entities, name: \.name, identifier: \.renamingIdentifier)
        let items = pairs.flatMap { before, after in
            Self.items(from: before, to: after, old, new).map { item in
                var item = item
                item.entity = (after ?? before)?.name ?? ""
                return item
            }
        }
        self.items = items.sorted { left, right in
            if left.entity != right.entity { return left.entity.isBefore(bytesOf: right.entity) }
            let (first, second) = (left.property ?? "", right.property ?? "")
            if first != second { return first.isBefore(bytesOf: second) }
            return left.description.isBefore(bytesOf: right.description)
        }
    }

    /// What became of what, as Core Data infers it: what has the same name, or the name that the new model says it had.
    private static func pairs<Element>(
        _ old: [Element], _ new: [Element], name: (Element) -> String, identifier: (Element) -> String?
    ) -> [(before: Element?, after: Element?)] {
        let kept = Set(new.map(name))
        var before = Dictionary(old.map { (name($0), $0) }) { first, _ in first }
        let gone = old.filter { !kept.contains(name($0)) }
        let renamed = Dictionary(gone.map { (identifier($0) ?? name($0), $0) }) { first, _ in first }
        let found = new.map { element in
            let same = before.removeValue(forKey: name(element))
            let former = same == nil ? identifier(element).flatMap { renamed[$0] } : nil
            if let former { before[name(former)] = nil }
            return (same ?? former, element as Element?)
        }
        return found + gone.filter { before[name($0)] != nil }.map { ($0, nil) }
    }

    /// Nil where the name is the same.
    private static func renaming(_ what: String, from old: String, to new: String) -> Item? {
        old == new ? nil : Item(change: "\(what) renamed from \(old)", obstacle: "only Core Data renames")
    }

    private static func items(
        from before: Entity?, to after: Entity?, _ oldModel: ManagedObjectModel, _ newModel: ManagedObjectModel
    ) -> [Item] {
        guard let new = after else { return [Item(change: "entity removed", obstacle: "its rows would be removed")] }
        guard let old = before else {
            let sharesTable = new.superentity.flatMap { oldModel[entity: $0] } != nil
            let obstacle = "it shares the table of its parent, and keys to that would need entity numbers"
            return [Item(change: "entity added", obstacle: sharesTable ? obstacle : nil, addsValues: true)]
        }
        var items = [renaming("entity", from: old.name, to: new.name)].compactMap(\.self)
        if old.superentity != new.superentity {
            items.append(
                Item(
                    change: "parent \(old.superentity ?? "none") → \(new.superentity ?? "none")",
                    obstacle: "its rows would have to move to another table"))
        }
        if old.isAbstract != new.isAbstract {
            items.append(
                new.isAbstract
                    ? Item(change: "concrete → abstract", obstacle: "its rows would belong to no entity")
                    : Item(change: "abstract → concrete"))
        }
        if old.versionHashModifier != new.versionHashModifier {
            items.append(Item(change: "version hash modifier changed"))
        }
        func constraint(_ names: [String]) -> String { "uniqueness constraint [\(names.joined(separator: ", "))]" }
        for names in new.uniquenessConstraints where !old.uniquenessConstraints.contains(names) {
            items.append(Item(change: "\(constraint(names)) added", kind: .constraintAdded))
        }
        for names in old.uniquenessConstraints where !new.uniquenessConstraints.contains(names) {
            items.append(Item(change: "\(constraint(names)) removed"))
        }
        for property in old.unreadProperties.union(new.unreadProperties) {
            items.append(
                Item(
                    property: property, change: "described in a way that meterfix does not understand",
                    obstacle: "its part of the store is not known", kind: .notUnderstood))
        }
        items += differences(old.attributes, new.attributes, name: \.name, traits: \.traits, changes: Self.items) {
            added in
            let necessity = added.traits.isOptional ? "optional" : "required"
            return Item(
                change: "attribute added (\(added.type.name), \(necessity))", obstacle: added.obstacle,
                addsValues: !added.traits.isTransient, kind: added.traits.isOptional ? .other : .required)
        } removal: {
            Item(change: "attribute removed (\($0.type.name))", obstacle: "its values would be removed")
        }
        items += differences(
            old.relationships, new.relationships, name: \.name, traits: \.traits, changes: Self.items
        ) { added in
            let relationship = added.traits.isOptional ? "relationship" : "required relationship"
            return Item(
                change: "\(relationship) \(added.cardinality) \(added.destination) added",
                obstacle: added.obstacle(in: newModel), addsValues: true,
                kind: added.traits.isOptional ? .other : .required)
        } removal: {
            Item(
                change: "relationship \($0.cardinality) \($0.destination) removed",
                obstacle: "its links would be removed")
        }
        return items
    }

    /// What differs between the properties of one kind: each is on both sides, or on one side only.
    private static func differences<Property>(
        _ old: [Property], _ new: [Property], name: (Property) -> String, traits: (Property) -> PropertyTraits,
        changes: (Property, Property) -> [Item], addition: (Property) -> Item, removal: (Property) -> Item
    ) -> [Item] {
        pairs(old, new, name: name, identifier: { traits($0).renamingIdentifier }).flatMap { before, after in
            let found: [Item] =
                switch (before, after) {
                case (let before?, let after?):
                    [renaming("property", from: name(before), to: name(after))].compactMap(\.self)
                        + changes(before, after)
                case (nil, let after?): [addition(after)]
                case (let before?, nil): [removal(before)]
                case (nil, nil): []
                }
            return found.map { item in
                var item = item
                item.property = (after ?? before).map(name)
                return item
            }
        }
    }

    private static func items(from old: Attribute, to new: Attribute) -> [Item] {
        var items = items(from: old.traits, to: new.traits)
        if old.type != new.type {
            items.append(
                Item(
                    change: "\(old.type.name) → \(new.type.name)", obstacle: "its values would have to be converted"))
        }
        let flags: [(String, KeyPath<Attribute, Bool>, obstacle: String)] = [
            ("external storage", \.usesExternalStorage, "its values would have to be written in another format"),
            (
                "preserved after deletion", \.preservesValueAfterDeletion,
                "the history keeps such values in columns of their own"
            ),
            ("derived", \.isDerived, Attribute.derivedObstacle),
        ]
        for (flag, path, obstacle) in flags where old[keyPath: path] != new[keyPath: path] {
            items.append(Item(change: "\(flag) \(new[keyPath: path] ? "on" : "off")", obstacle: obstacle))
        }
        return items
    }

    private static func items(from old: Relationship, to new: Relationship) -> [Item] {
        var items = items(from: old.traits, to: new.traits)
        var (before, after) = (old, new)
        (before.traits, after.traits) = (PropertyTraits(), PropertyTraits())
        if before != after {
            let isInPlace =
                old.isToMany == new.isToMany && old.isOrdered == new.isOrdered && old.destination == new.destination
                && old.inverse == new.inverse
            items.append(
                Item(
                    change: "relationship changed: \(new.changes(since: old))",
                    obstacle: isInPlace ? nil : "its keys would have to move"))
        }
        return items
    }

    private static func items(from old: PropertyTraits, to new: PropertyTraits) -> [Item] {
        var items: [Item] = []
        if old.isOptional != new.isOptional {
            items.append(
                new.isOptional
                    ? Item(change: "required → optional") : Item(change: "optional → required", kind: .required))
        }
        if old.isTransient != new.isTransient {
            items.append(
                new.isTransient
                    ? Item(change: "transient on", obstacle: "its values would be removed")
                    : Item(change: "transient off", addsValues: true))
        }
        if old.isReadOnly != new.isReadOnly { items.append(Item(change: "read-only \(new.isReadOnly ? "on" : "off")")) }
        if old.versionHashModifier != new.versionHashModifier {
            items.append(Item(change: "version hash modifier changed"))
        }
        return items
    }
}

extension Attribute {
    fileprivate static let derivedObstacle =
        "derived attributes are kept up to date by triggers that only Core Data can create"

    /// Why it cannot be added.
    fileprivate var obstacle: String? {
        guard !traits.isTransient else { return nil }
        if isDerived { return Self.derivedObstacle }
        return preservesValueAfterDeletion ? "the history keeps its values in a column of its own" : nil
    }
}

extension Relationship {
    /// Why it cannot be added.
    fileprivate func obstacle(in model: ManagedObjectModel) -> String? {
        guard !traits.isTransient else { return nil }
        let inverse = model.inverse(of: self)
        switch (isToMany, inverse?.isToMany) {
        case (true, nil): return "where it is kept is not known: it has no inverse"
        case (true, true): return "it needs a join table"
        // The key has a position beside it.
        case (true, false): return isOrdered ? "it needs a column for the order" : nil
        case (false, _): return inverse?.isOrdered == true ? "it needs a column for the order" : nil
        }
    }

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
