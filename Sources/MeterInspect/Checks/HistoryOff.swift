internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// A store without persistent history.
struct HistoryOff: StoreCheck {
    static let description = CheckDescription(
        "history-off", .note, "the store keeps no history of its changes",
        explanation: [
            """
            Without history tables, the CloudKit mirror cannot learn what was changed outside the app: updates and \
            deletes made with meterfix stay on this device, and a deleted duplicate comes back from the cloud.
            """,
            """
            The app turned history on together with mirroring. A store without it is older than that, or was opened by \
            a version that left it off.
            """,
            "For a store that is not mirrored nothing needs to be done. Otherwise open it once in the current app first.",
        ])

    private static let cure =
        "open the store once in the current app, which alone can turn the history on; without iCloud, do nothing"

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard store.description.history == nil else { return [] }
        let (there, missing) = HistoryBroken.tables(of: store)
        if there.isEmpty { return [description.finding("the store has no history tables", cure: cure)] }
        // Only one of the two is damage, not a store without history.
        guard missing.isEmpty else { return [] }
        return [description.finding("the history in \(Phrase.list(there)) has an unknown format", cure: cure)]
    }
}
