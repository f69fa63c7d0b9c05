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

    static func unreachable(_ obstacle: OrphanedRecords.Obstacle, in store: InspectedStore) -> StoreError {
        switch obstacle {
        case .noHistory:
            store.unsuitable(
                "the store is mirrored to CloudKit but has no history, from which the mirror learns what to delete",
                hint: "repair the store on a device whose store has history")
        case .recovered:
            store.unsuitable(
                "the store was put together from what could be read of a damaged one (\(Check.recoveredStore.id)): what is missing "
                    + "here may be whole in CloudKit, and nothing may be deleted there on the word of this store",
                hint: "ask for the store of another device: what is missing here comes down again from iCloud")
        case .lastCopies:
            store.unsuitable(
                "every row is gone here without a word in the history, so what CloudKit still has may be the last copies",
                hint: "ask for the store of another device: what is missing here comes down again from iCloud")
        case .tokenLost:
            store.unsuitable(
                "the mirror cannot continue from its place in the history (\(Check.mirrorTokenLost.id)), so no delete in it reaches "
                    + "CloudKit",
                hint: "when the app opens this store, the mirror starts over; look for orphans again after that")
        }
    }
}
