internal import CoreDataStore
internal import Foundation
internal import MeterInspect
internal import MeterModel
internal import Texts

/// A key of the metadata dictionary that Core Data or meterfix writes.
enum MetadataKey {
    /// The value is Core Data's or a marker, the same for every user.
    case plain
    /// Entity → 32 bytes.
    case versionHashes
    /// Base64.
    case digest
    /// What the model's author calls its version.
    case versionIdentifiers
    /// When legacy values were imported, and from which dump.
    case legacyImport
    /// When a damaged store was recovered.
    case recovery

    /// Nil for a key of somebody else.
    init?(_ key: String) {
        switch key {
        case "NSStoreModelVersionHashes": self = .versionHashes
        case "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey": self = .digest
        case "NSStoreModelVersionIdentifiers": self = .versionIdentifiers
        case LegacyImportMark.key: self = .legacyImport
        case StoreRecovery.key: self = .recovery
        case "NSStoreModelVersionHashesVersion", "NSStoreType", "_NSAutoVacuumLevel", "NSPersistenceFrameworkVersion",
            "NSPersistenceMaximumFrameworkVersion", RebuildMarker.key, ZoneFetchMarker.key:
            self = .plain
        default:
            guard key.hasPrefix("\(RebuildMarker.key)."), Int64(key.dropFirst(RebuildMarker.key.count + 1)) != nil
            else { return nil }
            self = .plain
        }
    }

    /// The value in the copy; nil for one that does not belong to such a key.
    func redacted(_ value: PropertyList, _ values: ValueRedaction) -> PropertyList? {
        switch (self, value) {
        case (.plain, .bool), (.plain, .integer), (.plain, .unsigned), (.plain, .string("SQLite")): value
        // `_NSAutoVacuumLevel`
        case (.plain, .string(let text)): Int64(text) == nil ? nil : value
        case (.versionHashes, .dictionary(let hashes)):
            hashes.allSatisfy { values.words.contains($0) && Self.isDigest($1) } ? value : nil
        case (.digest, .string(let text)):
            Data(base64Encoded: text).map { [32, 64].contains($0.count) && !Self.isText(Array($0)) } == true
                ? value : nil
        case (.versionIdentifiers, .array(let names)):
            .array(
                names.compactMap(\.string).map { name in
                    .string(
                        values.replacements.text(
                            name, .text, in: "NSStoreModelVersionIdentifiers", isHarmless: values.words.isVersion))
                })
        case (.legacyImport, .dictionary(let mark)): Self.legacyImport(mark, values)
        case (.recovery, .dictionary(let mark)):
            if mark.count == 1, case .date(let date)? = mark["date"] {
                .dictionary(["date": .date(date)])
            } else {
                nil
            }
        case (.plain, _), (.versionHashes, _), (.digest, _), (.versionIdentifiers, _), (.legacyImport, _),
            (.recovery, _):
            nil
        }
    }

    /// Whether these are 32 bytes, and no text.
    private static func isDigest(_ value: PropertyList) -> Bool {
        value.data.map { $0.count == 32 && !isText($0) } == true
    }

    /// The bytes of a digest are none, but once in billions of models.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 == 0 || $0 >= 0x20 } && UTF8Check.firstInvalid(in: bytes) == nil
    }

    /// The digest of a dump would confirm a guess at what is in it.
    private static func legacyImport(_ mark: [String: PropertyList], _ values: ValueRedaction) -> PropertyList? {
        guard mark.count == 2, case .date(let date)? = mark["date"], let sha256 = mark["sha256"]?.string else {
            return nil
        }
        return .dictionary(["date": .date(date), "sha256": .string(values.replacements.digest(sha256))])
    }
}
