/// The version hashes in a store's metadata, compared with those of the model it carries.
package struct HashComparison: Hashable, Sendable {
    /// Entities whose recomputed hash is the one in the metadata.
    package let matching: [String]
    /// Entities whose hash differs, or that only one side has.
    package let differing: [String]
    /// Entities with derived attributes: their hash cannot be recomputed.
    package let unknown: [String]

    /// - Parameter noted: 32 bytes by entity, as `NSStoreModelVersionHashes` has them.
    package init(of model: ManagedObjectModel, with noted: [String: [UInt8]]) {
        let computed = model.versionHashes()
        var matching: [String] = []
        var differing: [String] = []
        var unknown: [String] = []
        for name in Set(model.entities.map(\.name)).union(noted.keys).sorted() {
            if model[entity: name] != nil, computed[name] == nil, noted[name] != nil {
                unknown.append(name)
            } else if let hash = computed[name], hash == noted[name] {
                matching.append(name)
            } else {
                differing.append(name)
            }
        }
        self.matching = matching
        self.differing = differing
        self.unknown = unknown
    }
}
