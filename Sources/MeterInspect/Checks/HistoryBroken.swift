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
            This comes from scripts that deleted transactions to make the file smaller, or that wrote history of their \
            own.
            """,
            """
            Do not empty the history: the mirror then deletes the rows that it knows and downloads them again (error \
            134301). Use an earlier copy, or show the store to the app's developers.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        let cure = "use an earlier copy; never empty the history"
        if let history = store.description.history {
            return try history.problems(database, keys: store.description.keys).map {
                description.finding($0, cure: cure)
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
