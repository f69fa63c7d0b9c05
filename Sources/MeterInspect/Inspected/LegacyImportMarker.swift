package import CoreDataStore
package import MeterModel

/// The marker that an import of legacy values leaves in the store's metadata dictionary: when it happened, and of which
/// dump.
package enum LegacyImportMarker {
    package static let key = "legacyKeyValueImport"

    /// Nil if no import has left a marker, or if it cannot be read.
    package static func value(in metadata: StoreMetadata) -> MetadataChange.Value? {
        guard let mark = metadata.dictionary?[key]?.dictionary, case .date(let date)? = mark["date"],
            let sha256 = mark["sha256"]?.string
        else { return nil }
        return .legacyImport(date: Timestamp(secondsSince2001: date), sha256: sha256)
    }
}
