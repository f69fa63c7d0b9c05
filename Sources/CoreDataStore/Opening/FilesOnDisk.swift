internal import Foundation

/// What lies at a store's path, whatever is in it: only the file system is asked.
struct FilesOnDisk {
    /// Absolute and free of symbolic links.
    let resolvedPath: String
    let main: FileStatus
    let wal: FileStatus?
    let shm: FileStatus?
    let journal: FileStatus?

    /// - Throws: `StoreError` for a file that may not be written to. SQLite would open it for reading, and then fail with
    ///   errors that do not say why.
    static func refuseUnwritable(_ resolvedPath: String, shownAs path: String) throws(StoreError) {
        guard access(resolvedPath, W_OK) == 0 else { throw FileError(code: errno).storeError(at: path) }
    }

    private static let otherEncodingHint = "rename it, or copy the store's files into a folder with another name"

    init(path: String) throws(StoreError) {
        do {
            guard !path.utf8.contains(0), let status = try FileStatus(path: path) else {
                throw Self.absence(of: path)
            }
            guard !status.isDirectory else {
                throw StoreError(
                    .damaged, at: path, "a directory, not a store", hint: "name the SQLite file in it")
            }
            guard status.isRegular else { throw StoreError(.damaged, at: path, "not a regular file") }
            if let original = CloudPlaceholder.original(of: path) {
                throw CloudPlaceholder.error(at: path, ofKind: .damaged, standingFor: original)
            }
            guard let real = realpath(path, nil) else { throw FileError(code: errno) }
            defer { free(real) }
            guard let resolved = String(validatingCString: real) else {
                throw StoreError(
                    .notFound, at: path, "it is in a folder whose name is not UTF-8", hint: Self.otherEncodingHint)
            }
            resolvedPath = resolved
            guard resolvedPath.utf8.count <= StoreConnection.longestPath else {
                throw StoreError(
                    .notFound, at: path,
                    "the path is too long: SQLite opens no more than \(StoreConnection.longestPath) bytes",
                    hint: "move the store's files into a folder with a shorter path")
            }
            main = status
            for suffix in ["-wal", "-journal"] where FileStatus.isLink(resolvedPath + suffix) {
                // SQLite follows none, and would say that it cannot open the store.
                throw StoreError(
                    .damaged, at: path, "its \(suffix) is a symbolic link, which is not followed",
                    hint: "put the file that it leads to in its place, if that is the store's own \(suffix)")
            }
            wal = try FileStatus(path: resolvedPath + "-wal")
            shm = try FileStatus(path: resolvedPath + "-shm")
            journal = try FileStatus(path: resolvedPath + "-journal")
            for (status, suffix) in [(wal, "-wal"), (journal, "-journal")] {
                guard let status, !status.isRegular else { continue }
                // Reading a pipe, for example, would wait until somebody writes to it.
                let kind = status.isDirectory ? "a folder" : "a pipe or a device"
                throw StoreError(
                    .damaged, at: path, "its \(suffix) is \(kind), not a file",
                    hint: "move it away and keep it, and put the store's own \(suffix) in its place, if it had one")
            }
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// Whether a `-wal` or `-journal` with contents lies beside the main file.
    var hasLog: Bool { (wal?.size ?? 0) > 0 || (journal?.size ?? 0) > 0 }

    private static func absence(of path: String) -> StoreError {
        if path.isEmpty { return StoreError(.notFound, at: path, "an empty path", hint: "name the store's main file") }
        if path.hasSuffix("/"), path.contains(where: { $0 != "/" }) {
            let bare = String(path.reversed().drop { $0 == "/" }.reversed())
            if let status = try? FileStatus(path: bare), !status.isDirectory {
                return StoreError(.notFound, at: path, "a file, not a directory", hint: "leave out the / at the end")
            }
        }
        if !path.utf8.contains(0), let error = CloudPlaceholder.error(ofMissing: path, ofKind: .notFound) {
            return error
        }
        // Swift replaces bytes that are not UTF-8 by this.
        if path.unicodeScalars.contains("\u{FFFD}") {
            return StoreError(
                .notFound, at: path, "no such file, or its name is not UTF-8", hint: otherEncodingHint)
        }
        return StoreError(
            .notFound, at: path, "no such file", hint: "check the path; meterfix never creates a store here")
    }
}
