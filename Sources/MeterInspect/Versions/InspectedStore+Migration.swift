package import CoreDataStore
internal import GRDB
internal import MeterStore

/// Whether a migration can be named as a cure: it is worked out as the command does it.
extension InspectedStore {
    /// The hashes of the metadata; nil where they are lost and to be restored.
    /// - Throws: `StoreError` where they are lost and not to be restored, or cannot be.
    package func notedHashes(orRestoring restores: Bool) throws(StoreError) -> [String: [UInt8]]? {
        let metadata = description.metadata
        if let hashes = metadata.versionHashes { return hashes }
        let problem = metadata.problem ?? "it has no version hashes"
        guard restores else { throw Refusal.metadataLost(problem, in: self) }
        guard metadata.isReplaceable else { throw Refusal.metadataBeyondRepair(problem, in: self) }
        return nil
    }

    /// Why `migrate` refuses the store; nil where it does not.
    /// - Parameter restores: with `--restore-metadata`.
    func refusalToMigrate(restoring restores: Bool = false, _ database: Database) -> StoreError? {
        refusal { settings in
            let noted = try notedHashes(orRestoring: restores)
            let cache = try StoredModel.content(database, schema: description.schema)
            return try OwnModelTarget(self, settings, noted: noted, cache: cache).target()
        }
    }

    /// Why `migrate --model` refuses the store; nil where it does not.
    /// - Parameter restores: with `--restore-metadata`.
    func refusalToMigrate(to file: ModelFile, restoring restores: Bool = false, _ database: Database) -> StoreError? {
        refusal { settings in
            let noted = try notedHashes(orRestoring: restores)
            let missing = try MissingValues(for: [file.model], in: self, database)
            return try AppModelTarget(self, settings, file, noted: noted, missing: missing).target()
        }
    }

    private func refusal(_ target: (SettingsTable) throws -> MigrationTarget) -> StoreError? {
        do {
            guard let settings else { throw Refusal.noSettings(in: self) }
            if let obstacle = WriteObstacle.ofAnyChange(in: settings, of: description) {
                throw obstacle.error(at: path)
            }
            if let model = try target(settings).model { _ = try MissingTables.changes(for: model, in: self) }
            return nil
        } catch let error as StoreError {
            return error
        } catch {
            // A part that cannot be read is a finding of its own.
            return StoreError(.damaged, at: path, "\(error)")
        }
    }
}
