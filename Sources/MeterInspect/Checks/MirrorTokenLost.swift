internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// A mirror that cannot go on from where it was in the history.
struct MirrorTokenLost: StoreCheck {
    static let description = CheckDescription(
        "mirror-token-lost", .error, "the history does not have the transaction that CloudKit's mirror stopped at",
        explanation: [
            """
            When the app opens this store, the mirrored records may be deleted here and downloaded again, without what \
            was not uploaded. The mirror notes the last transaction of the history that it has read: its token. If \
            that transaction is not there, the mirror stops with error 134301, DELETES the records that CloudKit has \
            from this device, and downloads them again. What was not uploaded is lost.
            """,
            """
            This comes from a history that somebody emptied to make the file smaller, and from an old copy of the store \
            that was put beside newer settings. A token of another store is less dangerous: the mirror then reads the \
            whole history and uploads everything in it again.
            """,
            """
            Before the app opens this store, write down what has not been uploaded: `meterfix sync` lists it. If \
            another device has everything, let the download happen. (From descriptions of Apple's code, not from a \
            device.)
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let mirror = store.description.mirror else { return [] }
        let message: String
        switch try mirror.historyToken(of: store.description, database) {
        case .none, .transaction(_, exists: true): return []
        case .transaction(let number, exists: false):
            let last = try store.description.history?.lastTransaction(database)
            let place = last.map { "the history goes up to \($0)" } ?? "the history is empty"
            message =
                "the mirror's token names transaction \(number), which is not there (\(place)): when the app opens, the "
                + "mirrored records are deleted here and downloaded again"
        case .otherStore:
            message = "the mirror's token is of another store: the whole history is uploaded again"
        case .unreadable:
            message = "the mirror's token cannot be decoded; what the mirror does then is not known"
        }
        return [description.finding(message, cure: "save a copy of the store, with its -wal, before the app opens it")]
    }
}
