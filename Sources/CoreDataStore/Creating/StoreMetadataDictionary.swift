/// `Z_METADATA.Z_PLIST` as Core Data writes it for a new store.
package enum StoreMetadataDictionary {
    /// The dictionary of a new store for `model`.
    /// - Throws: `unsupportedModel` for an entity whose hash cannot be computed: Core Data would not open the store.
    package static func new(
        model: ManagedObjectModel, options: StoreOptions
    ) throws(StoreCreationError) -> PropertyList {
        let hashes = model.versionHashes()
        if let entity = model.entities.first(where: { hashes[$0.name] == nil }) {
            throw .unsupportedModel("the version hash of \(entity.name) cannot be computed")
        }
        var keys = options.metadata
        keys["NSStoreModelVersionHashes"] = .dictionary(hashes.mapValues { .data($0) })
        keys["NSStoreModelVersionHashesDigest"] = .string(VersionHashes.digest(of: hashes))
        keys["NSStoreModelVersionChecksumKey"] = .string(VersionHashes.checksum(of: hashes))
        keys["NSStoreModelVersionHashesVersion"] = .integer(3)
        keys["NSStoreModelVersionIdentifiers"] = .array(model.versionIdentifiers.map { .string($0) })
        keys["NSStoreType"] = .string("SQLite")
        keys["_NSAutoVacuumLevel"] = .string("2")
        keys["NSPersistenceFrameworkVersion"] = .integer(options.frameworkVersion)
        return .dictionary(keys)
    }
}
