package import CoreDataStore
internal import Foundation

/// The one place where it is asked whether a command may write where it is told to: every output is a new file, or a
/// folder for backups, and none of them belongs to the store or lies in its backups.
///
/// Two paths are the same where they lead to one file, through symbolic and hard links, or are the same name in one
/// folder, whether there is such a file or not.
package struct OutputPlaces {
    private let store: String
    /// The store's files by every path, also those that are not there.
    private let files: [String]
    /// The folders with the store's backups.
    private let ownBackups: [String]

    /// What SQLite and `undo` put behind a store's name.
    private static let suffixes = ["", "-wal", "-shm", "-journal", ".meterfix-restoring"]

    private init(of store: String) {
        self.store = store
        // SQLite keeps the log beside the file that a link leads to; backups may be beside the link as well.
        let paths = [store] + [FileReplacement.realPath(store)].compactMap(\.self)
        files = paths.flatMap { path in Self.suffixes.map { path + $0 } }
        ownBackups = paths.map { $0 + ".meterfix" }
    }

    /// Checks every place a command is told to write to, before it does anything.
    /// - Throws: `StoreError`, `cannotCreate` for a place that is not free.
    static func check(_ options: ChangeOptions, for store: String) throws(StoreError) {
        try check(for: store) { places in
            if let folder = options.backupFolder { try places.checkBackupFolder(folder) }
            if let path = options.rejectsFile {
                try places.check(NewFile(path, "--rejects"), backupFolder: options.backupFolder)
            }
            if let input = options.inputFile, try places.belongsToStore(input) {
                throw StoreError(
                    .cannotCreate, at: input, "this is a file of the store itself",
                    hint: "name another file, or a copy of this one")
            }
        }
    }

    /// A new file that a command which only looks is told to write.
    package struct NewFile {
        let path: String
        /// What the command line calls it.
        let option: String
        /// Whether it is a store: then SQLite would take files beside it for parts of it.
        let isStore: Bool
        /// Whether there may be such a file already, which is read first.
        let mayBeThere: Bool

        package init(_ path: String, _ option: String, isStore: Bool = false, mayBeThere: Bool = false) {
            self.path = path
            self.option = option
            self.isStore = isStore
            self.mayBeThere = mayBeThere
        }

        fileprivate func refusal(_ message: String) -> StoreError {
            StoreError(.cannotCreate, at: path, message, hint: "name a new file for \(option)")
        }
    }

    /// Checks the places of new files, which must be different ones.
    /// - Parameter backupFolder: the folder `--backup-dir` names; nil for the one beside the store.
    /// - Throws: `StoreError`, `cannotCreate` for a place that is not free.
    package static func check(
        _ files: [NewFile], backupFolder: String? = nil, for store: String
    ) throws(StoreError) {
        try check(for: store) { places in
            for (index, file) in files.enumerated() {
                try places.check(file, backupFolder: backupFolder)
                if let other = try files[..<index].first(where: { try isSame($0.path, file.path) }) {
                    throw file.refusal("\(other.option) and \(file.option) are the same file")
                }
                let suffixes = file.isStore ? ["-wal", "-shm", "-journal"] : []
                if let suffix = suffixes.first(where: { isThere(file.path + $0) }) {
                    throw file.refusal(
                        "\(name(of: file.path))\(suffix) is there: SQLite would take it for a part of the new file")
                }
            }
        }
    }

    private static func check(for store: String, _ body: (OutputPlaces) throws -> Void) throws(StoreError) {
        do {
            try body(OutputPlaces(of: store))
        } catch let error as FileError {
            throw error.storeError(at: store)
        } catch {
            throw StoreError(error, at: store)
        }
    }

    private func check(_ file: NewFile, backupFolder: String?) throws {
        let path = file.path
        guard !path.isEmpty else { throw file.refusal("an empty path") }
        if let suffix = ["-wal", "-shm", "-journal"].first(where: path.hasSuffix) {
            throw file.refusal("SQLite would take a file that ends in \(suffix) for a part of a store")
        }
        guard file.mayBeThere || !Self.isThere(path) else { throw file.refusal("this file exists already") }
        guard !path.hasSuffix("/") else { throw file.refusal("the name of a folder, not of a file") }
        guard try FileStatus(path: FileReplacement.folder(of: path))?.isDirectory == true else {
            throw file.refusal("there is no such folder")
        }
        let backups = ownBackups + [backupFolder].compactMap(\.self)
        guard try !belongsToStore(path), try !backups.contains(where: { try Self.isSame(path, $0) }) else {
            throw file.refusal("this name belongs to the store \(store)")
        }
        guard try !Self.lies(path, inOneOf: backups) else {
            throw file.refusal("this folder holds the store's backups")
        }
    }

    /// The folder may be there; otherwise it is made, with the folders it is in.
    private func checkBackupFolder(_ path: String) throws {
        func refusal(_ message: String) -> StoreError {
            StoreError(.cannotCreate, at: path, message, hint: "name another folder with --backup-dir")
        }
        guard !path.isEmpty else { throw refusal("an empty path") }
        let bare = Self.withoutSlashes(path)
        for place in [bare] + Self.folders(around: bare) {
            let what = place == bare ? "" : "\(place) is "
            if let status = try FileStatus(path: place) {
                guard status.isDirectory else { throw refusal("\(what)a file, not a folder") }
                continue
            }
            guard !Self.isThere(place) else { throw refusal("\(what)a link to something that is not there") }
            guard Self.name(of: place) != ".." else { throw refusal("there is no such folder") }
            guard try !belongsToStore(place) else { throw refusal("this name belongs to the store \(store)") }
        }
        guard try !Self.lies(bare, inOneOf: ownBackups) else { throw refusal("it lies in the store's backups") }
    }

    private func belongsToStore(_ path: String) throws -> Bool {
        try files.contains { try Self.isSame(path, $0) }
    }

    // MARK: - Paths

    /// Whether two paths are those of one file, or of one name where there is no file.
    private static func isSame(_ path: String, _ other: String) throws -> Bool {
        switch (try FileStatus(path: path), try FileStatus(path: other)) {
        case (let status?, let otherStatus?): return status.isSameFile(as: otherStatus)
        case (nil, nil):
            guard let folder = try FileStatus(path: FileReplacement.folder(of: withoutSlashes(path))),
                let otherFolder = try FileStatus(path: FileReplacement.folder(of: withoutSlashes(other)))
            else { return false }
            // On many disks of Apple's systems two names that differ in letter case are one.
            return folder.isSameFile(as: otherFolder) && name(of: path).lowercased() == name(of: other).lowercased()
        case (nil, _?), (_?, nil): return false
        }
    }

    /// Whether one of the folders is around `path`, however far up.
    private static func lies(_ path: String, inOneOf folders: [String]) throws -> Bool {
        try Self.folders(around: path).contains { around in try folders.contains { try isSame(around, $0) } }
    }

    /// The folders that `path` is in, from the innermost to the root; those that are there by their real paths.
    private static func folders(around path: String) -> [String] {
        var folders: [String] = []
        var folder = FileReplacement.folder(of: withoutSlashes(path))
        while true {
            folder = withoutSlashes(FileReplacement.realPath(folder) ?? folder)
            folders.append(folder)
            if folder == "/" || folder == "." { return folders }
            folder = FileReplacement.folder(of: folder)
        }
    }

    /// Whether there is anything of this name, be it a link that leads nowhere.
    private static func isThere(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0
    }

    private static func name(of path: String) -> String {
        withoutSlashes(path).split(separator: "/").last.map(String.init) ?? ""
    }

    static func withoutSlashes(_ path: String) -> String {
        let bare = String(path.reversed().drop { $0 == "/" }.reversed())
        return bare.isEmpty && path.hasPrefix("/") ? "/" : bare
    }
}
