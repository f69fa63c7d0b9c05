package import CoreDataStore
internal import Foundation
package import MeterModel

/// The folder with a store's backups: `STORE.meterfix` beside the real file, or the one that `--backup-dir` names, which
/// several stores may share.
///
/// Where a store is named by a symbolic link, its backups are beside the file the link leads to, so that each of its names
/// finds them. A folder beside a link's own name is looked into as well.
package struct BackupFolder: Sendable {
    /// Where new entries are made, as a path the user can type.
    package let path: String
    /// Whether backups of other stores may be in it.
    package let isShared: Bool
    /// Folders beside the links that lead to the store.
    private let others: [String]

    /// - Parameter named: the folder `--backup-dir` names; nil for the one beside the store.
    package init(for store: String, named: String?) {
        let names = Self.names(of: store).map { $0 + Self.suffix }
        let own = names[names.count - 1]
        path = named ?? own
        isShared =
            named.map { $0 != own && (FileReplacement.realPath($0) ?? $0) != FileReplacement.realPath(own) } ?? false
        others =
            named == nil
            ? names.dropLast().filter { FileReplacement.realPath($0) != FileReplacement.realPath(own) } : []
    }

    package static let suffix = ".meterfix"

    /// The path, what it leads to if it is a symbolic link, and so on to the real file. Links among the folders on the way
    /// do not matter: what is beside a file is so by each of them.
    private static func names(of store: String) -> [String] {
        var names = [store]
        // No system follows more.
        while names.count <= 40, let target = FileReplacement.linkTarget(names.last ?? "") {
            let last = names[names.count - 1]
            let folder = last.lastIndex(of: "/").map { last[...$0] } ?? ""
            names.append(target.hasPrefix("/") ? target : folder + target)
        }
        return names
    }

    /// What is in it, in no particular order; nothing where there is no folder.
    /// - Throws: `StoreError` where it cannot be read.
    package var entries: [BackupEntry] {
        get throws(StoreError) {
            try entryPlaces.map { name, folder throws(StoreError) in try BackupEntry(name: name, in: folder) }
        }
    }

    /// How many of them there are; none is opened.
    /// - Throws: `StoreError` where it cannot be read.
    package var entryCount: Int { get throws(StoreError) { try entryPlaces.count } }

    private var entryPlaces: [(name: String, folder: String)] {
        get throws(StoreError) {
            var places: [(name: String, folder: String)] = []
            for folder in [path] + others { places += try Self.entryNames(in: folder).map { ($0, folder) } }
            return places
        }
    }

    private static func entryNames(in folder: String) throws(StoreError) -> [String] {
        do {
            guard let status = try FileStatus(path: folder), status.isDirectory else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter {
                isEntryName($0) && (try? FileStatus(path: folder + "/" + $0))?.isDirectory == true
            }
        } catch let fault as FileError {
            throw fault.storeError(at: folder)
        } catch {
            throw StoreError(.permissionDenied, at: folder, "this folder of backups cannot be read")
        }
    }

    /// Whether there is a folder of backups at all.
    package var isThere: Bool { ([path] + others).contains { FileManager.default.fileExists(atPath: $0) } }

    /// The entries of one store.
    /// - Parameters:
    ///   - description: of the store.
    ///   - now: the store's contents.
    /// - Throws: `StoreError` where the folder cannot be read.
    package func stack(
        of description: StoreDescription, _ files: StoreFiles, now: ContentsDigest
    ) throws(StoreError) -> BackupStack {
        BackupStack(
            try entries, of: StoreIdentity(description.metadata.uuid, isAlone: !isShared), at: files.path, now: now,
            isSwitchPending: files.hasPendingRestoration)
    }

    /// The folders in which there will be a new name when this one is made: none where it is there.
    package var parentsToBe: [String] {
        var parents: [String] = []
        var folder = path
        while !FileManager.default.fileExists(atPath: folder), folder != ".", folder != "/" {
            folder = FileReplacement.folder(of: folder)
            parents.append(folder)
        }
        return parents
    }

    /// - Throws: `StoreError` where SQLite could not open the store's copy in an entry made here.
    package func refuseLongPath(for command: String, at now: Timestamp, of files: StoreFiles) throws(StoreError) {
        let length = "\(realPath)/\(try freeName(for: command, at: now))/\(files.name)".utf8.count
        guard length > StoreConnection.longestPath else { return }
        throw StoreError(
            .cannotCreate, at: path,
            "the backup's whole path would have \(length) bytes, and SQLite opens none with more than "
                + "\(StoreConnection.longestPath)",
            hint: "name a folder with a shorter path with --backup-dir; nothing was changed")
    }

    /// Absolute, and free of symbolic links as far as there are folders already.
    private var realPath: String {
        let there = parentsToBe.last ?? path
        let start = FileReplacement.realPath(there) ?? there
        return there == "." ? "\(start)/\(path)" : start + path.dropFirst(there.count)
    }

    /// Makes an empty entry, and the folder where it is not there.
    /// - Throws: `StoreError` where the folder cannot be made.
    package func makeEntry(for command: String, at now: Timestamp) throws(StoreError) -> String {
        let entry = "\(path)/\(try freeName(for: command, at: now))"
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try FileManager.default.createDirectory(
                atPath: entry, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            return entry
        } catch {
            throw StoreError(
                .cannotCreate, at: path, "no folder for the backup can be made here",
                hint: "name another one with --backup-dir; nothing was changed")
        }
    }

    /// The name of the next entry.
    private func freeName(for command: String, at now: Timestamp) throws(StoreError) -> String {
        let name = "\(Self.stamp(now))-\(command)"
        // Two changes in one second, or at one `--now`.
        for number in 1...1_000 {
            let numbered = "\(name)\(number == 1 ? "" : "-\(number)")"
            if !([path] + others).contains(where: { FileManager.default.fileExists(atPath: "\($0)/\(numbered)") }) {
                return numbered
            }
        }
        throw StoreError(.cannotCreate, at: path, "too many backups of one moment")
    }

    /// `20261121T101500Z`.
    static func stamp(_ moment: Timestamp) -> String {
        String(moment.description.prefix(19)).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    /// Whether a folder of this name can be an entry: `20261121T101500Z-rebuild`. Others are not meterfix's.
    private static func isEntryName(_ name: String) -> Bool {
        let stamp = "00000000T000000Z-".utf8
        func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
        guard name.utf8.count > stamp.count, zip(stamp, name.utf8).allSatisfy({ isDigit($0) ? isDigit($1) : $0 == $1 })
        else { return false }
        let rest = name.utf8.dropFirst(stamp.count)
        let command = rest.prefix { (97...122).contains($0) || $0 == UInt8(ascii: "-") }
        let number = rest.dropFirst(command.count)
        return number.isEmpty
            ? !command.isEmpty : command.count > 1 && command.last == UInt8(ascii: "-") && number.allSatisfy(isDigit)
    }

    /// Refuses to change what is in a backup. Every command that writes asks this first, for a store that is there and
    /// for one that is to be made.
    /// - Throws: `StoreError`, `unsuitable` for a file in an entry, by whichever name.
    package static func refuseBackup(_ path: String) throws(StoreError) {
        let folder = FileReplacement.folder(of: Self.names(of: path).last ?? path)
        guard
            let real = FileReplacement.realPath(path).map(FileReplacement.folder(of:))
                ?? FileReplacement.realPath(folder)
        else { return }
        let parent = FileReplacement.folder(of: real)
        let name = String(real.dropFirst(parent == "/" ? 1 : parent.count + 1))
        let hasJournal = try BackupEntry(name: name, in: parent).journal != nil
        if hasJournal || isEntryName(name) && parent.hasSuffix(suffix) { throw Refusal.backup(path) }
    }
}

/// The folder beside a store in which an undo makes files ready.
extension StoreFiles {
    /// In the folder as long as the contents are not restored.
    package static let restorationMark = "pending"

    package var restorationFolder: String { resolvedPath + ".meterfix-restoring" }

    /// Whether an undo was killed before it had restored anything, or at once after it had.
    var hasPendingRestoration: Bool {
        FileManager.default.fileExists(atPath: "\(restorationFolder)/\(Self.restorationMark)")
    }

    /// Takes away what a killed undo left; all of it is in the backup as well. Only for who has the store to itself.
    package func removeRestorationFolder() { try? FileManager.default.removeItem(atPath: restorationFolder) }
}
