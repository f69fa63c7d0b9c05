internal import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterModel

/// The store's files as they were before a change, in a folder of their own beside a journal of the change.
struct Backup {
    /// The entry's folder, as a path the user can type.
    let path: String
    /// The folder for entries, where it was made for this one; nil where it was there.
    private let newFolder: String?
    /// Closing the store's main file would drop SQLite's locks on it (POSIX locks belong to the process), so what was
    /// copied stays open until the change is over.
    private let sources: [FileCopy.OpenFile]

    /// Copies the main file, the `-wal` and the `-shm`, and waits until they are on the disk.
    /// - Parameter parent: the folder for entries; nil for `STORE.meterfix`.
    init(
        of files: StoreFiles, before command: String, in parent: String?, at now: Timestamp
    ) throws(StoreError) {
        let folder = parent ?? files.path + ".meterfix"
        newFolder = FileManager.default.fileExists(atPath: folder) ? nil : folder
        path = try Self.makeEntry("\(Self.stamp(now))-\(command)", in: folder)
        var sources: [FileCopy.OpenFile] = []
        do {
            for suffix in ["", "-wal", "-shm"] where suffix.isEmpty || files.has(suffix) {
                sources.append(try FileCopy.copy(files.resolvedPath + suffix, to: "\(path)/\(files.name)\(suffix)"))
            }
            try FileCopy.synchronize(folder: path)
            try FileCopy.synchronize(folder: folder)
        } catch {
            Self.remove(path, newFolder)
            throw error
        }
        self.sources = sources
    }

    /// Writes what was done, as the command reports it.
    func writeJournal(_ report: Report) throws(StoreError) {
        try FileCopy.write(Array((report.json.text(pretty: true) + "\n").utf8), to: path + "/journal.json")
        try FileCopy.synchronize(folder: path)
    }

    /// Takes the entry away again: the change did not happen.
    func discard() { Self.remove(path, newFolder) }

    private static func remove(_ path: String, _ newFolder: String?) {
        try? FileManager.default.removeItem(atPath: path)
        // Leaves alone what is not empty.
        if let newFolder { rmdir(newFolder) }
    }

    private static func makeEntry(_ name: String, in folder: String) throws(StoreError) -> String {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // Two changes in one second, or at one `--now`.
            for number in 1...1_000 {
                let path = "\(folder)/\(name)\(number == 1 ? "" : "-\(number)")"
                if FileManager.default.fileExists(atPath: path) { continue }
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
                return path
            }
        } catch {
            throw StoreError(
                .cannotCreate, at: folder, "no folder for the backup can be made here",
                hint: "name another one with --backup-dir; nothing was changed")
        }
        throw StoreError(.cannotCreate, at: folder, "too many backups of one moment")
    }

    /// `20261121T101500Z`.
    private static func stamp(_ moment: Timestamp) -> String {
        String(moment.description.prefix(19)).filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
