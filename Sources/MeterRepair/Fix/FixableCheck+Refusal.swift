internal import CoreDataStore
package import MeterInspect
internal import MeterJournal
package import MeterModel

extension ChangeReport {
    /// Whether the store still has what these cures are for.
    package func hasFindings(of cures: [FixableCheck]) -> Bool {
        let ids = Set(cures.map(\.rawValue))
        return !self.findings.ids.isDisjoint(with: ids)
    }
}

/// The reasons not to carry out a cure.
extension Refusal {
    static func rebuildFirst(_ cure: FixableCheck, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "a rebuild is due, and only the rebuild may set the marker (\(cure.rawValue)): a store with the marker is said to be "
                + "without duplicates", hint: "rebuild it, which sets the marker: \(store.command("rebuild"))")
    }

    static func unreachable(_ obstacle: OrphanObstacle, in store: InspectedStore) -> StoreError {
        store.unsuitable(obstacle.message, hint: obstacle.hint)
    }
}
