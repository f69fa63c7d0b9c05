internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterStore

extension BackupEntry {
    /// The store as the entry's change left it, on a private copy: the saved files with the change made once more, or
    /// the files that were put back. Nil where that cannot be had, or does not come out as it was.
    func stateAfter(_ journal: BackupManifest, _ stack: BackupStack) throws -> StoreConnection? {
        guard let restored = journal.restored else { return try replay(journal) }
        guard let source = stack.entries.first(where: { $0.name == restored }), let saved = source.committed,
            saved.before == journal.after, let usable = try? source.usable(saved)
        else { return nil }
        return try StoreConnection.untouched(source.mainFile(usable.journal))
    }

    /// The journal's plan, carried out like any other on a copy of the saved files, at the moment at which it was.
    private func replay(_ journal: BackupManifest) throws -> StoreConnection? {
        let connection = try StoreConnection.scratchCopy(mainFile(journal))
        let isSame = try connection.change { database in
            let store = try InspectedStore(
                path: path, files: connection.files, letterCase: nil, now: journal.madeAt, database)
            guard let settings = store.settings else { return false }
            let mirror = store.description.mirror
            let plan = try? WrittenPlan.read(
                at: ["plan"],
                savedRecords: { rows in
                    let cloudRecords = try settings.cloudRecords(of: Set(rows), mirror, database)
                    return try settings.records(of: rows, cloudRecords: cloudRecords, database)
                }, forEachPart)
            guard let plan else { return false }
            do {
                try PlanApplication.apply(plan, PlannedRows(plan, settings), to: store, settings, database)
            } catch is SettingsWriter.Unexpected {
                // Somebody edited the journal.
                return false
            }
            return try ContentsDigest(database) == journal.after
        }
        guard isSame else {
            try connection.close()
            return nil
        }
        return connection
    }
}
