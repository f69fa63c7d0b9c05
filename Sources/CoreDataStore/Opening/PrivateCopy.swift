internal import Foundation

/// A copy of a store's files in a folder of its own (mode 0700), removed with the value.
package final class PrivateCopy: Sendable {
    private let folder: PrivateFolder
    static let mainFile = "store.sqlite"
    /// The main file of the copy.
    package let path: String
    /// What SQLite reads of the copy's WAL; nil if there is none.
    let frames: WALFrames?

    /// Copies the main file and then its WAL; SQLite makes a `-shm` of its own.
    /// - Throws: `StoreError`, `inUse` if the files change while they are copied.
    package init(of files: StoreFiles) throws(StoreError) {
        folder = try Self.makeFolder()
        path = "\(folder.path)/\(Self.mainFile)"
        var reader = WALFrames.Reader()
        WorkProgress.begin("copying", of: files.size, .bytes)
        for suffix in ["", "-wal", "-journal"] where suffix.isEmpty || files.has(suffix) {
            if suffix.isEmpty, let page = Self.firstPage(for: files) {
                try FileOutput.write(page, to: path)
            } else {
                try Self.copy(suffix, of: files, to: path + suffix) { if suffix == "-wal" { reader.add($0) } }
            }
        }
        frames = files.has("-wal") ? reader.frames : nil
        // The app may have written between the first file and the last: then the copy mixes two states.
        guard files.fingerprint.allowsCopies(until: StoreFingerprint(files.path)) else {
            throw .changedMeanwhile(files.path)
        }
    }

    /// Copies one of the store's files. Errors name the store, as the user named it.
    private static func copy(
        _ suffix: String, of files: StoreFiles, to target: String, watch: ([UInt8]) -> Void
    ) throws(StoreError) {
        let source = files.resolvedPath + suffix
        do {
            try FileOutput.copy(source, to: target, isDurable: false, watch: watch)
        } catch {
            guard error.path == source else { throw error }
            let message = suffix.isEmpty ? error.message : "its \(suffix): \(error.message)"
            throw StoreError(error.kind, at: files.path, message, hint: error.hint)
        }
    }

    /// Writes a database that was not in a file of its own.
    /// - Throws: `StoreError` with the system's reason.
    package init(holding bytes: [UInt8]) throws(StoreError) {
        folder = try Self.makeFolder()
        path = "\(folder.path)/\(Self.mainFile)"
        frames = nil
        try FileOutput.write(bytes, to: path)
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

    static func makeFolder() throws(StoreError) -> PrivateFolder {
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

/// A new folder that nobody else may read (mode 0700), removed with its contents when the value goes.
///
/// As long as it is there, the process holds a lock on it. A folder without one is of a run that was killed, and the next
/// run removes it.
package final class PrivateFolder: Sendable {
    package let path: String
    /// Of the folder itself, with the lock.
    private let descriptor: Int32

    /// Where a folder is made.
    package struct Place: Sendable {
        fileprivate let parent: String
        /// What its name begins with; six letters or digits follow.
        fileprivate let prefix: String

        /// Among the temporary files.
        package static var temporary: Place {
            Place(parent: PrivateFolder.temporary, prefix: "meterfix-private-")
        }

        /// In the folder of a file that is to be made.
        package static func beside(_ path: String) -> Place {
            Place(parent: FileReplacement.folder(of: path), prefix: ".meterfix-private-")
        }
    }

    /// Removes what runs left there that were killed, and makes a new folder.
    /// - Throws: `FileError` with the system's reason.
    package init(_ place: Place) throws(FileError) {
        Self.removeLeftovers(at: place)
        while true {
            var template = Array("\(place.parent)/\(place.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw FileError(code: errno) }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            // Another run may have taken it for a leftover before it was locked.
            if descriptor < 0, errno == ENOENT { continue }
            guard descriptor >= 0 else {
                let error = FileError(code: errno)
                rmdir(path)
                throw error
            }
            // A file system without locks has no leftovers that can be told either.
            _ = flock(descriptor, LOCK_EX)
            guard Self.isSame(descriptor, path) else {
                close(descriptor)
                continue
            }
            (self.path, self.descriptor) = (path, descriptor)
            return
        }
    }

    deinit {
        Self.remove(path)
        close(descriptor)
    }

    /// Once more where a call failed, which may not fail again: what is in such a folder is private.
    private static func remove(_ path: String) {
        guard (try? FileManager.default.removeItem(atPath: path)) == nil else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes the folders of runs that were killed: this user's own, which no process has locked. What cannot be removed
    /// stays.
    package static func removeLeftovers(at place: Place) {
        guard let folder = opendir(place.parent) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix(place.prefix), name.utf8.count == place.prefix.utf8.count + 6 else { continue }
            removeLeftover("\(place.parent)/\(name)")
        }
    }

    private static func removeLeftover(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_uid == geteuid(), info.st_mode & 0o7777 == 0o700,
            flock(descriptor, LOCK_EX | LOCK_NB) == 0, isSame(descriptor, path)
        else { return }
        remove(path)
    }

    /// Whether an open folder still has this name.
    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
            && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }

    /// Whether SQLite could open a file of this name in a folder that is made there: the length of the path without
    /// symbolic links counts.
    package static func canHold(_ name: String, at place: Place) -> Bool {
        let real = realpath(place.parent, nil)
        defer { free(real) }
        let length =
            (real.map { strlen($0) } ?? place.parent.utf8.count) + "/\(place.prefix)XXXXXX/\(name)".utf8.count
        return length <= StoreConnection.longestPath
    }

    /// The folder for temporary files: `TMPDIR`, which Foundation ignores on macOS, or else the system's.
    package static var temporary: String {
        guard let named = getenv("TMPDIR").map({ String(cString: $0) }), !named.isEmpty else {
            #if canImport(Darwin)
                return FileManager.default.temporaryDirectory.path
            #else
                return "/tmp"
            #endif
        }
        // SQLite takes a path of its own for one from its own folder.
        return named.hasPrefix("/") ? named : FileManager.default.currentDirectoryPath + "/" + named
    }
}
