internal import Foundation

/// A copy of a store's files in a folder of its own (mode 0700), removed with the value.
package final class PrivateCopy: Sendable {
    private let folder: PrivateFolder
    private static let mainFile = "store.sqlite"
    /// The main file of the copy.
    package let path: String
    /// What SQLite reads of the copy's WAL; nil if there is none.
    let frames: WALFrames?

    /// Copies the main file and then its WAL; SQLite makes a `-shm` of its own.
    /// - Throws: `StoreError`, `inUse` if the files change while they are copied.
    package init(of files: StoreFiles) throws(StoreError) {
        folder = try Self.makeFolder()
        path = "\(folder.path)/\(Self.mainFile)"
        var reader: WALFrames.Reader?
        WorkProgress.begin(.copying, of: files.size)
        for suffix in ["", "-wal", "-journal"] where suffix.isEmpty || files.has(suffix) {
            if suffix.isEmpty, let page = Self.firstPage(for: files) {
                try FileCopy.write(page, to: path)
            } else if suffix == "-wal" {
                var frames = WALFrames.Reader()
                try Self.copy(suffix, of: files, to: path + suffix) { frames.add($0) }
                reader = frames
            } else {
                try Self.copy(suffix, of: files, to: path + suffix)
            }
        }
        frames = reader?.frames
        // The app may have written between the first file and the last: then the copy mixes two states.
        guard files.fingerprint.allowsCopies(until: StoreFingerprint(files.path)) else {
            throw .changedMeanwhile(files.path)
        }
    }

    /// Copies one of the store's files. Errors name the store, as the user named it.
    private static func copy(
        _ suffix: String, of files: StoreFiles, to target: String, watch: ([UInt8]) -> Void = { _ in }
    ) throws(StoreError) {
        let source = files.resolvedPath + suffix
        do {
            try FileCopy.copy(source, to: target, isDurable: false, watch: watch)
        } catch {
            guard error.path == source else { throw error }
            let message = suffix.isEmpty ? error.message : "its \(suffix): \(error.message)"
            throw StoreError(error.kind, at: files.path, message, hint: error.hint)
        }
    }

    /// Writes a database that was not in a file of its own.
    /// - Throws: `StoreError` if the copy cannot be written.
    package init(holding bytes: [UInt8]) throws(StoreError) {
        folder = try Self.makeFolder()
        path = "\(folder.path)/\(Self.mainFile)"
        frames = nil
        try FileCopy.write(bytes, to: path)
    }

    /// SQLite takes an empty main file for a new database and deletes the WAL beside it. If it is replaced by the page
    /// of an empty database, SQLite reads the WAL, which has the real first page. Nil if the main file is not empty.
    private static func firstPage(for files: StoreFiles) -> [UInt8]? {
        guard files.main.size == 0, let log = WALHeader(path: files.resolvedPath + "-wal") else { return nil }
        let size = log.pageSize
        guard (512...65_536).contains(size), size.nonzeroBitCount == 1 else { return nil }
        var page = [UInt8](repeating: 0, count: size)
        // https://www.sqlite.org/fileformat2.html: page size, WAL, no reserved bytes, payload fractions.
        let header: [UInt8] =
            Array("SQLite format 3\u{0}".utf8) + [UInt8(size >> 8 & 0xFF), size == 65_536 ? 1 : 0, 2, 2, 0, 64, 32, 32]
        page.replaceSubrange(0..<header.count, with: header)
        // A leaf of a table without cells; its contents begin at the end of the page.
        page[100] = 13
        page[105] = UInt8(size >> 8 & 0xFF)
        return page
    }

    private static func makeFolder() throws(StoreError) -> PrivateFolder {
        guard PrivateFolder.canHold(mainFile, at: .temporary) else {
            throw StoreError(
                .cannotCreate, at: PrivateFolder.temporary,
                "the path of a private copy in it is too long: SQLite opens no more than "
                    + "\(StoreConnection.longestPath) bytes",
                hint: "set TMPDIR to a folder with a shorter path")
        }
        do {
            return try PrivateFolder(.temporary)
        } catch {
            throw StoreError(
                .cannotCreate, at: PrivateFolder.temporary,
                "no folder for a private copy can be made here: \(error.message)",
                hint: "set TMPDIR to a folder with room")
        }
    }
}
