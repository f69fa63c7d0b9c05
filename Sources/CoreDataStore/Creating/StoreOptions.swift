/// How a new store is to be laid out, apart from its model.
package struct StoreOptions: Sendable {
    package enum JournalMode: String, Sendable {
        case wal
        case delete
    }

    /// The store's identity, `Z_METADATA.Z_UUID`: upper-case text of a UUID, made once and never changed.
    package var storeUUID: String
    package var history: SchemaStatements.History
    package var journalMode: JournalMode
    /// The version of Core Data the store claims to be written by: by default the newest whose metadata was seen with
    /// exactly the keys that a new store gets here.
    package var frameworkVersion: Int64
    /// Keys of the app's own for the metadata dictionary. Core Data's keys win.
    package var metadata: [String: PropertyList]

    package init(
        storeUUID: String, history: SchemaStatements.History = .current, journalMode: JournalMode = .wal,
        frameworkVersion: Int64 = 1344, metadata: [String: PropertyList] = [:]
    ) {
        self.storeUUID = storeUUID
        self.history = history
        self.journalMode = journalMode
        self.frameworkVersion = frameworkVersion
        self.metadata = metadata
    }
}
