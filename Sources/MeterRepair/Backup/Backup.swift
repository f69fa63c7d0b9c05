internal import CoreDataStore
internal import Foundation
internal import GRDB
internal import JSON
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import MeterStore

/// The store's files as they were before a change, in a folder of their own beside a journal of the change. Made inside
/// the transaction of the change, before anything is written to the store.
///
/// **What is proven, and how.** The SHA-256 of each file is taken while it is copied. The copy is put on the disk, read
/// back, and must have the same digest: it has the very bytes that the store's file had. These files are what the
/// transaction reads, and nobody else can write to them: that they are intact, and what their contents are, is
/// therefore true of the copies too. That they are a whole store by themselves (a log that was left out, say, is not
/// seen in bytes that are equal) is seen by opening them: the main file alone where there is no log, otherwise a
/// private copy with the log. They must have the store's identity, schema and number of records. SQLite's integrity
/// check is not run on them once more: each change has it behind it, in its transaction and on the same bytes. An undo
/// has not, for it takes a store as it is; its copies must pass it, but for indexes.
///
/// **In which order.** Files, then a journal that says `begun`, each on the disk before the next, and all of them before
/// the first byte of the store is written. Then what is going to be changed, and after the change a journal that says
/// `committed`, beside the first one: both are on the disk before the commit. After it that journal takes the place of the first one
/// by a rename. A run that is killed between the two leaves an entry whose journal still waits. Of that one, and of no
/// other, the store's contents have to tell whether the change took place: they are those before it, or those after it.
/// See `BackupEntry.settle`.
struct Backup {
    let entry: String
    /// The folder for entries, where it was made for this one; nil where it was there.
    private let newFolder: String?
    private let journal: BackupManifest
    /// Closing the store's main file would drop SQLite's locks on it (POSIX locks belong to the process), so what was
    /// copied stays open until the change is over.
    private let sources: [FileInput]

    /// The contents that were saved.
    var before: ContentsDigest { journal.before }

    /// Copies the main file, the `-wal` and the `-shm`, waits until they are on the disk, and proves them.
    /// - Parameters:
    ///   - store: as the change's transaction sees it.
    ///   - journal: of the change, without the files.
    /// - Throws: `StoreError`; the entry is gone then.
    init(of store: InspectedStore, in folder: BackupFolder, _ journal: BackupManifest) throws {
        var journal = journal
        try folder.refuseLongPath(for: journal.command, at: journal.madeAt, of: store.files)
        let parents = folder.parentsToBe
        newFolder = parents.isEmpty ? nil : folder.path
        entry = try folder.makeEntry(for: journal.command, at: journal.madeAt)
        let files = store.files
        var sources: [FileInput] = []
        WorkProgress.begin("saving and reading back", of: 2 * files.size, .bytes)
        do {
            for suffix in ["", "-wal", "-shm"] where suffix.isEmpty || files.has(suffix) {
                let copy = "\(entry)/\(files.name)\(suffix)"
                let (source, digest) = try FileOutput.digestedCopy(
                    files.resolvedPath + suffix, to: copy, isReadOnly: true, isInterruptible: true)
                sources.append(source)
                journal.files.append(BackupManifest.File(suffix: suffix, digest: digest))
                guard try Self.digest(of: copy) == digest else {
                    throw StoreError(
                        .inputOutput, at: copy, "the copy does not read back as it was written",
                        hint: "this disk cannot be trusted; name a folder on another one with --backup-dir")
                }
            }
            try Self.open("\(entry)/\(files.name)", asCopyOf: store, &journal)
            try journal.write(to: entry + "/" + BackupEntry.journalName)
            for folder in [folder.path] + parents { try FileOutput.synchronize(folder: folder) }
        } catch {
            Self.remove(entry, newFolder)
            // Nobody asked for the copy.
            throw (error as? StoreError)?.kind == .interrupted ? Interruption.error(at: store.path) : error
        }
        self.journal = journal
        self.sources = sources
    }

    /// Of a file of the entry, which was just written.
    private static func digest(of path: String) throws(StoreError) -> FileDigest {
        do throws(StoreError) { return try FileDigest(of: path) } catch {
            throw error.kind == .notFound ? vanished(path) : error
        }
    }

