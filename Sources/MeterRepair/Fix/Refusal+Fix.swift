internal import CoreDataStore
internal import MeterInspect

/// The reasons not to carry out a cure.
extension Refusal {
    static func rebuildFirst(_ cure: Cure, in store: InspectedStore) -> StoreError {
        StoreError(
            .unsuitable, at: store.path,
            "a rebuild is due, and only that may set the marker (\(cure.rawValue)): a store with the marker is said to be "
                + "without duplicates", hint: "rebuild it, which sets the marker: \(store.command("rebuild"))")
    }

    static func unreachable(_ obstacle: OrphanedRecords.Obstacle, in store: InspectedStore) -> StoreError {
        switch obstacle {
        case .noHistory:
            StoreError(
                .unsuitable, at: store.path,
                "the store is mirrored to CloudKit but has no history, from which the mirror learns what to delete",
                hint: "repair the store on a device whose store has history")
        case .tokenLost:
            StoreError(
                .unsuitable, at: store.path,
                "the mirror cannot go on from where it was in the history (mirror-token-lost), so no delete in it reaches "
                    + "CloudKit",
                hint: "when the app opens this store, the mirror starts over; look for orphans again after that")
        }
    }
}
