package import CoreDataStore
internal import GRDB
package import MeterInspect
package import MeterModel

/// `show`: everything that is known about one meter, or about one record without a usable address.
package struct ShownMeter: Sendable {
    /// The store's path as the user gave it.
    package let store: String
    /// What the store says.
    package let details: MeterDetails
    /// Its last changes, from the persistent history.
    package let log: ChangeLog
    /// The last one first.
    package let backups: [MeterBackup]
    /// What could not be read, and why: sentences for a person.
    package let warnings: [String]

    /// As many of the last changes as a person reads.
    private static let changes = 5

    /// Leaves no trace.
    /// - Parameter folder: the folder `--backup-dir` names; nil for the one beside the store.
    /// - Throws: `StoreError`; `unsuitable` if the store has no such meter or record.
    package static func of(
        _ reference: RecordReference, in path: String, folder: String?, now: Timestamp
    ) throws(StoreError) -> ShownMeter {
        var request = ChangeLog.Request()
        request.backupFolder = folder
        request.limit = changes
        let folder = BackupFolder(for: path, named: folder)
        let (details, backups, unreadable) = try InspectedStore.look(at: path, now: now) { store, database in
            guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
            let details = try MeterDetails(of: reference, in: store, settings, database)
            var backups: [MeterBackup] = []
            var warnings: [String] = []
            do {
                // Whose change a backup is of is told by the contents of the whole store.
                if try folder.entryCount > 0 {
                    let stack = try folder.stack(of: store.description, store.files, now: ContentsDigest(database))
                    backups = try stack.backups(of: details.address, rows: details.records.map(\.row)) {
                        warnings.append($0)
                    }
                }
            } catch let error as StoreError where [.permissionDenied, .inputOutput].contains(error.kind) {
                warnings.append("\(error.path): \(error.message): the meter's backups are not known")
            }
            return (details, backups, warnings)
        }
        request.address = details.address
        if details.address == nil { request.row = details.records[0].row }
        let log = try ChangeLog.of(path, request, now: now)
        return ShownMeter(
            store: path, details: details, log: log, backups: backups,
            warnings: unreadable + log.warnings.filter { !unreadable.contains($0) })
    }
}
