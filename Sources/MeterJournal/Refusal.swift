package import CoreDataStore

/// Why a store is refused, each reason with what to do about it.
package enum Refusal {
    /// For a store that is a saved file of an entry.
    static func backup(_ path: String) -> StoreError {
        StoreError(
            .unsuitable, at: path, "this is a file of a backup: to change it would ruin the backup",
            hint: "name the store itself, or copy the file out of the backup and work on the copy")
    }

    /// For a store without identity, where others may have put their backups too.
    package static func unknownBackup(_ entry: BackupEntry, of path: String) -> StoreError {
        StoreError(
            .unsuitable, at: path,
            "the store has no identity, no UUID in Z_METADATA: whether the backups here are its own cannot be told, as "
                + "for \(entry.path)",
            hint: "move those that are into \(BackupFolder(for: path, named: nil).path), and leave out --backup-dir")
    }

    /// For an entry that stands between the store and what was asked for.
    package static func damagedJournal(_ entry: BackupEntry, _ flaw: String) -> StoreError {
        StoreError(
            .damaged, at: entry.path, "the backup is damaged: \(flaw)",
            hint: "nothing was changed; with this folder moved away, the backups before it count again")
    }

    static func foreignBackups(_ entries: [BackupEntry], of path: String, _ uuid: String?) -> StoreError {
        StoreError(
            .unsuitable, at: path, words(onForeign: entries[0]),
            hint: "this one is \(uuid ?? "without an identity"); name its own with --backup-dir")
    }

    static func words(onForeign entry: BackupEntry) -> String {
        "the backups here belong to another store: \(entry.path) is of "
            + (entry.journal?.storeUUID ?? "one without an identity")
    }

    static func damagedBackup(_ entry: BackupEntry, _ damage: String) -> StoreError {
        StoreError(.damaged, at: entry.path, "the backup is damaged: \(damage)", hint: "nothing was changed")
    }
}
