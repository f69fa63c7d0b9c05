internal import Digests
internal import Foundation
internal import Texts

/// The hashes that identify a model to Core Data, by entity name. Each was computed and matched against real stores.
extension [String: [UInt8]] {
    /// `NSStoreModelVersionHashesDigest`: base64 of SHA-512 over each name and its hash, in name order.
    package var versionHashesDigest: String {
        var hash = SHA512Hasher()
        for (name, bytes) in sorted(byBytesOf: \.key) {
            hash.update(Array(name.utf8))
            hash.update(bytes)
        }
        return Data(hash.finalize()).base64EncodedString()
    }

    /// `NSStoreModelVersionChecksumKey`: base64 of SHA-256 over the hashes, in name order.
    package var versionChecksum: String {
        Data(sha256(sorted(byBytesOf: \.key).flatMap { $0.value })).base64EncodedString()
    }
}

extension ManagedObjectModel {
    /// The 32 bytes of `entity` in `NSStoreModelVersionHashes`. Nil if they cannot be recomputed: with derived
    /// or composite attributes, properties not understood, or a parent that is missing, in the entity or an ancestor.
    package func versionHash(of entity: Entity) -> [UInt8]? {
        let lineage = lineage(of: entity)
        guard lineage.first?.superentity == nil else { return nil }
        var parentHash: [UInt8]?
        for ancestor in lineage {
            guard let hash = versionHash(of: ancestor, parentHash: parentHash) else { return nil }
            parentHash = hash
        }
        return parentHash
    }

    /// The hashes of all entities whose hash can be recomputed, by entity name.
    package func versionHashes() -> [String: [UInt8]] {
        var hashes: [String: [UInt8]] = [:]
        for entity in entities { hashes[entity.name] = versionHash(of: entity) }
        return hashes
    }

    private func versionHash(of entity: Entity, parentHash: [UInt8]?) -> [UInt8]? {
        guard entity.unreadProperties.isEmpty else { return nil }
        var properties: [(name: String, hash: [UInt8])] = []
        for attribute in allAttributes(of: entity) where !attribute.traits.isTransient {
            guard !attribute.isDerived else { return nil }
            properties.append((attribute.name, attribute.versionHash))
        }
        for relationship in allRelationships(of: entity) where !relationship.traits.isTransient {
            properties.append((relationship.name, versionHash(of: relationship, in: entity)))
        }
        properties.sort { $0.name.isBefore(bytesOf: $1.name) }

        let constraints = entity.uniquenessConstraints.map { Array($0.joined(separator: ".").utf8) }
            .sorted { $0.lexicographicallyPrecedes($1) }
        return sha256(
            Array(entity.name.utf8), [entity.isAbstract ? 1 : 0], parentHash ?? [], properties.flatMap(\.hash),
            Array((entity.versionHashModifier ?? "").utf8), constraints.flatMap(\.self))
    }

    private func versionHash(of relationship: Relationship, in entity: Entity) -> [UInt8] {
        // Its own inverse: it leads back to the entity that has it, or (inferred: no real store has one) to the
        // ancestor it was inherited from.
        let isOwnInverse =
            relationship.inverse == relationship.name
            && lineage(of: entity).contains { $0.name == relationship.destination }
        return sha256(
            relationship.traits.versionHash(name: relationship.name), Array(relationship.destination.utf8),
            isOwnInverse ? [] : Array((relationship.inverse ?? "").utf8), littleEndian(relationship.maxCount),
            littleEndian(relationship.minCount), relationship.isOrdered ? littleEndian(UInt16(1)) : [])
    }
}

extension Attribute {
    fileprivate var versionHash: [UInt8] {
        sha256(
            traits.versionHash(name: name), littleEndian(type.rawValue), usesExternalStorage ? [1] : [],
            preservesValueAfterDeletion ? [1] : [])
    }
}

extension PropertyTraits {
    fileprivate func versionHash(name: String) -> [UInt8] {
        let bits: UInt16 = (isOptional ? 1 : 0) + (isTransient ? 2 : 0) + (isReadOnly ? 4 : 0)
        return sha256(Array(name.utf8), littleEndian(bits), Array((versionHashModifier ?? "").utf8))
    }
}

private func sha256(_ parts: [UInt8]...) -> [UInt8] {
    var hash = SHA256Hasher()
    for part in parts { hash.update(part) }
    return hash.finalize()
}

private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
}

/// The version hashes in a store's metadata, compared with those of the model it carries.
public struct HashComparison: Hashable, Sendable {
    /// Entities whose recomputed hash is the one in the metadata.
    public private(set) var matching: [String] = []
    /// Entities whose hash differs, or that only one side has.
    public private(set) var differing: [String] = []
    /// Entities with derived or composite attributes: their hash cannot be recomputed.
    public private(set) var unknown: [String] = []

    /// - Parameter noted: 32 bytes by entity, as `NSStoreModelVersionHashes` has them.
    package init(of model: ManagedObjectModel, with noted: [String: [UInt8]]) {
        self.init(of: model, model.versionHashes(), with: noted)
    }

    /// - Parameter computed: the model's.
    init(of model: ManagedObjectModel, _ computed: [String: [UInt8]], with noted: [String: [UInt8]]) {
        for name in Set(model.entities.map(\.name)).union(noted.keys).sorted() {
            if model[entity: name] != nil, computed[name] == nil, noted[name] != nil {
                unknown.append(name)
            } else if let hash = computed[name], hash == noted[name] {
                matching.append(name)
            } else {
                differing.append(name)
            }
        }
    }
}
