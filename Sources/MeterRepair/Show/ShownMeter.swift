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
    /// The last one first.
    package let backups: [MeterBackup]
    /// What could not be read, and why: sentences for a person.
    package let warnings: [String]

    /// Leaves no trace.
    /// - Parameter folder: the folder `--backup-dir` names; nil for the one beside the store.
    /// - Throws: `StoreError`; `unsuitable` if the store has no such meter or record.
    package static func of(
        _ reference: RecordReference, in path: String, folder: String?, now: Timestamp
    ) throws(StoreError) -> ShownMeter {
        let folder = BackupFolder(for: path, named: folder)
        return try InspectedStore.look(at: path, now: now) { store, database in
            guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
            let details = try MeterDetails(of: reference, in: store, settings, database)
            var backups: [MeterBackup] = []
            var warnings: [String] = []
            // Whose change a backup is of is told by the contents of the whole store.
            if try folder.entryCount > 0 {
                let stack = try folder.stack(of: store.description, store.files, now: ContentsDigest(database))
                backups = try stack.backups(of: details.address, rows: details.records.map(\.row)) {
                    warnings.append($0)
                }
            }
            return ShownMeter(store: path, details: details, backups: backups, warnings: warnings)
        }
    }
}
