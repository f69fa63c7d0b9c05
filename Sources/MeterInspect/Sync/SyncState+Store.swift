package import CoreDataStore
package import GRDB
package import MeterModel

extension SyncState {
    /// Nil for a store that is not mirrored.
    /// - Throws: SQLite's errors.
    package init?(of store: StoreDescription, _ database: Database) throws {
        guard let mirror = store.mirror else { return nil }
        let waiting = try mirror.waitingCount(in: store, database)
        self.init(
            uploads: waiting.uploads, deletes: waiting.deletes,
            isTokenLost: try mirror.historyToken(of: store, database).isMissing)
    }
}
