/// One bit of `ACHANGE.ZCOLUMNS`.
package struct HistoryColumn: Hashable, Sendable {
    /// In the order the bits have.
    package enum Kind: CaseIterable, Hashable, Sendable {
        /// The row number a to-one relationship leads to.
        case toOneKey
        /// The entity number beside it, where the destination has subentities: `Z1_BOOK` beside `ZBOOK`.
        case entityKey
        /// The position in the ordered to-many relationship on the other side: `Z_FOK_…`.
        case orderKey
        case attribute
        case toMany
        case manyToMany
    }

    package let kind: Kind
    /// The attribute or relationship the bit belongs to.
    package let property: String
}

extension ManagedObjectModel {
    /// What the bits of `ACHANGE.ZCOLUMNS` mean in updates of `entity`, first bit first: by kind, then by name, without
    /// transient properties. Nil if the columns are not known: because of properties that are not understood, or a
    /// to-many relationship from or to the entity without inverse, for which Core Data invents a column.
    ///
    /// The order of kinds was computed and matched with updates in real stores; for entities with a parent it is
    /// inferred. That keys and attributes are exactly the columns of the table was seen in real stores.
    package func historyColumns(of entity: Entity) -> [HistoryColumn]? {
        let lineage = lineage(of: entity)
        let names = Set(lineage.map(\.name))
        guard lineage.allSatisfy(\.unreadProperties.isEmpty), !hasLoneToMany(touching: names) else { return nil }
        let attributes = allAttributes(of: entity).filter { !$0.traits.isTransient }.map(\.name)
        let relationships = allRelationships(of: entity).filter { !$0.traits.isTransient }
        let parents = Set(entities.compactMap(\.superentity))
        let properties: [(HistoryColumn.Kind, [String])] = HistoryColumn.Kind.allCases.map { kind in
            switch kind {
            case .attribute: (kind, attributes)
            default: (kind, relationships.filter { has(kind, $0, parents: parents) }.map(\.name))
            }
        }
        return properties.flatMap { kind, names in names.map { HistoryColumn(kind: kind, property: $0) } }
    }

    /// `ACHANGE.ZCOLUMNS` of an update that changed the properties `names`: most significant bit first, whole bytes.
    /// Nil where the columns of `entity` are not known or one of the names is not among them.
    ///
    /// A changed to-one relationship sets the bit of its key alone, not those of the entity key and order key beside
    /// it; what Core Data does there is not known.
    package func changedColumns(_ names: Set<String>, of entity: Entity) -> [UInt8]? {
        guard let columns = historyColumns(of: entity) else { return nil }
        var bitmap = [UInt8](repeating: 0, count: (columns.count + 7) / 8)
        var remaining = names
        for (bit, column) in columns.enumerated()
        where column.kind != .entityKey && column.kind != .orderKey && remaining.remove(column.property) != nil {
            bitmap[bit / 8] |= 0x80 >> UInt8(bit % 8)
        }
        return remaining.isEmpty ? bitmap : nil
    }

    /// The properties that an update changed, by its `ACHANGE.ZCOLUMNS`, in byte order. Nil where the columns of
    /// `entity` are not known or were others when the update was written.
    package func properties(changedIn bitmap: [UInt8], of entity: Entity) -> [String]? {
        guard let columns = historyColumns(of: entity), bitmap.count == (columns.count + 7) / 8 else { return nil }
        let changed = columns.indices.filter { bitmap[$0 / 8] & (0x80 >> UInt8($0 % 8)) != 0 }
        return Set(changed.map { columns[$0].property }).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func has(_ kind: HistoryColumn.Kind, _ relationship: Relationship, parents: Set<String>) -> Bool {
        let inverse = inverse(of: relationship)
        return switch kind {
        case .toOneKey: !relationship.isToMany
        case .entityKey: !relationship.isToMany && parents.contains(relationship.destination)
        case .orderKey: !relationship.isToMany && inverse.map { $0.isToMany && $0.isOrdered } == true
        case .attribute: false
        case .toMany: relationship.isToMany && inverse.map(\.isToMany) != true
        case .manyToMany: relationship.isToMany && inverse.map(\.isToMany) == true
        }
    }

    private func inverse(of relationship: Relationship) -> Relationship? {
        guard let name = relationship.inverse, let destination = self[entity: relationship.destination] else {
            return nil
        }
        return allRelationships(of: destination).first { $0.name == name }
    }

    private func hasLoneToMany(touching names: Set<String>) -> Bool {
        entities.contains { entity in
            entity.relationships.contains { relationship in
                relationship.isToMany && !relationship.traits.isTransient
                    && (names.contains(entity.name) || names.contains(relationship.destination))
                    && inverse(of: relationship) == nil
            }
        }
    }
}
