internal import Texts

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

    /// The properties that an update changed, by its `ACHANGE.ZCOLUMNS`, in byte order. Nil if that is not known: if it
    /// fits none of the layouts, and if two layouts that it fits have different names for its bits. Where there are several
    /// to-many relationships, none of them is named.
    /// - Parameter layouts: what the bits may mean, as `historyLayouts` has it.
    package static func properties(changedIn bitmap: [UInt8], by layouts: [[HistoryColumn]]) -> [String]? {
        let readings = Set(layouts.compactMap { properties(changedIn: bitmap, $0) })
        guard readings.count == 1, let reading = readings.first else { return nil }
        return reading.sorted(byBytesOf: \.self)
    }

    /// Nil where the update is of no model with these columns: it has more or fewer bytes, or bits for which there is no
    /// column.
    private static func properties(changedIn bitmap: [UInt8], _ columns: [HistoryColumn]) -> Set<String>? {
        guard bitmap.count == (columns.count + 7) / 8 else { return nil }
        func isSet(_ bit: Int) -> Bool { bitmap[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 }
        guard !(columns.count..<bitmap.count * 8).contains(where: isSet) else { return nil }
        // Among several relationships of these kinds the bits are in the order of a hash table, which nobody knows (seen).
        let unordered = [Kind.toMany, .manyToMany].filter { kind in columns.count { $0.kind == kind } > 1 }
        return Set(
            columns.indices.filter { isSet($0) && !unordered.contains(columns[$0].kind) }.map { columns[$0].property })
    }
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
        return HistoryColumn.Kind.allCases.flatMap { kind in
            let names = relationships.filter { has(kind, $0, parents: parents) }.map(\.name)
            return (kind == .attribute ? attributes : names).map { HistoryColumn(kind: kind, property: $0) }
        }
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

    /// What the bits of `ACHANGE.ZCOLUMNS` may mean in updates of `entity`: by this model, and by those before it, which
    /// lacked the last one, the last two … of the properties `added`. Empty if that is not known.
    package func historyLayouts(of entity: Entity, added: [String] = []) -> [[HistoryColumn]] {
        let names = Set(lineage(of: entity).map(\.name))
        let models = [self] + added.indices.reversed().map { without(Set(added[$0...]), in: names) }
        let layouts = models.map { model in model[entity: entity.name].flatMap(model.historyColumns) }
        // What a version meant that is not known cannot be told from what another one did.
        return layouts.contains(nil) ? [] : layouts.compactMap(\.self)
    }

    /// The model without these properties of these entities, and without the inverses of relationships among them.
    private func without(_ properties: Set<String>, in entities: Set<String>) -> ManagedObjectModel {
        func isGone(_ relationship: Relationship) -> Bool {
            entities.contains(relationship.destination) && relationship.inverse.map(properties.contains) ?? false
        }
        return ManagedObjectModel(
            entities: self.entities.map { entity in
                var entity = entity
                entity.relationships.removeAll(where: isGone)
                guard entities.contains(entity.name) else { return entity }
                entity.attributes.removeAll { properties.contains($0.name) }
                entity.relationships.removeAll { properties.contains($0.name) }
                return entity
            }, versionIdentifiers: versionIdentifiers)
    }

    /// The attributes and to-one relationships of `entity` that these columns are of, in their order.
    package func properties(in columns: [SQLName], of entity: Entity) -> [String] {
        let attributes = allAttributes(of: entity).map { ($0.column, $0.name) }
        let keys = allRelationships(of: entity).filter { !$0.isToMany }.map { ($0.column, $0.name) }
        let names = Dictionary(attributes + keys, uniquingKeysWith: { first, _ in first })
        return columns.compactMap { names[$0] }
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
