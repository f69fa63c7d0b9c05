package import CoreDataStore
internal import MeterJournal
internal import MeterStore

/// Works out what a store becomes by the app's own model: exactly that model, if there is nothing to do but to add.
package struct AppModelTarget {
    private let store: InspectedStore
    private let file: ModelFile
    private let noted: [String: [UInt8]]?
    private let missing: MissingValues

    package init(_ session: MeterSession, _ file: ModelFile, noted: [String: [UInt8]]?, missing: MissingValues) {
        self.missing = missing
        store = session.store
        self.file = file
        self.noted = noted
    }

    /// - Throws: `StoreError` where the model asks for what is more than an addition.
    package func target() throws -> MigrationTarget {
        guard file.model[entity: SettingsTable.entityName] != nil else {
            throw Refusal.notTheAppsModel(file.path, in: store)
        }
        let breaches = file.model.breaches(file.details)
        guard breaches.isEmpty || store.description.mirror == nil else {
            throw Refusal.unfitForCloudKit(breaches, in: store)
        }
        let hashes = try hashes()
        let items = store.description.model.map { ModelDifference(from: $0, to: file.model).items }
        // What meterfix cannot read is the same where the hashes are.
        let differences = items?.filter { item in
            item.kind != .notUnderstood || noted?[item.entity] != hashes[item.entity]
        }
        let isThere = differences?.isEmpty ?? (noted == hashes)
        let obstacles = try differences.map { $0.compactMap(obstacle) } ?? columnsWithoutAttribute(isThere)
        guard obstacles.isEmpty else {
            throw Refusal.notAdditive(obstacles, in: store, hint: attributeWithoutDefault.map(Refusal.hintOnDefault))
        }
        var target = MigrationTarget(
            model: file.model, cache: nil, hashes: hashes, identifiers: file.model.versionIdentifiers,
            droppedIndexes: droppedIndexes(), notes: [])
        // A model that says the same in other bytes stays; so does a store without one that needs no change.
        let replacesCache = if case .unreadable = store.description.storedModel { true } else { !isThere }
        if replacesCache, store.description.schema.tables["Z_MODELCACHE"] != nil {
            target.cache = try file.archive.deflated()
        }
        return target
    }

    /// An attribute that the model requires and gives no default value, and of which rows have no value: Core Data does not
    /// migrate such a store. Nil where there is none.
    var attributeWithoutDefault: String? {
        let items = store.description.model.map { ModelDifference(from: $0, to: file.model).items } ?? []
        let item = items.first { countWithoutDefault(of: $0) != nil }
        return item.map { "\($0.entity).\($0.property ?? "")" }
    }

    /// Why a difference is more than an addition, as a sentence; nil where it is one.
    private func obstacle(to item: ModelDifference.Item) -> String? {
        if let reason = item.obstacle { return "\(item); \(reason)" }
        switch item.kind {
        case .constraintAdded: return "\(item); CloudKit mirroring takes no uniqueness constraint"
        case .required:
            guard let count = count(of: item) else { return nil }
            let records = Phrase.count(count.rows, "record")
            guard isOfAttribute(item) else { return "\(item); \(records) would lead to none, and could not be saved" }
            return countWithoutDefault(of: item) == nil
                ? "\(item); Core Data gives \(records) its default value when the app opens the store"
                : "\(item); \(records) would have no value"
        case .notUnderstood, .other: return nil
        }
    }

    private func isOfAttribute(_ item: ModelDifference.Item) -> Bool {
        file.model[entity: item.entity]?.attributes.contains { $0.name == item.property } ?? false
    }

    /// How many rows have no value for a property that a difference makes required; nil for any other difference.
    private func count(of item: ModelDifference.Item) -> MissingValues.Count? {
        guard item.kind == .required, let property = item.property else { return nil }
        return missing.count(of: item.entity, without: property)
    }

    /// The same for an attribute where the model says no value for them: Core Data does not migrate such a store.
    private func countWithoutDefault(of item: ModelDifference.Item) -> MissingValues.Count? {
        guard isOfAttribute(item), !file.details.defaulted.contains(.init(item.entity, item.property ?? "")) else {
            return nil
        }
        return count(of: item)
    }

    private func hashes() throws(StoreError) -> [String: [UInt8]] {
        let computed = file.model.versionHashes()
        var hashes = file.publishedHashes ?? [:]
        for entity in file.model.entities where hashes[entity.name] == nil {
            guard let hash = computed[entity.name] else { throw Refusal.unknownHash(of: entity.name, in: store) }
            hashes[entity.name] = hash
        }
        return hashes
    }

    /// Without a model in the store the columns say what it has.
    private func columnsWithoutAttribute(_ isThere: Bool) throws -> [String] {
        guard !isThere else { return [] }
        let names = Set(file.model.entities.map(\.name))
        var obstacles = store.description.keys.appEntries.filter { !names.contains($0.name) }
            .map { "the entity \($0.name) would go" }
        for table in try ModelLayout(file.model).tables() {
            guard let present = store.description.schema.tables[SQLName(table.name)] else { continue }
            for column in present.columns where column.name.hasPrefix("Z") && !column.name.hasPrefix("Z_") {
                guard let planned = table.columns.first(where: { SQLName($0.name) == column.name }) else {
                    obstacles.append("the column \(column.name) of \(table.name) would have no attribute")
                    continue
                }
                if planned.declaredType != column.declaredType {
                    obstacles.append(
                        "\(column.name) of \(table.name) is \(column.declaredType) and would be \(planned.declaredType)"
                    )
                }
            }
        }
        return obstacles
    }

    /// The indexes of uniqueness constraints that the model does not have.
    private func droppedIndexes() -> [StoreSchema.Attachment] {
        let kept = Set(
            file.model.entities.flatMap { entity in
                entity.uniquenessConstraints.map {
                    SQLName("Z_\(entity.name)_UNIQUE_" + $0.joined(separator: "_"))
                }
            })
        let tables = Set(store.description.keys.appEntries.map { store.description.keys.table(of: $0) })
        return store.description.schema.indexes.filter {
            $0.isNamedForConstraint && tables.contains($0.table) && !kept.contains($0.name)
        }
    }
}
