package import CoreDataStore
internal import MeterJournal
internal import MeterModel
internal import MeterStore

/// Works out what a store becomes by the migrations meterfix knows. Its version is read from three things it has: the
/// model it carries, the version hashes of its metadata, and its unique indexes. Where they do not agree, a migration
/// stopped half-way, and is completed.
package struct OwnModelTarget {
    private let store: InspectedStore
    private let settings: SettingsTable
    /// The hashes of the metadata; nil where they are lost and to be restored.
    private let noted: [String: [UInt8]]?
    /// The bytes of `Z_MODELCACHE`.
    private let cache: [UInt8]

    package init(_ session: MeterSession, noted: [String: [UInt8]]?, cache: [UInt8]) {
        self.cache = cache
        store = session.store
        settings = session.settings
        self.noted = noted
    }

    /// - Throws: `StoreError` where the store is of no version that meterfix knows.
    package func target() throws(StoreError) -> MigrationTarget {
        try refuseNewer()
        switch store.description.storedModel {
        case .model(let model, _, _): return try target(from: model)
        case .absent: return try targetFromColumns()
        case .unreadable(let reason): throw Refusal.unreadableModel(reason, in: store)
        }
    }

    private func refuseNewer() throws(StoreError) {
        let metadata = store.description.metadata
        if let scheme = metadata.dictionary?["NSStoreModelVersionHashesVersion"]?.integer, scheme != 3 {
            throw Refusal.unknownVersion(
                "its version hashes are of scheme \(scheme), and only scheme 3 is known", in: store)
        }
        if let identifier = store.laterVersion { throw Refusal.newerVersion(identifier, in: store) }
    }

    private func target(from model: ManagedObjectModel) throws(StoreError) -> MigrationTarget {
        guard let versions = ModelVersions(model, store.migrations) else {
            throw Refusal.unknownVersion("its \(SettingsTable.entityName) has no attribute macAddress", in: store)
        }
        guard let cached = versions.version(of: model) else {
            throw Refusal.unknownVersion(Self.form(of: model), in: store)
        }
        let before = noted ?? versions.versions.first { $0.number == cached }!.model.versionHashes()
        guard let hashed = versions.version(of: before) else {
            let differing = HashComparison(of: model, with: before).differing
            throw Refusal.unknownVersion(
                "the version hashes of \(Phrase.list(differing)) are not those of any version of its model", in: store)
        }
        let revisions = versions.revisions(since: cached)
        var target = MigrationTarget(
            model: versions.latest.model, cache: nil, hashes: try hashes(before, of: versions.latest.model),
            droppedIndexes: try droppedIndexes(), notes: [])
        if !revisions.isEmpty {
            do {
                target.cache = try ModelArchive.revisedCache(cache, revisions)
            } catch {
                throw Refusal.unreadableModel("\(error)", in: store)
            }
        }
        target.notes = halfWay(model: cached, hashes: hashed)
        return target
    }

    /// The noted hashes with those of the entities that a migration changes; what cannot be computed stays as it is.
    private func hashes(
        _ before: [String: [UInt8]], of model: ManagedObjectModel
    ) throws(StoreError) -> [String: [UInt8]] {
        let computed = model.versionHashes()
        let unknown = model.entities.filter { computed[$0.name] == nil }
        // A child's hash has its parent's in it.
        for entity in unknown {
            let kin = model.lineage(of: entity).map(\.name)
            if kin.contains(SettingsTable.entityName) { throw Refusal.unknownHash(of: entity.name, in: store) }
        }
        return before.merging(computed) { _, new in new }
    }

    /// A store without a model of its own: the columns give one, and if it has the noted hash it is the right one.
    private func targetFromColumns() throws(StoreError) -> MigrationTarget {
        guard let noted else { throw Refusal.noModel(in: store) }
        guard let versions = ModelVersions(byColumnsOf: settings, noted, store.migrations),
            let hashed = versions.version(byHashIn: noted)
        else { throw Refusal.noModel(in: store) }
        let hashes = noted.merging(versions.latest.model.versionHashes()) { _, new in new }
        return MigrationTarget(
            model: nil, hashes: hashes, addedColumns: addedColumns(), droppedIndexes: try droppedIndexes(),
            notes: halfWay(model: nil, hashes: hashed))
    }

    /// The columns that migrations add and the store does not have. A model says as much; here there is none.
    private func addedColumns() -> [SchemaChange] {
        let keys = store.description.keys
        return store.migrations.flatMap(\.revisions).compactMap { revision in
            guard case .addAttribute(let entity, let attribute) = revision, store.isDone(revision) == false,
                let key = keys[entity], let type = attribute.type.declaredType
            else { return nil }
            return .addColumn(
                table: keys.table(of: key).text, column: SettingsTable.column(attribute.name).text, declaredType: type)
        }
    }

    /// The index of the constraint that the latest version does not have.
    private func droppedIndexes() throws(StoreError) -> [StoreSchema.Attachment] {
        for index in settings.constraintIndexes where index.columns != ["ZMACADDRESS"] {
            throw Refusal.unknownVersion(
                "it has a unique index \(index.name) that no version of the app makes", in: store)
        }
        return settings.constraintIndexes
    }

    /// What does not agree, where something does not.
    /// - Parameters:
    ///   - model: the version of the cached model; nil where there is none.
    ///   - hashes: the version that the metadata's hashes are of.
    private func halfWay(model: Int?, hashes: Int) -> [Sentence] {
        var isHalfWay = (model ?? hashes) != hashes
        var parts = model.map { ["the cached model is version \($0)"] } ?? []
        parts.append("the version hashes are of version \(hashes)")
        for migration in store.migrations {
            for revision in migration.revisions {
                guard let isDone = store.isDone(revision) else { continue }
                let isStrange = isDone != (migration.to <= hashes)
                isHalfWay = isHalfWay || isStrange
                guard isStrange || migration.to > min(model ?? hashes, hashes) else { continue }
                switch revision {
                case .dropUniquenessConstraint: parts.append("the unique index is \(isDone ? "gone" : "there")")
                case .makeOptional: break
                case .addAttribute(_, let attribute):
                    parts.append("the column of \(attribute.name) is \(isDone ? "there" : "missing")")
                }
            }
        }
        return isHalfWay ? ["a migration stopped half-way and is completed: \(Phrase.list(parts))"] : []
    }

    private static func form(of model: ManagedObjectModel) -> String {
        guard let entity = model[entity: SettingsTable.entityName] else {
            return "its model has no \(SettingsTable.entityName)"
        }
        let constraints = entity.uniquenessConstraints.map { "(\($0.joined(separator: ", ")))" }.joined(separator: ", ")
        let isOptional = entity.attributes.first { $0.name == "macAddress" }?.traits.isOptional ?? true
        return "in its model macAddress is \(isOptional ? "optional" : "required") and "
            + (constraints.isEmpty ? "nothing is unique" : "\(constraints) must be unique")
    }
}
