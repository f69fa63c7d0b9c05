internal import CoreDataStore

extension BackupEntry {
    /// The store as the entry's change left it, on a private copy: the saved files with the change made once more, or
    /// the files that were put back. Nil where that cannot be had, or does not come out as it was.
    func stateAfter(_ journal: BackupJournal, _ stack: BackupStack) throws -> StoreConnection? {
        guard let restored = journal.restored else { return nil }
        guard let source = stack.entries.first(where: { $0.name == restored }), let saved = source.committed,
            saved.before == journal.after, source.damage(saved) == nil
        else { return nil }
        return try StoreConnection.untouched(source.mainFile(saved))
    }
}
