internal import CoreDataStore

/// A file among those that were handed over, on disk or in an archive. Nothing is opened that is not a regular file.
struct AppFile: Sendable {
    /// From the last part of what was named on: `USB Meter.app/Info.plist`.
    let path: String
    /// Whether it is a file of its own, and no link, pipe or device.
    let isRegular: Bool
    /// On the disk; that of the archive for a file in one.
    private let place: String
    private let archived: ArchivedFile?

    private init(path: String, place: String, isRegular: Bool = true) {
        (self.path, self.place, self.isRegular, archived) = (path, place, isRegular, nil)
    }

    private init(_ member: ArchivedFile, of archive: AppFile) {
        (path, place, archived) = ("\(archive.path)/\(member.name)", archive.place, member)
        isRegular = !member.isLink
    }

    /// What is looked into; archives and project folders can have many more levels than what counts.
    private static let limits = FolderWalk.Limits(depth: 20, entries: 100_000)
    /// Folders in which nothing is the app's own: extensions, frameworks, symbols, tests, and what tools keep.
    static let foreignFolders = [".appex", ".framework", ".xcframework", ".dSYM", ".xctest", ".git", ".build"]

    /// The last part of a path.
    static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

    static func isPackage(_ name: some StringProtocol) -> Bool { name.lowercased().hasSuffix(".ipa") }

    /// Whether it is an `.ipa` on the disk.
    var isPackage: Bool { archived == nil && Self.isPackage(path) }

    /// Whether it lies in an `.ipa` or an `.xcarchive`, or is one.
    var isOfArchive: Bool {
        path.split(separator: "/").contains { Self.isPackage($0) || $0.hasSuffix(".xcarchive") }
    }

    /// Whether it is no file of an app: on the disks of others, a Mac keeps its attributes in files whose names begin so.
    private var hasAttributes: Bool { path.split(separator: "/").contains { $0.hasPrefix("._") } }

    /// Those at a path: a file, or those in a folder.
    /// - Returns: also whether there is more than could be looked at.
    /// - Throws: `StoreError`, `notFound` where there is nothing, `damaged` where it is no file or folder.
    static func all(at path: String) throws(StoreError) -> (files: [AppFile], isCut: Bool) {
        guard let status = try FileStatus.named(path), let real = FileReplacement.realPath(path) else {
            throw StoreError(.notFound, at: path, "no such file or folder", hint: "check the path")
        }
        let last = name(of: path)
        let name = [".", ".."].contains(last) ? "" : last
        guard status.isDirectory else {
            guard status.isRegular else { throw StoreError(.damaged, at: path, "neither a file nor a folder") }
            return ([AppFile(path: name, place: real)].filter { !$0.hasAttributes }, false)
        }
        let walk = try FolderWalk(real, skipping: foreignFolders, within: limits)
        let start = real == "/" ? real : real + "/"
        func file(_ place: String, isRegular: Bool) -> AppFile {
            let rest = String(place.dropFirst(start.count))
            return AppFile(path: name.isEmpty ? rest : "\(name)/\(rest)", place: place, isRegular: isRegular)
        }
        let files =
            walk.files.map { file($0.path, isRegular: true) } + walk.irregular.map { file($0, isRegular: false) }
        return (files.filter { !$0.hasAttributes }, walk.isCut || !walk.closed.isEmpty)
    }

    /// The files in an `.ipa`.
    /// - Throws: `StoreError`, `damaged` for what is no such archive.
    func members() throws(StoreError) -> [AppFile] {
        try ArchivedFile.all(in: place).map { AppFile($0, of: self) }.filter { !$0.hasAttributes }
    }

    /// All bytes; nil where there are more than `limit`.
    /// - Throws: `StoreError`, `damaged` where it cannot be read.
    func bytes(limit: Int) throws(StoreError) -> [UInt8]? {
        if let archived { return try archived.bytes(limit: limit) }
        return try FileInput(regular: place).bytes(limit: limit)
    }

    /// What reads parts of a file on the disk: at an offset so many bytes, or as many as there are; nil for one in an
    /// archive.
    /// - Throws: `StoreError`.
    func parts() throws(StoreError) -> ((Int, Int) throws(StoreError) -> [UInt8])? {
        guard archived == nil else { return nil }
        let input = try FileInput(regular: place)
        return { offset, count throws(StoreError) in try input.bytes(at: offset, count: count) }
    }
}
