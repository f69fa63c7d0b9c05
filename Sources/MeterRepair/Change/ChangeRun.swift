package import CoreDataStore
internal import GRDB
internal import JSON
internal import MeterInspect
package import MeterModel
internal import MeterStore

/// How a command that writes is to be run.
package struct ChangeOptions: Sendable {
    package var isDryRun = false
    package var now: Timestamp
    /// The case of canonical addresses; nil to read it from the data.
    package var letterCase: LetterCase?
    /// The store's model; nil to go by the one it carries.
    package var model: ModelFile?
    /// Where backups go; nil for the folder beside the store.
    package var backupFolder: String?
    package var makesBackup = true
    /// The store is being made: there is nothing to save, and nothing to warn of.
    var isNewStore = false
    /// The command line, without the program, for the backup's journal.
    package var arguments: [String] = []
    /// Go on where a refusal says that one may.
    package var force = false
    /// Where a dry run writes its plan; a new file.
    package var planFile: String?
    /// Where an import writes what it cannot use; a new file.
    package var rejectsFile: String?
    /// The file that the change is read from. It may be none that is changed.
    package var inputFile: String?

    package init(now: Timestamp) { self.now = now }
}

/// The one way in which a store is changed: read → plan → back up → apply → verify → commit, in one transaction.
/// A dry run does the same on a private copy.
package enum ChangeRun {
    /// Carries out the plan of a document, and nothing else.
    /// - Parameter file: where the document is from.
    /// - Returns: a report with `drift` where the store is not what it was when the plan was made; then nothing was
    ///   done.
    package static func apply(
        _ document: PlanDocument, from file: String, to path: String, options: ChangeOptions
    ) throws(StoreError) -> Report {
        var options = options
        options.letterCase = document.requestedCase
        options.inputFile = file
        return try carryOut(DocumentPlanner(document: document, path: file), on: path, options)
    }

    static func carryOut(
        _ planner: some Planner, on path: String, _ options: ChangeOptions
    ) throws(StoreError) -> Report {
        try BackupFolder.refuseBackup(path)
        try OutputPlaces.check(options, for: path)
        if !options.isDryRun, let report = try reportWithoutOpening(planner, path, options) { return report }
        let connection = options.isDryRun ? try StoreConnection.scratchCopy(path) : try StoreConnection.exclusive(path)
        var backup: Backup?
        var isCommitting = false
        let report: Report
        do {
            report = try connection.change { database in
                let report = try carryOut(planner, connection, options, database, backup: &backup)
                isCommitting = true
                return report
            }
        } catch {
            try? connection.close()
            // A disk that fails in the middle of the commit may have taken the change all the same.
            if let backup, !isCommitting || backup.isOfContents(at: path) { backup.discard() }
            throw error
        }
        // From here on the change is committed, whatever happens to the connection.
        backup?.settle()
        try connection.close()
        // It holds files open, and to close them drops the locks on the store.
        withExtendedLifetime(backup) {}
        return report
    }

    /// SQLite puts a log into the main file as soon as a store is opened for a change. Where there is one, it is first
    /// asked on a private copy whether there is anything to do, so that a refusal leaves every file as it was.
    private static func reportWithoutOpening(
        _ planner: some Planner, _ path: String, _ options: ChangeOptions
    ) throws(StoreError) -> Report? {
        guard try StoreFiles.steady(path).hasLog else { return nil }
        return try StoreConnection.look(at: path) { connection, database -> Report? in
            let store = try inspect(connection, options, database)
            do {
                let plan = try acceptedPlan(planner, store, options, database)
                return plan.isEmpty ? try self.report(planner, store, plan, .unchanged, backup: nil, database) : nil
            } catch let drift as Drift {
                return self.report(planner, store, drift)
            }
        }
    }

    private static func carryOut(
        _ planner: some Planner, _ connection: StoreConnection, _ options: ChangeOptions, _ database: Database,
        backup: inout Backup?
    ) throws -> Report {
        let files = connection.files
        let store = try inspect(connection, options, database)
        let makesBackup = options.makesBackup && !options.isDryRun
        // What the backup is going to hold, while the plan is made: for nothing if there is nothing to do, so only where
        // it takes no time.
        let saved =
            makesBackup && connection.parallel.canRead(beside: database)
            ? connection.parallel.read(beside: database) { try ContentsDigest($0) } : nil
        let plan: Plan
        do {
            plan = try acceptedPlan(planner, store, options, database)
        } catch let drift as Drift {
            return report(planner, store, drift)
        }
        guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
        let document = try options.planFile.map { path in
            let document = try PlanDocument(
                of: plan, by: planner, for: store, requestedCase: options.letterCase, settings, database)
            return (document, path)
        }
        guard !plan.isEmpty else {
            try document.map(PlanFile.write)
            return try report(planner, store, plan, .unchanged, backup: nil, database)
        }
        var warnings: [String] = []
        let folder = BackupFolder(for: files.path, named: options.backupFolder)
        if options.makesBackup { try folder.refuseLongPath(for: planner.command.rawValue, at: options.now, of: files) }
        if makesBackup {
            let contents = try saved?.value() ?? ContentsDigest(database)
            let stack = try folder.stack(of: store.description, files, now: contents)
            let made = try Backup(
                of: store, in: folder,
                before: Backup.ChangeContext(
                    command: planner.command.rawValue, arguments: options.arguments, now: options.now),
                number: stack.nextNumber, contents: contents, database)
            backup = made
            warnings = stack.clean(with: made, in: folder)
            if folder.isShared, StoreIdentity(store.description.metadata.uuid, isAlone: false).uuid == nil {
                warnings.append(
                    "the store has no identity, no UUID in Z_METADATA: undo cannot tell this backup from those of other "
                        + "stores in \(folder.path)")
            }
            RestorationFolder.remove(beside: files)
        }
        try Interruption.check(files.path)
        let proof = try ChangeProof(before: plan, store, settings, database)
        let before = connection.parallel.read(beside: database) { [rows = proof.rows, tables = proof.tables] database in
            try RecordsBefore(
                of: rows, among: tables, changingSchema: !plan.schemaChanges.isEmpty, store, settings, database)
        }
        try PlanApplication.apply(plan, proof.rows, to: store, settings, database)
        connection.parallel.showChanges(of: database)
        let contents = makesBackup ? connection.parallel.read(beside: database) { try ContentsDigest($0) } : nil
        let (after, tables) = try proven(proof, by: planner, before, connection, options, database)
        var report = try report(
            planner, after, plan, options.isDryRun ? .planned : .applied, backup: backup?.entry, database)
        if !planner.changesRecords { report.tables = tables }
        if !options.makesBackup && !options.isNewStore {
            warnings.append("nothing was saved first (--no-backup): there is no way back from this change")
        }
        report.warnings += warnings
        if let backup, let contents {
            try backup.finish(
                report.account,
                changes: PlanChanges(
                    plan: plan, context: PlanContext(layout: settings.layout, letterCase: store.letterCase)),
                after: contents.value(), transaction: after.description.history?.lastTransaction(database))
        }
        try Interruption.check(files.path)
        try document.map(PlanFile.write)
        return report
    }

    private static func report(
        _ planner: some Planner, _ store: InspectedStore, _ drift: Drift
    ) -> Report {
        var report = Report(
            command: planner.command.rawValue, store: store.path, outcome: .stale,
            schemaVersion: store.schemaVersion, letterCase: store.letterCase,
            summary: Summary(records: store.addresses.records, groups: 0), plan: nil, findings: [])
        report.drift = drift
        return report
    }

    private static func inspect(
        _ connection: StoreConnection, _ options: ChangeOptions, _ database: Database
    ) throws -> InspectedStore {
        let integrity = connection.parallel.read(beside: database) { try IntegrityCheck.problems($0, limit: 1) }
        var store = try InspectedStore(
            path: connection.path, files: connection.files, letterCase: options.letterCase, model: options.model,
            now: options.now, database)
        store.integrity = integrity
        store.parallel = connection.parallel
        return store
    }

    private static func report(
        _ planner: some Planner, _ store: InspectedStore, _ plan: Plan, _ outcome: Report.Outcome, backup: String?,
        _ database: Database
    ) throws -> Report {
        var report = Report(
            command: planner.command.rawValue, store: store.path, outcome: outcome,
            schemaVersion: store.schemaVersion, letterCase: store.letterCase, summary: plan.summary,
            plan: plan, findings: try Verification.findings(in: store, database), backup: backup)
        if plan.changesRecords, store.description.mirror != nil, store.description.history == nil {
            report.warnings.append(
                "the store is mirrored but has no history: these changes cannot reach the cloud, and what was deleted "
                    + "may come back")
        }
        return report
    }
}
