internal import CoreDataStore

/// A file among those that were handed over, on disk or in an archive. Nothing is opened that is not a regular file.
struct AppFile: Sendable {
    /// From the last part of what was named on: `USB Meter.app/Info.plist`.
    let path: String
    /// On the disk; that of the archive for a file in one.
    private let place: String
    private let archived: ArchivedFile?

    /// What is looked into; archives and project folders can have many more levels than what counts.
    private static let limits = FolderWalk.Limits(depth: 20, entries: 100_000)
    /// Folders in which nothing is the app's own: extensions, frameworks, symbols, tests, and what tools keep.
    static let foreignFolders = [".appex", ".framework", ".xcframework", ".dSYM", ".xctest", ".git", ".build"]

    /// The last part of a path.
    static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

    static func isArchive(_ path: String) -> Bool { path.lowercased().hasSuffix(".ipa") }

    /// Those at a path: a file, those in a folder, or those in an `.ipa`.
    /// - Returns: also whether there is more than could be looked at.
    /// - Throws: `StoreError`, `notFound` where there is nothing, `damaged` where it is no file or folder.
    static func all(at path: String) throws(StoreError) -> (files: [AppFile], isCut: Bool) {
        guard let status = try FileStatus.named(path), let real = FileReplacement.realPath(path) else {
            throw StoreError(.notFound, at: path, "no such file or folder", hint: "check the path")
        }
        let last = name(of: path)
        let name = [".", ".."].contains(last) ? "" : last
        if status.isDirectory {
            let walk = try FolderWalk(real, skipping: foreignFolders, within: limits)
            let start = real == "/" ? real : real + "/"
            let files = walk.files.map { file in
                let rest = String(file.path.dropFirst(start.count))
                return AppFile(path: name.isEmpty ? rest : "\(name)/\(rest)", place: file.path, archived: nil)
            }
            return (files, walk.isCut || !walk.closed.isEmpty)
        }
        guard status.isRegular else { throw StoreError(.damaged, at: path, "neither a file nor a folder") }
        guard isArchive(name) else { return ([AppFile(path: name, place: real, archived: nil)], false) }
        return (
            try ArchivedFile.all(in: real).map { AppFile(path: "\(name)/\($0.name)", place: real, archived: $0) }, false
        )
    }

    /// - Throws: `StoreError`, `damaged` where there are more than `limit`.
    func bytes(limit: Int) throws(StoreError) -> [UInt8] {
        if let archived { return try archived.bytes(limit: limit) }
        guard let bytes = try FileInput(regular: place).bytes(limit: limit) else {
            throw StoreError(.damaged, at: path, "more than \(limit >> 20) MiB")
        }
        return bytes
    }

    /// What reads parts of the file: at an offset so many bytes, or as many as there are.
    /// - Parameter limit: for how many bytes a file in an archive is expanded.
    /// - Throws: `StoreError`.
    func parts(limit: Int) throws(StoreError) -> (Int, Int) throws(StoreError) -> [UInt8] {
        if let bytes = try archived?.bytes(limit: limit) {
            return { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }
        }
        let input = try FileInput(regular: place)
        return { offset, count throws(StoreError) in try input.bytes(at: offset, count: count) }
    }
}
