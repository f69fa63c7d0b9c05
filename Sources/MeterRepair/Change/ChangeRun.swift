package import CoreDataStore
internal import GRDB
internal import JSON
internal import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// The one way in which a store is changed: read → plan → back up → apply → verify → commit, in one transaction.
/// A dry run does the same on a private copy.
package enum ChangeRun {
    /// Changes the store at `path` as the planner decides.
    /// - Throws: `StoreError`; nothing was changed then.
    @discardableResult
    package static func run(
        _ planner: some Planner, on path: String, options: ChangeOptions
    ) throws(StoreError) -> ChangeReport {
        try BackupFolder.refuseBackup(path)
        try OutputPlaces.check(options, for: path)
        var progress = Progress()
        if options.isDryRun {
            try look(at: path, &progress)
        } else if let report = try reportWithoutOpening(planner, path, options, &progress) {
            return report
        }
        let connection = options.isDryRun ? try StoreConnection.scratchCopy(path) : try StoreConnection.exclusive(path)
        var report: ChangeReport
        do {
            report = try carryOut(planner, on: connection, options, &progress)
        } catch {
            try? connection.close()
            // A disk that fails in the middle of the commit may have taken the change all the same.
            if let backup = progress.backup,
                !progress.isCommitting || error.kind == .inUse || backup.isOfContents(at: path)
            {
                backup.discard()
            }
            throw error
        }
        // From here on the change is committed, whatever happens to the connection.
        progress.backup?.settle()
        try connection.close()
        // Backups hold files open, and to close them drops the locks on the store.
        withExtendedLifetime(progress) {}
        if report.outcome == .applied {
            try connection.confirmPlace(backup: progress.backup?.entry)
            report.filesToReturn = StoreFiles.names(of: path)
        }
        return report
    }

    /// SQLite puts a log into the main file as soon as a store is opened for a change. Where there is one, it is first
    /// asked on a private copy whether there is anything to do, so that a refusal leaves every file as it was.
    private static func reportWithoutOpening(
        _ planner: some Planner, _ path: String, _ options: ChangeOptions, _ progress: inout Progress
    ) throws(StoreError) -> ChangeReport? {
        guard try StoreFiles.steady(path).hasLog else { return nil }
        return try StoreConnection.look(at: path) { connection, database -> ChangeReport? in
            try look(options.request(connection.path), connection, database, &progress)
            // What the files say of the past is no part of what a change leaves to be done.
            var store = try InspectedStore(
                options.request(connection.path), files: connection.files.withoutPast, database)
            store.logEvidence = progress.logEvidence
            let session = try Session(store, database).requireMeterSession()
            try refuseOtherModel(session.base, options)
            let problems = try database.integrityProblems(limit: 1)
            guard problems.isEmpty else {
                if planner.due.contains(.indexDamaged) { return nil }
                throw Refusal.notIntact(problems, in: store)
            }
            let plan = try acceptedPlan(planner, session, options)
            try refuseOther(plan, in: session, options)
            return plan.isEmpty ? try unchangedReport(planner, session.base, plan, options) : nil
        }
    }

    /// Refuses files of different moments, and reads what only the log tells: the change folds it in.
    private static func look(
        _ request: StoreRequest, _ connection: StoreConnection, _ database: Database, _ progress: inout Progress
    ) throws {
        let store = try InspectedStore(describing: request, files: connection.files, database)
        let session = Session(store, database)
        if let reason = try session.contradictionOfFiles() {
            throw Check.refusalOfMixedFiles(reason, at: store.path)
        }
        progress.logEvidence = try session.logEvidenceWithPast()
    }

    /// A dry run would plan for a store that never was.
    private static func look(at path: String, _ progress: inout Progress) throws(StoreError) {
        guard try StoreFiles.steady(path).hasLog else { return }
        try StoreConnection.look(at: path) { connection, database in
            try look(StoreRequest(path, now: Timestamp(secondsSince2001: 0)), connection, database, &progress)
        }
    }

    /// All that happens in the transaction.
    static func change(
        _ connection: StoreConnection, by planner: some Planner, _ options: ChangeOptions, _ database: Database,
        _ progress: inout Progress
    ) throws -> ChangeReport {
        let files = connection.files
        var found = try InspectedStore(options.request(connection.path), files: files, database)
        if progress.remadeIndexes == nil {
            warnOfFiles(found, options)
        } else {
            try save(found, for: planner, options, database, &progress)
            guard let remade = try database.remakeDamagedIndexes() else {
                throw ProofError(description: "more is damaged than indexes")
            }
            progress.remadeIndexes = remade
            found = try InspectedStore(options.request(connection.path), files: files, database)
        }
        found.logEvidence = progress.logEvidence
        let session = try Session(found, database).requireMeterSession()
        try refuseOtherModel(session.base, options)
        progress.store = session.store
        WorkProgress.begin("planning")
        var plan = try acceptedPlan(planner, session, options)
        plan.schemaChanges.insert(
            contentsOf: (progress.remadeIndexes ?? []).map { .remakeIndex(name: $0.name, table: $0.table) }, at: 0)
        try refuseOther(plan, in: session, options)
        guard !plan.isEmpty else {
            try refuseDamage(in: session.base)
            return try unchangedReport(planner, session.base, plan, options)
        }
        return try make(plan, in: session, by: planner, options, database, &progress)
    }

    /// Saves the files, writes what is planned, and proves it.
    private static func make(
        _ plan: Plan, in session: MeterSession, by planner: some Planner, _ options: ChangeOptions,
        _ database: Database, _ progress: inout Progress
    ) throws -> ChangeReport {
        let (store, files) = (session.store, session.store.files)
        let signs = try session.base.mirrorSigns()
        let forecast = signs?.forecast
        let alertsBefore = try session.base.alerts()
        if let forecast { warn(of: forecast, store, options) }
        let devices = plan.changesRecords ? try KnownDevices(of: session) : KnownDevices()
        if options.makesBackup {
            try BackupFolder(for: files.path, named: options.backupFolder)
                .refuseLongPath(for: planner.command.rawValue, at: options.now, of: files)
        }
        try save(store, for: planner, options, database, &progress)
        let context = JournalContext(layout: session.settings.layout, letterCase: store.letterCase)
        let changes = try progress.backup?.write(plan, context)
        try Interruption.check(files.path)
        let proof = try ChangeProof(before: plan, in: session)
        try plan.apply(proof.rows, in: session)
        WorkProgress.begin("checking", of: store.addresses.records, .records)
        // First in memory: of a small store that was damaged before, no page is written then.
        if let problem = try database.integrityProblems(limit: 1).first {
            throw ProofError(description: "SQLite's integrity check fails: \(problem)")
        }
        // What else is proven is what is in the files.
        try database.readBackWrittenPages()
        let proven = try proof.finish(store.describedAgain(database), by: planner)
        var report = try report(on: plan, by: planner, proven, options, backup: progress.backup)
        report.ahead = signs?.ahead
        report.alertsBefore = alertsBefore
        report.devices = devices.names
        report.ownDevice = devices.owner(of: store.path)?.names.first
        report.warnings += progress.warnings
        let silent = store.logEvidence.rowsWithoutHistory.subtracting(plan.updatedRows(first: .max)).subtracting(
            plan.deletedRows)
        if !silent.isEmpty { report.warnings.append(Check.lastWord(on: silent)) }
        if let forecast, let after = try MirrorForecast(of: proven.session.description, database) {
            report.forecast = (forecast, after)
        }
        if let backup = progress.backup {
            try backup.finish(
                report.account, changes: changes, after: ContentsDigest(database),
                // A change of the schema alone makes none.
                transaction: plan.changesRecords ? proven.session.history?.lastTransaction(database) : nil)
        }
        try Interruption.check(files.path)
        return report
    }

    /// Saves the store's files before anything is written to them, where that was asked for and is not done yet.
    /// - Parameter progress: gets the backup, and what the user should know of those that were there.
    private static func save(
        _ store: InspectedStore, for planner: some Planner, _ options: ChangeOptions, _ database: Database,
        _ progress: inout Progress
    ) throws {
        guard options.makesBackup, !options.isDryRun, progress.backup == nil else { return }
        let folder = BackupFolder(for: store.files.path, named: options.backupFolder)
        let contents = try ContentsDigest(database)
        let stack = try folder.stack(of: store.description, store.files, now: contents)
        var journal = options.journal(of: planner.command.rawValue, number: stack.nextNumber, store, contents)
        journal.hasDamagedIndexes = progress.remadeIndexes != nil
        let backup = try Backup(of: store, in: folder, journal)
        progress.backup = backup
        progress.warnings = stack.clean(with: backup, in: folder)
        if folder.isShared, StoreIdentity(store.description.metadata.uuid, isAlone: false).uuid == nil {
            progress.warnings.append(
                "the store has no identity, no UUID in Z_METADATA: undo cannot tell this backup from those of other "
                    + "stores in \(folder.path)")
        }
        store.files.removeRestorationFolder()
    }

    /// On a change that is proven.
    private static func report(
        on plan: Plan, by planner: some Planner, _ proven: ChangeProof.Outcome, _ options: ChangeOptions,
        backup: Backup?
    ) throws -> ChangeReport {
        var report = try answer(
            planner, proven.session, plan, options, options.isDryRun ? .planned : .applied, proven.findings,
            backup: backup?.entry)
        if plan.changesRecords { report.untouched = proven.untouched }
        if !planner.changesRecords { report.tables = proven.tables }
        if !options.makesBackup && !options.isNewStore {
            report.warnings.append(
                options.isDryRun
                    ? "nothing would be saved first (--no-backup): this change could not be undone"
                    : "nothing was saved first (--no-backup): this change cannot be undone")
        }
        return report
    }

    /// Before anything is changed: the user can still stop it, or save a copy.
    private static func warn(of forecast: MirrorForecast, _ store: InspectedStore, _ options: ChangeOptions) {
        guard !forecast.deletions.isEmpty else { return }
        let losses = forecast.statements.filter(\.isLoss).map(\.text)
        options.warn(
            "when the app opens this store, these changes are lost: \(losses.joined(separator: "; ")); see "
                + "`\(store.command("sync"))`")
    }

    /// What is said first, where the change is not refused.
    static func warnOfFiles(_ store: InspectedStore, _ options: ChangeOptions) {
        if options.isDryRun || options.force, let remark = store.hardLinkWarning { options.warn(remark) }
        guard options.isDryRun || options.acceptsMissingLog, let finding = store.missingLogFinding else { return }
        options.warn("\(finding.message); \(finding.cure)")
    }

    /// - Parameter session: of the store whose plan was accepted, and which is intact.
    private static func unchangedReport(
        _ planner: some Planner, _ session: Session, _ plan: Plan, _ options: ChangeOptions
    ) throws -> ChangeReport {
        var findings = try session.findings(isIntact: true)
        if let written = Check.writtenWithoutHistory(session.store.logEvidence), !findings.ids.contains(written.id) {
            findings.append(written)
        }
        return try answer(planner, session, plan, options, .unchanged, findings, backup: nil)
    }

    /// Of the records that an answer shows: those of the findings, the first that are updated, and those whose values stay.
    private static func names(
        in session: Session, _ report: ChangeReport, _ options: ChangeOptions
    ) throws -> [Int64: String] {
        let most = options.shownNames
        guard most > 0 else { return [:] }
        return try session.names(
            of: report.findings.flatMap(\.rows) + report.plan.updatedRows(first: most)
                + report.plan.rowsKeptInConflicts(first: most))
    }

    private static func answer(
        _ planner: some Planner, _ session: Session, _ plan: Plan, _ options: ChangeOptions,
        _ outcome: ChangeReport.Outcome, _ findings: [Finding], backup: String?
    ) throws -> ChangeReport {
        let store = session.store
        var report = ChangeReport(
            command: planner.command.rawValue, StoreSummary(of: store, findings), outcome: outcome, plan: plan,
            backup: backup)
        if options.acceptsMissingLog {
            // Nothing of it is left for whoever says that the missing changes are lost for good.
            report.findings = report.findings.map { $0.id == Check.walMissing.id ? $0.with(.warning) : $0 }
        }
        report.storeUUID = options.uuid(of: store)
        report.inUse = planner.isFirstAid
        report.hasHistory = store.description.history != nil
        if plan.changesRecords, store.description.mirror != nil, store.description.history == nil {
            report.warnings.append(
                "the store is mirrored but has no history: these changes cannot reach the cloud, and deleted records "
                    + "may come back")
        }
        report.alerts = try session.alerts()
        if planner.isFirstAid { report.showsEverything = session.showsEverything }
        report.names = try names(in: session, report, options)
        return report
    }
}
