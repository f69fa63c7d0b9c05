package import CoreDataStore
internal import GRDB
internal import MeterJournal
internal import MeterModel
internal import MeterStore

extension InspectedStore {
    /// The version of the app's model that the store is of; nil without `DeviceSettings`, and for a later version than
    /// meterfix knows.
    package var schemaVersion: Int? { settings == nil || laterVersion != nil ? nil : shownVersion }

    /// That of the last migration of which the store has everything that shows, with all before it.
    private var shownVersion: Int {
        migrations.prefix { migration in
            migration.revisions.allSatisfy(shows)
        }.last?.to ?? migrations.first?.from ?? 1
    }

    /// The name of a version of the app's model, such as `USB_Meter 7`, that is later than all that meterfix knows; nil where
    /// the store bears none.
    var laterVersion: String? {
        description.metadata.modelIdentifiers.first { identifier in
            USBMeterModel.version(of: identifier).map { $0 > migrations.latestVersion } ?? false
        }
    }

    /// Why no record is changed in a store of an unknown model: it carries none that can be read, and its version hash is not
    /// the one of its columns in any version of the app. Without a hash there is nothing to compare, which is a finding.
    package var refusalOfUnknownModel: StoreError? {
        guard let settings, description.model == nil, let noted = description.metadata.versionHashes,
            ModelVersions(byColumnsOf: settings, noted, migrations) == nil
        else { return nil }
        return Refusal.unknownModel(in: self)
    }

    /// Whether tables and indexes are as the revision leaves them; nil where they do not show it.
    func isDone(_ revision: ModelRevision) -> Bool? {
        guard let key = description.keys[revision.entity],
            let table = description.schema.tables[description.keys.table(of: key)]
        else { return false }
        switch revision {
        case .dropUniquenessConstraint(_, let attributes):
            return description.constraintIndexes(of: revision.entity, in: table.name, over: attributes).isEmpty
        // Core Data asks for a value; the column does not.
        case .makeOptional: return nil
        case .addAttribute(_, let attribute): return table.has(SettingsTable.column(attribute.name))
        }
    }

    /// Whether nothing in the store contradicts that the revision was made. An index alone does not: the model counts.
    private func shows(_ revision: ModelRevision) -> Bool {
        guard case .dropUniquenessConstraint(let entity, let attributes) = revision,
            let key = description.keys[entity]
        else { return isDone(revision) != false }
        return !description.isUnique(attributes, of: entity, in: description.keys.table(of: key))
    }
}

extension InspectedStore {
    /// By the store's model, or by its columns where it carries none.
    package var unknownParts: UnknownParts {
        guard let settings else { return UnknownParts(attributes: [], entities: []) }
        let family = settings.numbers
        return UnknownParts(
            attributes: settings.layout.fields.filter { $0.survivorship == .unknown }.map(\.name),
            entities: description.keys.appEntries.filter { !family.contains($0.number) }.map(\.name))
    }
}

/// What a store has and meterfix does not know, because another version of the app made it.
package struct UnknownParts: Hashable, Sendable {
    /// Of `DeviceSettings`, in byte order.
    package let attributes: [String]
    /// Besides `DeviceSettings`, in the order of their numbers.
    package let entities: [String]

    package var isEmpty: Bool { attributes.isEmpty && entities.isEmpty }
}

extension UnknownParts {
    /// How many: `2 attributes and 1 entity that meterfix does not know`.
    package var phrase: String {
        let counts = [(attributes.count, "attribute", "attributes"), (entities.count, "entity", "entities")]
        let parts = counts.filter { $0.0 > 0 }.map { Phrase.count($0.0, $0.1, $0.2) }
        return "\(Phrase.list(parts)) that meterfix does not know"
    }

    /// What they are called, and what a merge does to them.
    package var sentences: [String] {
        var sentences: [String] = []
        if !attributes.isEmpty {
            sentences.append(
                "\(Phrase.start(of: attributes)): in a merge, the record that is kept keeps its own value, only NULL is "
                    + "filled, and a value that is discarded is listed as a conflict")
        }
        if !entities.isEmpty {
            sentences.append(
                "\(Phrase.start(of: entities)): no command changes \(entities.count == 1 ? "its" : "their") rows")
        }
        return sentences
    }
}

/// Whether a migration can be named as a cure: it is worked out as the command does it.
extension InspectedStore {
    /// The hashes of the metadata; nil where they are lost and to be restored.
    /// - Throws: `StoreError` where they are lost and not to be restored, or cannot be.
    package func notedHashes(orRestoring restores: Bool) throws(StoreError) -> [String: [UInt8]]? {
        let metadata = description.metadata
        if let hashes = metadata.versionHashes { return hashes }
        let problem = metadata.problem ?? "it has no version hashes"
        guard !metadata.hasUnreadKeys else { throw Refusal.metadataUnread(problem, in: self) }
        guard metadata.isReplaceable else { throw Refusal.metadataBeyondRepair(problem, in: self) }
        guard restores else { throw Refusal.metadataLost(problem, in: self) }
        return nil
    }
}

extension Session {
    /// Why `migrate` refuses the store; nil where it does not.
    /// - Parameter restores: with `--restore-metadata`.
    func refusalToMigrate(restoring restores: Bool = false) -> StoreError? {
        refusal { session in
            let noted = try store.notedHashes(orRestoring: restores)
            let cache = try StoredModel.content(database, schema: description.schema)
            return try OwnModelTarget(session, noted: noted, cache: cache).target()
        }
    }

    /// Why `migrate --model` refuses the store; nil where it does not.
    /// - Parameter restores: with `--restore-metadata`.
    func refusalToMigrate(to file: ModelFile, restoring restores: Bool = false) -> StoreError? {
        refusal { session in
            let noted = try store.notedHashes(orRestoring: restores)
            let missing = try MissingValues(for: [file.model], in: self)
            return try AppModelTarget(session, file, noted: noted, missing: missing).target()
        }
    }

    private func refusal(_ target: (MeterSession) throws -> MigrationTarget) -> StoreError? {
        do {
            let session = try requireMeterSession()
            // The whole repair drops foreign triggers first.
            let obstacle = WriteObstacle.ofAnyChange(
                in: session.settings, of: description, without: description.foreignTriggers)
            if let obstacle { throw obstacle.error(at: store.path) }
            if let model = try target(session).model { _ = try store.additions(for: model) }
            return nil
        } catch let error as StoreError {
            return error
        } catch {
            // A part that cannot be read is a finding of its own.
            return StoreError(.damaged, at: store.path, "\(error)")
        }
    }
}
