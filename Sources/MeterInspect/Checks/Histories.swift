internal import CoreDataStore
internal import GRDB
internal import MeterModel

extension Check {
    static let historyBroken = store(
        "history-broken", .error, "the persistent history contradicts itself",
        """
        CloudKit and other programs cannot rely on this store's list of changes: some are not uploaded, or the sync \
        stops. The history (ACHANGE, ATRANSACTION) lists what was changed; NSPersistentCloudKitContainer learns from \
        it what to upload. Changes without a transaction, of an unknown type, or numbered beyond Z_MAX are ignored, or \
        stop the sync.

        This comes from scripts that deleted transactions to make the file smaller, or that wrote history themselves.

        Do not empty the history: if you do, the mirror deletes the rows that it knows and downloads them again (error \
        134301). Use an earlier copy, or show the store to the app's developers.
        """
    ) { check, session in
        let cure: Cure = "use an earlier copy; never empty the history"
        if let history = session.history {
            let (keys, token) = (session.description.keys, try session.mirrorSigns()?.token)
            return try history.problems(session.database, keys: keys, after: token?.transaction).map {
                check.finding(Sentence($0), cure: cure)
            }
        }
        let (there, missing) = historyTables(of: session.store)
        guard !there.isEmpty, !missing.isEmpty else { return [] }
        return [check.finding("the table \(Phrase.list(there)) without \(Phrase.list(missing))", cure: cure)]
    }

    /// Which of the two tables of a history are there, and which are not.
    static func historyTables(of store: InspectedStore) -> (there: [String], missing: [String]) {
        let names = ["ACHANGE", "ATRANSACTION"]
        let there = names.filter { store.description.schema.tables[SQLName($0)] != nil }
        return (there, names.filter { !there.contains($0) })
    }

    static let historyOff = store(
        "history-off", .note, "the store keeps no history of its changes",
        """
        Without history tables, the CloudKit mirror cannot learn what was changed outside the app: updates and deletes \
        made with meterfix remain on this device only, and a deleted duplicate comes back from the cloud.

        The app turned history on together with mirroring. A store without history is older, or was opened by a \
        version that did not turn it on.

        For a store that is not mirrored, do nothing. Otherwise open it once in the current app first.
        """
    ) { check, session in
        guard session.history == nil else { return [] }
        let (there, missing) = historyTables(of: session.store)
        if there.isEmpty {
            let cure = session.settings == nil ? "do nothing: meterfix changes only USB Meter's store" : historyOffCure
            return [check.finding("the store has no history tables", cure: cure)]
        }
        // Only one of the two is damage, not a store without history.
        guard missing.isEmpty else { return [] }
        return [check.finding("the history in \(Phrase.list(there)) has an unknown format", cure: historyOffCure)]
    }

    private static let historyOffCure: Cure =
        "open the store once in the current app, which alone can turn the history on; without iCloud, do nothing"
}
