package import CoreDataStore
internal import GRDB
package import MeterJournal
package import MeterModel

extension Sync {
    /// As `report`, with the meters of records that are gone as far as the backups beside the store know them. A backup
    /// that cannot be read knows none.
    /// - Throws: `StoreError` if the store cannot be read.
    package static func report(withBackupsOf path: String, now: Timestamp) throws(StoreError) -> SyncReport {
        try InspectedStore.look(at: path, now: now) { store, database in
            let folder = BackupFolder(for: path, named: nil)
            return try report(
                of: store,
                gone: { rows in
                    guard folder.isThere else { return [:] }
                    let stack = try? folder.stack(of: store.description, store.files, now: ContentsDigest(database))
                    return try meters(of: rows, in: stack, store)
                }, database)
        }
    }

    /// - Parameter stack: the backups; nil where there are none.
    /// - Throws: `StoreError` where the user asked to stop.
    package static func meters(
        of rows: Set<Int64>, in stack: BackupStack?, _ store: InspectedStore
    ) throws(StoreError) -> [Int64: KnownMeter] {
        var journals = JournalIndex(stack, of: store)
        return try journals.meters(ofRows: rows)
    }
}
