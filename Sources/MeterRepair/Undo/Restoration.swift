internal import CoreDataStore
internal import Foundation
internal import GRDB
internal import MeterModel

/// The files of a backup, staged beside a store and ready to take its place byte for byte.
///
/// A store can be two files, and no file system renames two at once; a main file beside a log that is not its own would
/// be ruined, for SQLite plays the log into it. So whatever moment the machine stops at, each state in between is a
/// store by itself:
///
/// | after this step | the files are | their contents |
/// |---|---|---|
/// | the log is taken in, the `-wal` and `-shm` are gone | the store's main file alone | as before |
/// | the *folded* main file takes the main file's name | the backup's main file with its log played in, alone | restored |
/// | the backup's `-wal` takes its name | the same and the log, which changes nothing in it | restored |
/// | the backup's main file takes its name | the backup's, byte for byte | restored |
/// | the backup's `-shm` takes its name | likewise | restored |
///
/// A backup without a log needs the first two steps only, with its own main file as the folded one. Each rename is on
/// the disk before the next. Other processes are locked out by SQLite's own lock on the old main file, and by the same
/// lock on each new one, taken before it gets its name.
struct Restoration {
    private let store: StoreFiles
    private let folder: String
    private let suffixes: [String]
    private let hasLog: Bool
    /// The contents that will be there.
    let contents: ContentsDigest

    /// The file that is put in place first. While it is in the folder, nothing has been.
    private static let first = "first.sqlite"
    private static let main = "main.sqlite"

    private static func folder(beside files: StoreFiles) -> String { files.resolvedPath + ".meterfix-restoring" }

    /// Whether a restoration was killed before it had put anything in place.
    static func isPending(beside files: StoreFiles) -> Bool {
        FileManager.default.fileExists(atPath: folder(beside: files) + "/" + first)
    }

    /// Takes away what a killed restoration left; all of it is in the backup as well. Only for who has the store to
    /// itself.
    static func clean(beside files: StoreFiles) { try? FileManager.default.removeItem(atPath: folder(beside: files)) }

    /// Copies the entry's files beside the store and proves that they are the bytes that were saved, intact, and of the
    /// contents that were saved.
    /// - Throws: `StoreError`; nothing is left beside the store then.
    init(of entry: BackupEntry, _ journal: BackupJournal, over store: StoreFiles) throws(StoreError) {
        self.store = store
        folder = Self.folder(beside: store)
        suffixes = journal.files.map(\.suffix)
        hasLog = journal.files.contains { $0.suffix == "-wal" && $0.digest.size > 0 }
        contents = journal.before
        Self.clean(beside: store)
        guard mkdir(folder, 0o700) == 0 else {
            let fault = FileFault(code: errno)
            throw StoreError(
                .cannotCreate, at: folder, "the files cannot be made ready here: \(fault.message)",
                hint: "the store's folder must be writable; nothing was changed")
        }
        do throws(StoreError) {
            try stage(entry, journal)
            try prove(entry)
            try FileCopy.synchronize(folder: folder)
        } catch {
            discard()
            throw error
        }
    }

    private func stage(_ entry: BackupEntry, _ journal: BackupJournal) throws(StoreError) {
        for file in journal.files {
            let isFirst = file.suffix.isEmpty && !hasLog
            let target = folder + "/" + (isFirst ? Self.first : Self.main + file.suffix)
            let (_, digest) = try FileCopy.digestedCopy(entry.mainFile(journal) + file.suffix, to: target)
            guard digest == file.digest else {
                throw StoreError(
                    .damaged, at: entry.path, "\(journal.store)\(file.suffix) has other bytes than were saved",
                    hint: "nothing was changed")
            }
            try FileReplacement.takeAccess(of: store.resolvedPath, for: target)
        }
        guard hasLog else { return }
        for suffix in ["", "-wal"] {
            let target = "\(folder)/\(Self.first)\(suffix)"
            try FileCopy.copy("\(folder)/\(Self.main)\(suffix)", to: target)
            try FileReplacement.takeAccess(of: store.resolvedPath, for: target)
        }
    }

    /// Reads the staged store, and plays its log into the folded file.
    private func prove(_ entry: BackupEntry) throws(StoreError) {
        let path = folder + "/" + Self.first
        let connection = hasLog ? try StoreConnection.exclusive(path) : try StoreConnection.untouched(path)
        do throws(StoreError) {
            try entry.prove(contents, connection)
            if hasLog { try connection.takeLogIn() }
        } catch {
            try? connection.close()
            throw error
        }
        try connection.close()
    }

    /// Puts the files in place and closes the store.
    /// - Parameter connection: the store, open for this process alone, with nothing under way.
    /// - Returns: what did not go as it should although the contents are restored: sentences for a person.
    /// - Throws: `StoreError`; the store's contents are as they were then.
    func carryOut(_ connection: StoreConnection) throws(StoreError) -> [String] {
        var locks = [try FileLock(on: folder + "/" + Self.first)]
        if hasLog { locks.append(try FileLock(on: folder + "/" + Self.main)) }
        try connection.takeLogIn()
        var warnings: [String] = []
        do throws(StoreError) {
            try FileReplacement.move(folder + "/" + Self.first, to: store.resolvedPath)
        } catch {
            guard !Self.isPending(beside: store) else { throw error }
            warnings.append("the contents are restored, but the disk did not confirm it: \(error.message)")
        }
        do throws(StoreError) {
            // The log before its main file: beside the folded one it changes nothing.
            let order = ["-wal", "", "-shm"].filter { suffixes.contains($0) && (!$0.isEmpty || hasLog) }
            for suffix in order {
                try FileReplacement.move(folder + "/" + Self.main + suffix, to: store.resolvedPath + suffix)
            }
        } catch {
            warnings.append(
                "the contents are restored, but not in the same files: \(error.path) cannot be written: "
                    + error.message)
        }
        do throws(StoreError) { try connection.close() } catch { warnings.append(error.message) }
        discard()
        withExtendedLifetime(locks) {}
        return warnings
    }

    /// Takes away what was staged.
    func discard() { Self.clean(beside: store) }
}

extension BackupEntry {
    /// Whether what was saved is intact and has the contents it had.
    /// - Parameter connection: the saved files, or a copy of them.
    func prove(_ contents: ContentsDigest, _ connection: StoreConnection) throws(StoreError) {
        let path = path
        try connection.read { database in
            let problems = try IntegrityCheck.problems(database, limit: 1)
            guard problems.isEmpty, try ContentsDigest(database) == contents else {
                throw StoreError(
                    .damaged, at: path, "the backup does not have the contents that were saved",
                    hint: "nothing was changed")
            }
        }
    }
}
