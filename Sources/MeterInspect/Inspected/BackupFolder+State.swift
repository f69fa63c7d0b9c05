internal import CoreDataStore
internal import GRDB
package import MeterJournal

extension BackupFolder {
    /// Whether a store is exactly what meterfix left: then nothing is missing, whoever took its empty `-wal` away since, such
    /// as a SQLite shell that only looked. Journals that cannot be read say nothing.
    func hasState(of database: Database) throws -> Bool {
        let named = ((try? entries) ?? []).compactMap { entry in entry.journal.map { (entry.name, $0) } }
        guard !named.isEmpty else { return false }
        let contents = try ContentsDigest(database)
        let journals = Dictionary(named) { first, _ in first }
        return journals.values.contains { journal in
            guard journal.after == contents else { return false }
            // Files that were put back without a log had come without one.
            return journal.restored.map { journals[$0]?.files.contains { $0.suffix == "-wal" } ?? false } ?? true
        }
    }
}

extension Session {
    /// The backups in a folder, with which of them are of the store as it is.
    /// - Throws: also `StoreError` where the folder cannot be read.
    package func stack(in folder: BackupFolder) throws -> BackupStack {
        try folder.stack(of: description, store.files, now: ContentsDigest(database))
    }
}
