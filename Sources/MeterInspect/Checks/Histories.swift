internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// A persistent history that contradicts itself.
struct HistoryBroken: StoreCheck {
    static let description = CheckDescription(
        "history-broken", .error, "the persistent history contradicts itself",
        explanation: [
            """
            CloudKit and other programs cannot rely on this store's list of changes: some are not uploaded, or the \
            sync stops. The history (ACHANGE, ATRANSACTION) lists what was changed; NSPersistentCloudKitContainer \
            learns from it what to upload. Changes without a transaction, of an unknown type, or numbered beyond Z_MAX \
            are ignored, or stop the sync.
            """,
            """
            This comes from scripts that deleted transactions to make the file smaller, or that wrote history \
            themselves.
            """,
            """
            Do not empty the history: if you do, the mirror deletes the rows that it knows and downloads them again \
            (error 134301). Use an earlier copy, or show the store to the app's developers.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        let cure: Cure = "use an earlier copy; never empty the history"
        if let history = store.description.history {
            return try history.problems(database, keys: store.description.keys).map {
                description.finding(Sentence($0), cure: cure)
            }
        }
        let (there, missing) = tables(of: store)
        guard !there.isEmpty, !missing.isEmpty else { return [] }
        return [description.finding("the table \(Phrase.list(there)) without \(Phrase.list(missing))", cure: cure)]
    }

    /// Which of the two tables of a history are there, and which are not.
    static func tables(of store: InspectedStore) -> (there: [String], missing: [String]) {
        let names = ["ACHANGE", "ATRANSACTION"]
        let there = names.filter { store.description.schema.tables[SQLName($0)] != nil }
        return (there, names.filter { !there.contains($0) })
    }
}

/// A store without persistent history.
struct HistoryOff: StoreCheck {
    static let description = CheckDescription(
        "history-off", .note, "the store keeps no history of its changes",
        explanation: [
            """
            Without history tables, the CloudKit mirror cannot learn what was changed outside the app: updates and \
            deletes made with meterfix remain on this device only, and a deleted duplicate comes back from the cloud.
            """,
            """
            The app turned history on together with mirroring. A store without history is older, or was opened by a \
            version that did not turn it on.
            """,
            "For a store that is not mirrored, do nothing. Otherwise open it once in the current app first.",
        ])

    private static let cure: Cure =
        "open the store once in the current app, which alone can turn the history on; without iCloud, do nothing"

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard store.description.history == nil else { return [] }
        let (there, missing) = HistoryBroken.tables(of: store)
        if there.isEmpty {
            let cure = store.settings == nil ? "do nothing: meterfix changes only USB Meter's store" : cure
            return [description.finding("the store has no history tables", cure: cure)]
        }
        // Only one of the two is damage, not a store without history.
        guard missing.isEmpty else { return [] }
        return [description.finding("the history in \(Phrase.list(there)) has an unknown format", cure: cure)]
    }
}
