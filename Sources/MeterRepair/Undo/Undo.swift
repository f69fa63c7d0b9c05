package import CoreDataStore
internal import GRDB
internal import MeterModel

/// `undo`: puts the files of a backup back, byte for byte.
package enum Undo {
    /// The command, and the kind of entry it leaves: the state before an undo.
    static let command = "undo"
    /// The kind of entry that taking back an undo leaves.
    static let redoCommand = "redo"

    /// Takes the last change back, or with `redoes` the last undo.
    ///
    /// As before every change the store's files are saved first, as an entry of its own, so an undo can be taken back
    /// like anything else.
    package static func run(
        _ path: String, redoes: Bool, options: ChangeOptions
    ) throws(StoreError) -> UndoReport {
        try OutputPlaces.check(options, for: path)
        let run = UndoRun(path: path, redoes: redoes, options: options)
        guard !options.isDryRun else { return try run.look() }
        // SQLite may play a log into the main file as soon as a store is opened for a change.
        if try StoreFiles(path: path).hasLog {
            let report = try run.look()
            if report.outcome != .planned { return report }
        }
        return try run.carryOut()
    }
}

/// One run of `undo`.
private struct UndoRun {
    let path: String
    let redoes: Bool
    let options: ChangeOptions

    /// What is to be put back, and what there is to say about it.
    private struct Choice {
        let entry: BackupEntry
        let journal: BackupJournal
        let stack: BackupStack
        var report: UndoReport
    }

    /// What the real run would do; leaves no trace.
    func look() throws(StoreError) -> UndoReport {
        let connection = try StoreConnection.untouched(path)
        let report = try connection.read { database in
            let store = try inspect(connection, database)
            guard let choice = try choose(in: store, ContentsDigest(database), database) else { return nothing }
            guard choice.report.outcome != .stale else { return choice.report }
            let saved = try StoreConnection.untouched(choice.entry.mainFile(choice.journal))
            try choice.entry.prove(choice.journal.before, saved)
            try saved.close()
            return choice.report
        }
        try connection.confirmUnchanged()
        try connection.close()
        return report
    }

    func carryOut() throws(StoreError) -> UndoReport {
        let connection = try StoreConnection.exclusive(path)
        var backup: Backup?
        var restoration: Restoration?
        var report: UndoReport
        do throws(StoreError) {
            report = try connection.change { database in
                try prepare(connection, database, backup: &backup, restoration: &restoration)
            }
            try Interruption.check(path)
            if let restoration { report.warnings += try restoration.carryOut(connection) }
        } catch {
            restoration?.discard()
            try? connection.close()
            backup?.discard()
            throw error
        }
        if restoration == nil { try connection.close() }
        return report
    }

    /// Everything up to the moment at which the files change places.
    private func prepare(
        _ connection: StoreConnection, _ database: Database, backup: inout Backup?, restoration: inout Restoration?
    ) throws -> UndoReport {
        let store = try inspect(connection, database)
        let now = try ContentsDigest(database)
        guard let choice = try choose(in: store, now, database) else { return nothing }
        var report = choice.report
        guard report.outcome != .stale else { return report }
        report.outcome = .applied
        if options.makesBackup {
            let made = try Backup(
                of: store, in: folder,
                before: Backup.Occasion(
                    command: redoes ? Undo.redoCommand : Undo.command, arguments: options.arguments,
                    now: options.now, restored: choice.entry.name),
                number: choice.stack.nextNumber, contents: now, database)
            backup = made
            report.backup = made.entry
            report.warnings += choice.stack.clean(with: made, in: folder)
        }
        try Interruption.check(path)
        restoration = try Restoration(of: choice.entry, choice.journal, over: connection.files)
        try backup?.finish(report, after: choice.journal.before)
        return report
    }

    private var folder: BackupFolder { BackupFolder(for: path, named: options.backupFolder) }

    private var nothing: UndoReport { UndoReport(store: path, redoes: redoes, outcome: .unchanged) }

    private func inspect(_ connection: StoreConnection, _ database: Database) throws -> InspectedStore {
        let store = try InspectedStore(
            path: path, files: connection.files, letterCase: nil, now: options.now, database)
        guard store.description.isCoreData else { throw Refusal.noSettings(in: store) }
        return store
    }

    /// Nil where there is nothing to take back.
    private func choose(in store: InspectedStore, _ now: ContentsDigest, _ database: Database) throws -> Choice? {
        let stack = try folder.stack(of: store, now: now)
        guard !stack.entries.isEmpty || stack.foreign.isEmpty else {
            throw Refusal.foreignBackups(stack.foreign, in: store)
        }
        // What is not in the store, because somebody copied the files back, need not be taken back.
        let candidates = (redoes ? stack.undone : stack.done).drop { entry in
            entry.committed.map { $0.before == now && $0.after != now } ?? true
        }
        guard let entry = candidates.first, let journal = entry.committed else { return nil }
        if let damage = entry.damage(journal) { throw Refusal.damagedBackup(entry, damage) }
        var report = UndoReport(store: path, redoes: redoes, outcome: .planned)
        report.change = UndoReport.Change(entry: entry.name, command: journal.command, madeAt: journal.madeAt)
        report.files = journal.files.map { UndoReport.File(name: store.files.name + $0.suffix, size: $0.digest.size) }
        report.remaining = candidates.count - 1
        if journal.after != now {
            report.moved = try moved(since: entry, journal, stack, database)
            if !options.force { report.outcome = .stale }
        }
        if !options.makesBackup {
            report.warnings.append("nothing was saved first (--no-backup): there is no way back from this undo")
        }
        return Choice(entry: entry, journal: journal, stack: stack, report: report)
    }

    /// The rows that are not as the change left them; nil where that state cannot be had any more.
    private func moved(
        since entry: BackupEntry, _ journal: BackupJournal, _ stack: BackupStack, _ database: Database
    ) throws -> [MovedRow]? {
        guard let then = try entry.stateAfter(journal, stack) else { return nil }
        let moved = try then.read { try MovedRow.between($0, database) }
        try then.close()
        return moved
    }
}
