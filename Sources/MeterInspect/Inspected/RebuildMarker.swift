internal import CoreDataStore

/// The marker that a canonical rebuild leaves in the store's metadata dictionary, where Core Data keeps an app's own
/// keys. It is evidence only: a rebuild plans from the data.
package enum RebuildMarker {
    package static let key = "cloudStoreRebuildVersion"
    /// The canonical rebuild v3.
    package static let current: Int64 = 3

    /// The version that the store claims; nil if it claims none. One page of the app's documentation describes the
    /// marker as a boolean under a key that ends in the version.
    static func version(in metadata: StoreMetadata) -> Int64? {
        if let version = metadata.dictionary?[key]?.integer { return version }
        return metadata.dictionary?["\(key).\(current)"] == .bool(true) ? current : nil
    }
}
