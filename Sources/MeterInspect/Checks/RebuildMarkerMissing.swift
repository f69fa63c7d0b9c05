internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// A store that no canonical rebuild has marked.
struct RebuildMarkerMissing: StoreCheck {
    static let description = CheckDescription(
        "rebuild-marker-missing", .note, "the metadata has no rebuild marker",
        explanation: [
            """
            This store was never rebuilt by meterfix, or has lost the mark of it. A canonical rebuild writes its \
            version (cloudStoreRebuildVersion, now 3) to the store's metadata. The app itself keeps its marker in \
            UserDefaults, outside the store.
            """,
            """
            Nothing needs to be done. The marker is only evidence; the next rebuild that changes something writes it. \
            In a store that needs no rebuild, `meterfix fix rebuild-marker-missing` does.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard store.settings != nil, store.description.metadata.dictionary != nil, store.rebuildMarker == nil else {
            return []
        }
        return [
            description.finding(
                "the metadata has no \(RebuildMarker.key)", cure: store.marking(by: "fix rebuild-marker-missing"))
        ]
    }
}
