package import CoreDataStore
internal import GRDB
package import MeterJournal
package import MeterModel

extension SyncReport {
    /// With the meters of records that are gone as far as the backups beside the store know them. A backup
    /// that cannot be read knows none.
    /// - Throws: `StoreError` if the store cannot be read.
    package static func of(_ path: String, now: Timestamp) throws(StoreError) -> SyncReport {
        try Session.look(at: path, now: now) { session in
            let folder = BackupFolder(for: path, named: nil)
            return try SyncReport(
                of: session,
                gone: { rows in
                    guard folder.isThere else { return [:] }
                    return try meters(of: rows, in: try? session.stack(in: folder), session.store)
                })
        }
    }

    /// - Throws: `StoreError` where the user asked to stop.
    package static func meters(
        of rows: Set<Int64>, in stack: BackupStack?, _ store: InspectedStore
    ) throws(StoreError) -> [Int64: NamedMeter] {
        var journals = JournalIndex(stack, of: store)
        return try journals.meters(ofRows: rows)
    }
}
