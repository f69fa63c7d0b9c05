package import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterJournal
internal import MeterModel

/// `undo`: puts the files of a backup back, byte for byte.
package struct Undo {
    let path: String
    let redoes: Bool
    let options: ChangeOptions

    /// Takes the last change back, or with `redoes` the last undo.
    ///
    /// As before every change the store's files are saved first, as an entry of its own, so an undo can be taken back
    /// like anything else.
    /// - Throws: `StoreError` where the store is in use, its backup is damaged or another store's, or nothing can be written.
    package static func run(
        _ path: String, redoes: Bool, options: ChangeOptions
    ) throws(StoreError) -> UndoReport {
        try BackupFolder.refuseBackup(path)
        try OutputPlaces.check(options, for: path)
        let run = Undo(path: path, redoes: redoes, options: options)
        guard !options.isDryRun else { return try run.look() }
        // SQLite may play a log into the main file as soon as a store is opened for a change.
        if try StoreFiles.steady(path).hasLog {
            let report = try run.look()
            if report.outcome != .planned { return report }
        }
        return try run.perform()
    }

    /// What is to be put back, and what there is to say about it.
    private struct Choice {
        /// As its files are found.
        let source: (entry: BackupEntry, journal: BackupManifest)?
        let stack: BackupStack
        var report: UndoReport
    }

    /// What the real run would do; leaves no trace.
    private func look() throws(StoreError) -> UndoReport {
        try StoreConnection.look(at: path) { connection, database in
            let session = try inspect(connection, database)
            if options.isDryRun { ChangeRun.warnOfFiles(session.store, options) }
            let choice = try choose(in: session, ContentsDigest(database))
            guard let (entry, journal) = choice.source else { return choice.report }
            if options.makesBackup { try folder.refuseLongPath(for: command, at: options.now, of: connection.files) }
            try entry.openVerified(journal).close()
            return choice.report
        }
    }

    private func perform() throws(StoreError) -> UndoReport {
        let connection = try StoreConnection.exclusive(path)
        var backup: Backup?
        var restoration: Restoration?
        var report: UndoReport
        do throws(StoreError) {
            report = try connection.change { database in
                try prepare(connection, database, backup: &backup, restoration: &restoration)
            }
            try Interruption.check(path)
            try restoration?.restore(connection, &report)
        } catch {
            try? connection.close()
            var error = error
            if let restoration {
                // What has the names by now is not to be overwritten.
                if connection.hasOwnNames { error = restoration.putBack(after: error) }
                restoration.discard()
            }
            // A disk that fails in the middle of the commit may have taken the change all the same.
            if let backup, restoration == nil || error.kind == .inUse || backup.isOfContents(at: path) {
                backup.discard()
            }
            throw error
        }
        if restoration == nil { try connection.close() }
        // Not before: it holds files open, and to close them drops the locks on the store.
        withExtendedLifetime(backup) { $0?.settle() }
        if report.outcome == .applied {
            try connection.confirmPlace(backup: backup?.entry)
            report.filesToReturn = StoreFiles.names(of: path)
            // The store is restored, whatever can be said of it.
            let alerts = try? Session.look(at: path, now: options.now) { try $0.alerts() }
            report.alerts = alerts ?? []
        }
        return report
    }

    /// Everything up to the moment at which the files change places.
    private func prepare(
        _ connection: StoreConnection, _ database: Database, backup: inout Backup?, restoration: inout Restoration?
    ) throws -> UndoReport {
        let session = try inspect(connection, database)
        let store = session.store
        let now = try ContentsDigest(database)
        let choice = try choose(in: session, now)
        var report = choice.report
        guard let (entry, journal) = choice.source else {
            // What is advised for a change since then would be refused.
            if report.outcome == .stale { try ChangeRun.refuseMissingLog(store, options) }
            return report
        }
        try ChangeRun.refuseMissingLog(store, options)
        try ChangeRun.refuseOtherNames(store, options)
        ChangeRun.warnOfFiles(store, options)
        choice.stack.settle()
        report.outcome = .applied
        if options.makesBackup {
            let made = try Backup(
                of: store, in: folder,
                options.journal(
                    of: command, number: choice.stack.nextNumber, store, now, restored: entry.name))
            backup = made
            report.backup = made.entry
            report.warnings += choice.stack.clean(with: made, in: folder)
        }
        try Interruption.check(path)
        restoration = try Restoration(of: entry, journal, over: connection.files)
        try backup?.finish(report.account, after: journal.before)
        return report
    }

    private var command: String { redoes ? BackupManifest.redoCommand : BackupManifest.undoCommand }

    private var folder: BackupFolder { BackupFolder(for: path, named: options.backupFolder) }

    private func inspect(_ connection: StoreConnection, _ database: Database) throws -> Session {
        let store = try InspectedStore(StoreRequest(path, now: options.now), files: connection.files, database)
        try store.requireCoreData()
        return Session(store, database)
    }

    /// Without a source where there is nothing to take back, and where the store has changed since and nobody forces it.
    private func choose(in session: Session, _ now: ContentsDigest) throws -> Choice {
        let store = session.store
        let stack = try folder.stack(of: store.description, store.files, now: now)
        try stack.refuseForeign(path, store.description)
        let candidates = redoes ? stack.undone : stack.done
        var report = UndoReport(store: path, redoes: redoes, outcome: .unchanged)
        guard let entry = candidates.first, let saved = entry.committed else {
            // Who cannot read what was done cannot say that there is nothing to take back.
            report.warnings += try warnings(of: stack.damaged.filter { $0.isUndo == redoes })
            if let expected = options.expected { throw try Refusal.nothingNow(insteadOf: expected, in: session) }
            return Choice(source: nil, stack: stack, report: report)
        }
        if !options.force, let reason = try session.contradictionOfFiles() {
            throw Check.refusalOfMixedFiles(reason, at: path)
        }
        if saved.after != now {
            // It may have been one of these by which the store has changed.
            report.warnings += try warnings(of: stack.damaged.filter { !$0.isOlder(than: entry) })
        }
        let (journal, warning) = try entry.validated(saved)
        if let warning { report.warnings.append(warning) }
        // Where there is a rollback journal, SQLite's counters go on: see `Restoration`.
        report.isByteForByte = try warning == nil && StoreFiles(path: entry.mainFile(journal)).header.isWAL
        report.outcome = .planned
        let fingerprint = fingerprint(of: entry, journal, now)
        if let expected = options.expected, fingerprint != expected {
            let change = "\(redoes ? "makes again" : "takes back") the \(journal.command) of \(journal.madeAt)"
            throw try Refusal.otherPlan(fingerprint, expected, change, in: session)
        }
        report.fingerprint = fingerprint
        report.change = UndoReport.Change(entry: entry.name, command: journal.command, madeAt: journal.madeAt)
        report.files = journal.files.map { UndoReport.File(name: store.files.name + $0.suffix, size: $0.digest.size) }
        report.remaining = candidates.count - 1
        report.letterCase = store.letterCase
        report.cloud = cloud(after: entry, journal, in: session)
        if journal.after != now {
            try findChanges(since: entry, journal, stack, &report, session.database)
            if options.shownNames > 0 {
                let changed = report.changedMeters
                report.parts = try entry.parts(of: journal).filter { part in !changed.contains { $0.changes(part) } }
            }
            if !options.force { report.outcome = .stale }
        }
        if !options.makesBackup {
            report.warnings.append(
                options.isDryRun
                    ? "nothing would be saved first (--no-backup): there would be no way back from this undo"
                    : "nothing was saved first (--no-backup): there is no way back from this undo")
        }
        return Choice(source: report.outcome == .stale ? nil : (entry, journal), stack: stack, report: report)
    }

    /// Of what is put back, and of what there is now.
    private func fingerprint(
        of entry: BackupEntry, _ journal: BackupManifest, _ now: ContentsDigest
    ) -> PlanFingerprint {
        var digest = ValueDigest()
        digest.add(Int64(redoes ? 1 : 0))
        var name = entry.name
        name.withUTF8 { digest.add(text: UnsafeRawBufferPointer($0)) }
        for contents in [journal.before, now] { contents.sha256.withUnsafeBytes { digest.add(blob: $0) } }
        return PlanFingerprint(digest: digest.finish())
    }

    /// What there is to say of entries that cannot be read where they may have come between.
    /// - Throws: `StoreError`, `damaged` unless they may be another store's.
    private func warnings(of damaged: [BackupEntry]) throws(StoreError) -> [String] {
        guard let entry = damaged.last, let flaw = entry.flaw else { return [] }
        guard folder.isShared else { throw Refusal.damagedJournal(entry, flaw) }
        return damaged.map { "\($0.path) is damaged, and may be this store's: \($0.flaw ?? "")" }
    }

    /// Notes the rows that are not as the change left them; none where that state cannot be had any more.
    private func findChanges(
        since entry: BackupEntry, _ journal: BackupManifest, _ stack: BackupStack, _ report: inout UndoReport,
        _ database: Database
    ) throws {
        report.moved = nil
        guard let then = try entry.stateAfter(journal, stack) else { return }
        (report.moved, report.changedMeters) = try then.read { then in
            let moved = try RowDifference.between(then, database)
            let meters = try RecordDifference.among(
                moved, most: options.shownNames, since: journal.transaction, then: then, now: database)
            return (moved, meters)
        }
        try then.close()
    }

    /// Nil for a store that is not mirrored, and where the mirror's tables cannot be read: that stops no undo.
    private func cloud(
        after entry: BackupEntry, _ journal: BackupManifest, in session: Session
    ) -> UndoReport.Cloud? {
        guard let mirror = session.mirror, let saved = try? StoreConnection.untouched(entry.mainFile(journal)) else {
            return nil
        }
        defer { try? saved.close() }
        let token = try? mirror.historyToken(of: session.description, session.database)
        let after = try? saved.read { database in
            try MirrorForecast(of: StoreDescription(database), database)
        }
        return after.flatMap(\.self).map { after in
            UndoReport.Cloud(
                hasGoneUp: journal.transaction.flatMap { number in
                    token.flatMap { $0.isLost ? nil : $0.transaction >= number }
                }, after: after)
        }
    }
}
