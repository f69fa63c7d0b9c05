internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// A store that no canonical rebuild has marked.
struct RebuildMarkerMissing: StoreCheck {
    static let description = CheckDescription(
        "rebuild-marker-missing", .note, "no rebuild has left its mark in the metadata",
        explanation: [
            """
            A canonical rebuild notes its version (cloudStoreRebuildVersion, now 3) in the store's metadata. A store \
            without it was never rebuilt by meterfix; the app itself keeps its mark in UserDefaults, outside the store.
            """,
            "Nothing needs to be done. The mark is evidence, and the next rebuild that changes something writes it.",
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard store.settings != nil, store.description.metadata.dictionary != nil, store.rebuildMarker == nil else {
            return []
        }
        return [description.finding("the metadata has no \(RebuildMarker.key)")]
    }
}