    /// Somebody removed the folder at this moment: that is no missing store.
    private static func vanished(_ path: String) -> StoreError {
        StoreError(.inputOutput, at: path, "the backup vanished while it was made", hint: "nothing was changed")
    }

    /// The copies opened as a store of their own.
    private static func open(
        _ copy: String, asCopyOf store: InspectedStore, _ journal: inout BackupManifest
    ) throws {
        let isSame: Bool
        do {
            isSame = try isCopy(copy, of: store, &journal)
        } catch let error as StoreError where error.kind == .notFound {
            throw vanished(copy)
        }
        guard isSame else {
            throw StoreError(
                .inputOutput, at: copy, "the backup does not open as the store it was made of",
                hint: "nothing was changed")
        }
    }

    /// - Parameter journal: of an undo, gets whether indexes are damaged.
    private static func isCopy(
        _ copy: String, of store: InspectedStore, _ journal: inout BackupManifest
    ) throws -> Bool {
        let connection = try StoreConnection.untouched(copy)
        let isSame = try connection.read { database in
            if journal.restored != nil {
                let problems = try database.integrityProblems()
                guard try problems.isEmpty || database.nameIndexes(problems) else { return false }
                journal.hasDamagedIndexes = !problems.isEmpty
            }
            let description = try StoreDescription(database)
            guard description.metadata == store.description.metadata, description.schema == store.description.schema
            else { return false }
            guard let settings = store.settings else { return true }
            let records = try database.integer(of: "SELECT COUNT(*) FROM \(settings.table.name.quotedIdentifier)")
            return records == store.addresses.records || settings.entityNumbers != nil
        }
        try connection.close()
        return isSame
    }

    /// Writes what was done. Comes before the commit, and `settle` after it.
    /// - Parameters:
    ///   - report: as the command reports it, without what can be as large as the store.
    ///   - changes: those that `write` wrote. Nil where files are put back.
    ///   - after: the contents that are about to be committed.
    ///   - transaction: `Z_PK` of the change's transaction in the persistent history.
    /// - Throws: `StoreError`; the journal that says `begun` is still there then.
    func finish(
        _ report: JSONValue, changes: BackupManifest.Changes? = nil, after: ContentsDigest, transaction: Int64? = nil
    ) throws(StoreError) {
        var journal = journal
        journal.report = report
        journal.changes = changes
        journal.after = after
        journal.state = .committed
        journal.transaction = transaction
        try journal.write(to: entry + "/" + BackupEntry.pendingJournalName)
    }

    /// Writes what is going to be done; with the saved files it can be done again. Nothing of the store is read for it.
    func write(_ plan: Plan, _ context: JournalContext) throws(StoreError) -> BackupManifest.Changes {
        let path = entry + "/" + BackupEntry.changesName
        try FileOutput.create(path, isReadOnly: true) { file throws(StoreError) in
            var lines: [UInt8] = []
            var failure: StoreError?
            plan.forEachJournalLine(context) { line in
                lines += line
                guard lines.count >= 1 << 16 else { return }
                do throws(StoreError) { if failure == nil { try file.write(lines[...]) } } catch { failure = error }
                lines.removeAll(keepingCapacity: true)
            }
            if let failure { throw failure }
            try file.write(lines[...])
        }
        return BackupManifest.Changes(digest: try Self.digest(of: path), context: context)
    }

    /// Whether the store at `path` can be read and has the contents that were saved.
    func isOfContents(at path: String) -> Bool {
        guard let connection = try? StoreConnection.untouched(path) else { return false }
        defer { try? connection.close() }
        return (try? connection.read { try ContentsDigest($0) }) == before
    }

    /// Says that the change happened.
    func settle() { BackupEntry.settle(entry) }

    /// Takes the entry away again: the change did not happen.
    func discard() { Self.remove(entry, newFolder) }

    private static func remove(_ entry: String, _ newFolder: String?) {
        BackupEntry.remove(entry)
        // Leaves alone what is not empty.
        if let newFolder { rmdir(newFolder) }
    }
}
