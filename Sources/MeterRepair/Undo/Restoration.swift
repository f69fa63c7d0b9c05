internal import CoreDataStore
internal import Foundation
internal import MeterJournal

/// The files of a backup, ready to take the place of a store's.
///
/// **The main file is never replaced, it is rewritten.** Another process may have opened it and read nothing yet, or wait
/// for its lock. If the file were renamed over, that process would go on with the old one, and would take the new `-wal`,
/// `-shm` or `-journal` for its own, for SQLite finds them by name: rows of both would be mixed, or a journal in use
/// played back and deleted. To spoil the old file first would be no way out: killed in between, there would be no store.
/// In the same file all that another process ever sees is a commit, or the store in use.
///
/// First the contents, in one transaction of SQLite's (`StoreConnection.replaceContents`), then the bytes:
///
/// | after this step | the files are | their contents |
/// |---|---|---|
/// | the transaction is committed | the store's, and their log or journal | restored |
/// | the store is closed: the log is in the main file | the main file, and an empty log | restored |
/// | the backup's `-wal` gets its name | the same and the log, which changes nothing in it | restored |
/// | the main file has the backup's bytes, in whatever part | likewise: where they differ, the log has the page | restored |
/// | the backup's `-shm` gets its name | the backup's, byte for byte | restored |
///
/// Of a backup without a log no more than the header of the main file is left to write, less than a sector. From the
/// third step on SQLite's own lock is held without SQLite (`LockedFile`). Between the second and the third another
/// process may get hold of the store: then it has the restored one, and the bytes stay as they are.
///
/// **Where there is a rollback journal**, the header's counters of changes and of the schema go on and are not set back.
/// A process that does nothing holds no lock on such a store, and goes by these counters to tell whether what it
/// remembers of the file is still so (https://www.sqlite.org/fileformat2.html#file_change_counter): the next changes
/// would have numbers that it has seen already. In journal mode WAL it goes by the log.
struct Restoration {
    private let store: StoreFiles
    private let entry: BackupEntry
    private let journal: BackupManifest
    /// The saved files, open for reading.
    private let source: StoreConnection
    private let folder: String
    private let before: FilesBefore

    /// Proves that the entry's files are intact and have the contents that were saved, and copies those that get a name
    /// beside the store's main file.
    /// - Throws: `StoreError`; nothing is left beside the store then.
    init(of entry: BackupEntry, _ journal: BackupManifest, over store: StoreFiles) throws(StoreError) {
        self.store = store
        self.entry = entry
        self.journal = journal
        folder = store.restorationFolder
        source = try entry.openVerified(journal)
        store.removeRestorationFolder()
        guard mkdir(folder, 0o700) == 0 else {
            let fault = FileError(code: errno)
            throw StoreError(
                .cannotCreate, at: folder, "the files cannot be made ready here: \(fault.message)",
                hint: "the store's folder must be writable; nothing was changed")
        }
        do throws(StoreError) {
            for file in journal.files where !file.suffix.isEmpty {
                try Self.stage(file, of: entry.mainFile(journal), in: folder, for: store)
            }
            let contents = try source.read { database in
                try (
                    pageSize: Int(database.integer(of: "PRAGMA page_size")),
                    pages: Int(database.integer(of: "PRAGMA page_count"))
                )
            }
            before = try FilesBefore(of: store, in: folder, replacedBy: contents)
            try FileOutput.write([], to: folder + "/" + StoreFiles.restorationMark)
            try FileOutput.synchronize(folder: folder)
            try FileOutput.synchronize(folder: FileReplacement.folder(of: folder))
        } catch {
            store.removeRestorationFolder()
            throw error
        }
    }

    private static func stage(
        _ file: BackupManifest.File, of mainFile: String, in folder: String, for store: StoreFiles
    ) throws(StoreError) {
        let staged = folder + "/" + file.suffix
        _ = try FileOutput.digestedCopy(mainFile + file.suffix, to: staged)
        // What was saved is known to be sound, so it is the copy that is not.
        guard try FileDigest(of: staged) == file.digest else {
            throw StoreError(
                .inputOutput, at: staged, "the copy does not read back as it was written",
                hint: "nothing was changed; this disk cannot be trusted: copy the store and its backups to another one")
        }
        try FileReplacement.takeAccess(of: store.resolvedPath, for: staged)
    }

    /// Restores the contents, closes the store, and restores the bytes.
    /// - Parameters:
    ///   - connection: the store, open for this process alone, with nothing under way.
    ///   - report: is told why the files do not have the backup's bytes, where that is so.
    /// - Throws: `StoreError`. The store's contents are as they were then, unless the disk failed with the commit.
    func restore(_ connection: StoreConnection, _ report: inout UndoReport) throws(StoreError) {
        try connection.replaceContents(with: source)
        unlink(folder + "/" + StoreFiles.restorationMark)
        var warning: String?
        do throws(StoreError) {
            try connection.close()
            if connection.isInPlace { warning = try restoreBytes() }
        } catch {
            warning = "the contents are restored, but not in the same bytes: \(error.path): \(error.message)"
        }
        if let warning {
            report.isByteForByte = false
            report.warnings.append(warning)
        }
        try? source.close()
        discard()
    }

    /// Gives the closed store the very bytes of the backup.
    /// - Returns: nil, or a sentence for a person: why it cannot be given them. Where it has not the contents that were
    ///   restored, or not in its main file alone, no byte is written.
    private func restoreBytes() throws(StoreError) -> String? {
        let whole = try source.mainFileWithAllContents()
        let main: LockedFile
        do throws(StoreError) {
            main = try LockedFile(store.resolvedPath)
        } catch {
            guard error.kind == .inUse else { throw error }
            return "the contents are restored, but not in the same bytes: another process has opened the store since"
        }
        defer { withExtendedLifetime(main) {} }
        for suffix in ["-wal", "-journal"] where try size(suffix) > 0 {
            return "the contents are restored, but not in the same bytes: there is a \(suffix) with a part of them"
        }
        guard try main.hasSameContents(as: whole) else {
            return "the store was restored, and is not as it was then: another process has changed it since, or "
                + "its disk does not keep what is written; `meterfix verify` tells whether it is whole"
        }
        // The log before its main file: beside the whole one it changes nothing.
        try name("-wal")
        try main.write(bytesOf: entry.mainFile(journal))
        try name("-shm")
        return nil
    }

    /// Bytes of a file beside the store's main file; 0 where there is none.
    private func size(_ suffix: String) throws(StoreError) -> Int {
        let path = store.resolvedPath + suffix
        do { return try FileStatus(path: path)?.size ?? 0 } catch { throw error.storeError(at: path) }
    }

    /// Gives a staged file its name; where the backup has none, there is none afterwards.
    private func name(_ suffix: String) throws(StoreError) {
        let path = store.resolvedPath + suffix
        if journal.files.contains(where: { $0.suffix == suffix }) {
            try FileReplacement.move(folder + "/" + suffix, to: path)
        } else if unlink(path) != 0, errno != ENOENT {
            throw FileError(code: errno).storeError(at: path)
        }
    }

    /// After a `restore` that failed, and once the store is closed: its files are as they were, byte for byte.
    /// - Returns: the error, with what could not be put back.
    func putBack(after error: StoreError) -> StoreError {
        do throws(StoreError) {
            try before.putBack()
            return error
        } catch let failure {
            return StoreError(
                error.kind, at: error.path,
                "\(error.message); not every file could be given the bytes that it had: \(failure.message)",
                hint: error.hint)
        }
    }

    /// Takes away what was staged.
    func discard() { store.removeRestorationFolder() }
}
