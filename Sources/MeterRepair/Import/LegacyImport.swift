package import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// `import-kv`: imports the old names and units.
package enum LegacyImport {
    /// Imports a dump's values into the store at `path`.
    /// - Parameter creates: make a new store where there is none; a file that is there is never overwritten.
    /// - Throws: `StoreError`; nothing was changed then.
    package static func run(
        _ planner: ImportPlanner, on path: String, creates: Bool, options: ChangeOptions
    ) throws(StoreError) -> ChangeReport {
        try OutputPlaces.check(options, for: path)
        var options = options
        // The app finds a record by the exact text of its address: what the dump has is how it writes them.
        options.fallbackCase = planner.values.letterCase
        // Before the store is touched: where the rejects cannot be written, nothing has happened yet.
        let isWritten = !options.isDryRun && !planner.values.rejects.isEmpty
        if let file = options.rejectsFile, isWritten {
            try FileOutput.write(planner.values.rejects.dump.line(pretty: true), to: file)
        }
        let rejectsFile = options.rejectsFile
        options.rejectsFile = nil
        do throws(StoreError) {
            guard creates, try !exists(path) else {
                var planner = planner
                planner.deleted = RevivedMeter.deleted(
                    in: path, among: planner.values.meters.lazy.map(\.address), backupFolder: options.backupFolder,
                    now: options.now)
                return try ChangeRun.run(planner, on: path, options: options)
            }
            return try createAndRun(planner, path, options)
        } catch {
            // Nothing was imported, and the next run is to find the name free.
            if let rejectsFile, isWritten { unlink(rejectsFile) }
            throw error
        }
    }

    private static func exists(_ path: String) throws(StoreError) -> Bool {
        do {
            return try FileStatus(path: path) != nil
        } catch {
            throw error.storeError(at: path)
        }
    }

    /// A dry run makes its store elsewhere, so both runs first ask whether one can be made here.
    private static func refusePlace(_ path: String) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) != 0 else {
            throw StoreError(.cannotCreate, at: path, "a link to a file that is not there", hint: "name another path")
        }
        let folder = FileReplacement.folder(of: path)
        guard access(folder, W_OK | X_OK) == 0 else {
            throw refusal(of: path, FileError(code: errno))
        }
    }

    private static func refusal(of path: String, _ fault: FileError) -> StoreError {
        StoreError(
            .cannotCreate, at: path, "nothing can be made in this folder: \(fault.message)",
            hint: "name a path in a folder that exists and is yours")
    }

    /// Where a store is made: beside its place, or with the private copies for a dry run.
    private static func stagingFolder(
        for path: String, _ name: String, isDryRun: Bool
    ) throws(StoreError) -> PrivateFolder {
        guard PrivateFolder.canHold(name, at: .beside(path)), !isDryRun || PrivateFolder.canHold(name, at: .temporary)
        else {
            throw StoreError(
                .cannotCreate, at: path,
                "the path is too long: SQLite opens no more than \(StoreConnection.longestPath) bytes, and a store is "
                    + "made in a folder of its own first",
                hint: "name a shorter path")
        }
        do {
            return try PrivateFolder(isDryRun ? .temporary : .beside(path))
        } catch {
            throw refusal(of: path, error)
        }
    }

    /// Makes the store beside its place, fills it, and gives it its name when it is whole.
    private static func createAndRun(
        _ planner: ImportPlanner, _ path: String, _ options: ChangeOptions
    ) throws(StoreError) -> ChangeReport {
        try BackupFolder.refuseBackup(path)
        if let error = CloudPlaceholder.error(ofMissing: path, ofKind: .cannotCreate) { throw error }
        for suffix in ["-wal", "-shm", "-journal"] where try exists(path + suffix) {
            throw StoreError(
                .cannotCreate, at: path + suffix, "this file belongs to a store that is not there",
                hint: "find the store's main file, or move this file away first")
        }
        try refusePlace(path)
        let name = path.split(separator: "/").last.map(String.init) ?? "store"
        let folder = try stagingFolder(for: path, name, isDryRun: options.isDryRun)
        let staged = folder.path + "/" + name
        let moment = "\(planner.sha256) \(options.now)"
        let uuid = FieldValue.blob(nameBasedUUID(of: Array(moment.utf8))).display(as: .uuid)
        do {
            try StoreCreator.create(
                at: staged, model: Migration.all.latestModel(), options: StoreOptions(storeUUID: uuid))
        } catch {
            throw StoreError(
                .cannotCreate, at: path, "a new store cannot be made here: \(error)", hint: "name another path")
        }
        var options = options
        let isDryRun = options.isDryRun
        // There is nothing to save, and the folder goes away in any case.
        options.makesBackup = false
        options.backupFolder = nil
        options.isNewStore = true
        options.isDryRun = false
        var report = try ChangeRun.run(planner, on: staged, options: options)
        report.store = path
        report.warnings.append(
            "if the account has records of these meters in iCloud, the app will have each meter twice: give this store "
                + "only to somebody whose iCloud has none")
        report.findings = report.findings.map {
            $0.with($0.cure.forStore(at: path), firstAid: $0.firstAid?.forStore(at: path))
        }
        report.createdStore = true
        if isDryRun {
            report.outcome = .planned
            return report
        }
        report.outcome = .applied
        // A disk that fails while the log is put into the main file leaves it beside it, with all there is in it.
        guard try !StoreFiles(path: staged).hasLog else {
            throw StoreError(
                .inputOutput, at: path, "the new store could not be written whole", hint: "nothing was made; try again")
        }
        // A hard link fails where a file has come there in the meantime; a rename would overwrite it.
        guard link(staged, path) == 0 else {
            let fault = FileError(code: errno)
            throw StoreError(.cannotCreate, at: path, "the new store cannot be put here: \(fault.message)")
        }
        unlink(staged)
        // Empty. The main file comes first: beside none, a log would be in the way of the next attempt.
        link(staged + "-wal", path + "-wal")
        unlink(staged + "-wal")
        report.filesToReturn = StoreFiles.names(of: path)
        return report
    }
}
