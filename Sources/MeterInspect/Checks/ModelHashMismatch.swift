internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Stored version hashes that are not those of the cached model.
struct ModelHashMismatch: StoreCheck {
    static let description = CheckDescription(
        "model-hash-mismatch", .error, "the cached model's version hashes are not the ones in the metadata",
        explanation: [
            """
            The store's cached model and its version hashes belong to different models. A store carries its model \
            (Z_MODELCACHE) and, in its metadata, one hash for each entity of the model. Core Data relies on the \
            hashes: it opens the store only with a model that has them. Here the hashes computed from the cached model \
            are different. Entities with derived attributes cannot be recomputed and are left out.
            """,
            """
            This comes from tools that changed the schema, from an interrupted migration, and from tables of two \
            stores put together.
            """,
            """
            If the two are different versions of the app's model, a migration stopped half-way, and `meterfix migrate` \
            completes it. Otherwise do not change the store before the app's developers have seen it: the columns of \
            the tables show which of the two is right. An earlier copy is the better way out.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        let metadata = store.description.metadata
        guard let model = store.description.storedModel.model, metadata.dictionary != nil else { return [] }
        guard let stored = metadata.versionHashes else {
            return [
                description.finding(
                    "the metadata has no version hashes", cure: MetadataMissing.cure(of: store, database))
            ]
        }
        let computed = model.versionHashes()
        var findings: [Finding] = []
        // Two versions of the app's model: `migrate` can repair that.
        lazy var canMigrate = store.refusalToMigrate(database) == nil
        func finding(_ message: String, _ entity: String?) -> Finding {
            description.finding(message, entity: entity, cure: canMigrate ? store.command("migrate") : showIt)
        }
        for entity in model.entities {
            guard let hash = stored[entity.name] else {
                findings.append(finding("\(entity.name) is in the cached model but has no stored hash", entity.name))
                continue
            }
            guard let expected = computed[entity.name], expected != hash else { continue }
            findings.append(
                finding(
                    "the stored hash of \(entity.name) is \(start(of: hash)), by the cached model it is "
                        + start(of: expected),
                    entity.name))
        }
        let strangers = stored.keys.filter { model[entity: $0] == nil }
        for name in strangers.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            findings.append(finding("\(name) has a stored hash but is not in the cached model", name))
        }
        guard findings.isEmpty, computed.count == model.entities.count else { return findings }
        if let digest = metadata.versionHashesDigest, digest != VersionHashes.digest(of: computed) {
            findings.append(finding("the digest of the version hashes is not the one of the cached model", nil))
        }
        if let checksum = metadata.versionChecksum, checksum != VersionHashes.checksum(of: computed) {
            findings.append(finding("the checksum of the version hashes is not the one of the cached model", nil))
        }
        return findings
    }

    private static let showIt = "show the store to the app's developers before changing it"

    /// Enough of a hash to recognise it, in hex.
    private static func start(of hash: [UInt8]) -> String {
        guard !hash.isEmpty else { return "empty" }
        return Hexadecimal.text(of: hash.prefix(6)) + "…"
    }
}
