internal import CoreDataStore
internal import Foundation
internal import MeterModel

/// The folder with a store's backups: `STORE.meterfix`, or the one that `--backup-dir` names, which several stores may
/// share.
struct BackupFolder: Sendable {
    /// As a path the user can type.
    let path: String
    /// Whether backups of other stores may be in it.
    let isShared: Bool

    /// - Parameter named: the folder `--backup-dir` names; nil for the one beside the store.
    init(for store: String, named: String?) {
        path = named ?? store + ".meterfix"
        isShared = named != nil
    }

    /// What is in it, in no particular order; nothing where there is no folder.
    /// - Throws: `StoreError` where it cannot be read.
    var entries: [BackupEntry] {
        get throws(StoreError) {
            let names: [String]
            do {
                guard let status = try FileStatus(path: path), status.isDirectory else { return [] }
                names = try FileManager.default.contentsOfDirectory(atPath: path)
            } catch let fault as FileFault {
                throw fault.storeError(at: path)
            } catch {
                throw StoreError(.permissionDenied, at: path, "this folder of backups cannot be read")
            }
            return names.sorted().filter(Self.isEntryName).map { BackupEntry(name: $0, in: path) }
        }
    }

    /// The entries of one store.
    /// - Parameter now: the store's contents.
    func stack(of store: InspectedStore, now: ContentsDigest) throws(StoreError) -> BackupStack {
        BackupStack(
            try entries, of: store.description.metadata.uuid, now: now,
            isSwitchPending: Restoration.isPending(beside: store.files))
    }

    /// - Throws: `StoreError` where SQLite could not open the store's copy in an entry made here.
    func refuseLongPath(for command: String, at now: Timestamp, of files: StoreFiles) throws(StoreError) {
        let start = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
        let length = "\(start)\(path)/\(Self.stamp(now))-\(command)/\(files.name)".utf8.count
        guard length > StoreConnection.longestPath else { return }
        throw StoreError(
            .cannotCreate, at: path,
            "the backup's whole path would have \(length) bytes, and SQLite opens none with more than "
                + "\(StoreConnection.longestPath)",
            hint: "name a folder with a shorter path with --backup-dir; nothing was changed")
    }

    /// Makes an empty entry, and the folder where it is not there.
    func makeEntry(for command: String, at now: Timestamp) throws(StoreError) -> String {
        let name = "\(Self.stamp(now))-\(command)"
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // Two changes in one second, or at one `--now`.
            for number in 1...1_000 {
                let entry = "\(path)/\(name)\(number == 1 ? "" : "-\(number)")"
                if FileManager.default.fileExists(atPath: entry) { continue }
                try FileManager.default.createDirectory(
                    atPath: entry, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
                return entry
            }
        } catch {
            throw StoreError(
                .cannotCreate, at: path, "no folder for the backup can be made here",
                hint: "name another one with --backup-dir; nothing was changed")
        }
        throw StoreError(.cannotCreate, at: path, "too many backups of one moment")
    }

    /// `20261121T101500Z`.
    private static func stamp(_ moment: Timestamp) -> String {
        String(moment.description.prefix(19)).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    /// Whether a folder of this name can be an entry: `20261121T101500Z-rebuild`. Others are not meterfix's.
    private static func isEntryName(_ name: String) -> Bool {
        name.firstMatch(of: /^[0-9]{8}T[0-9]{6}Z-[a-z-]+(-[0-9]+)?$/) != nil
    }
}
