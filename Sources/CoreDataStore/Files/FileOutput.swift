internal import Foundation

package struct FileOutput {
    private let descriptor: Int32
    private let path: String

    /// Creates a new file (mode 0600), which is removed again if `fill` throws.
    /// - Parameters:
    ///   - isDurable: wait until it is on the disk.
    ///   - isReadOnly: whether it may only be read from then on (mode 0400).
    /// - Throws: `StoreError`; a file that exists is not overwritten.
    package static func create(
        _ path: String, isDurable: Bool = true, isReadOnly: Bool = false,
        _ fill: (FileOutput) throws(StoreError) -> Void
    ) throws(StoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isReadOnly ? 0o400 : 0o600)
        guard descriptor >= 0 else { throw FileError(code: errno).storeError(at: path) }
        defer { close(descriptor) }
        do throws(StoreError) {
            try fill(FileOutput(descriptor: descriptor, path: path))
            if isDurable { try FileOutput.synchronize(descriptor, at: path) }
        } catch {
            // The file was created here, and half of it is useless.
            unlink(path)
            throw error
        }
    }

    /// - Throws: `StoreError` with the system's reason.
    package func write(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
        if let error = bytes.withUnsafeBytes(error) { throw error.storeError(at: path) }
    }

    private func error(ofWriting bytes: UnsafeRawBufferPointer) -> FileError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let written = Foundation.write(descriptor, part.baseAddress, part.count)
            guard written >= 0 else {
                if errno == EINTR { continue }
                return FileError(code: errno)
            }
            rest = rest.dropFirst(written)
        }
        return nil
    }
}

extension FileOutput {
    /// Waits until everything that was written to an open file, or every name in an open folder, is on the disk: the one
    /// way in which meterfix does so where it writes files itself.
    ///
    /// On a Mac `fsync` passes the data to the drive, which may keep them in its memory and write them in another
    /// order; `F_FULLFSYNC` waits for the drive too (the manual page of fsync(2) there). Not every file system has it:
    /// then `fsync` is all there is, as in SQLite itself.
    /// - Parameter path: of the file or folder, for the error.
    static func synchronize(_ descriptor: Int32, at path: String) throws(StoreError) {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw FileError(code: errno).storeError(at: path) }
    }
}

/// Files that replace others, completely or not at all, even if the power fails.
package enum FileReplacement {
    /// Gives `path` new contents (mode 0600), which are written to the new file `path.new`: a reader finds either the old
    /// contents or the new ones.
    /// - Throws: `StoreError`; the old contents are still there then, and `path.new` may be.
    package static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        let new = path + ".new"
        try FileOutput.write(bytes, to: new)
        try move(new, to: path)
    }

    /// Renames the file `source` to `target`, replacing any file of that name, and waits until the names in `target`'s
    /// folder are on the disk.
    /// - Throws: `StoreError` with the system's reason.
    package static func move(_ source: String, to target: String) throws(StoreError) {
        guard rename(source, target) == 0 else { throw FileError(code: errno).storeError(at: target) }
        try FileOutput.synchronize(folder: folder(of: target))
    }

    /// Gives the file `path`, which is to replace `model`, its mode, and its owner if that is allowed.
    /// - Throws: `StoreError` about `model`: the other file is one that nobody but meterfix knows.
    package static func takeAccess(of model: String, for path: String) throws(StoreError) {
        var info = stat()
        guard stat(model, &info) == 0 else { throw FileError(code: errno).storeError(at: model) }
        // Only root may give files away; anybody else owns both.
        _ = chown(path, info.st_uid, info.st_gid)
        guard chmod(path, info.st_mode & 0o7777) == 0 else { throw FileError(code: errno).storeError(at: model) }
    }

    /// Absolute and free of symbolic links; nil if there is nothing at the path, or if it is not UTF-8.
    package static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(validatingCString: real)
    }

    /// Where the symbolic link at `path` leads to, as it says; nil if there is none, or if it is not UTF-8.
    package static func linkTarget(_ path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlink(path, &target, Int(PATH_MAX)) >= 0 else { return nil }
        return target.withUnsafeBufferPointer { String(validatingCString: $0.baseAddress!) }
    }

    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// Copies of files, complete or not at all.
extension FileOutput {
    /// Copies the contents of `source` to the new file `target` (mode 0600).
    /// - Parameters:
    ///   - isDurable: wait until the copy is on the disk.
    ///   - watch: handed the bytes as they are copied.
    /// - Returns: `source`, still open: closing a database that SQLite has open drops SQLite's locks on it.
    /// - Throws: `StoreError` naming the side that failed; a target that exists is not overwritten.
    @discardableResult
    package static func copy(
        _ source: String, to target: String, isDurable: Bool = true, watch: ([UInt8]) -> Void = { _ in }
    ) throws(StoreError) -> FileInput {
        let input = try FileInput(source)
        try FileOutput.create(target, isDurable: isDurable) { output throws(StoreError) in
            try copy(input, to: output, watch: watch)
        }
        return input
    }

    /// Copies a regular file like `copy`, and waits until the copy is on the disk.
    /// - Parameters:
    ///   - isReadOnly: whether the copy may only be read from then on (mode 0400).
    ///   - isInterruptible: whether it ends when the user asks to stop. What puts a store in order after that does not.
    /// - Returns: `source`, still open, and the digest of the bytes that were read from it.
    /// - Throws: `StoreError` naming the side that failed; a target that exists is not overwritten.
    package static func digestedCopy(
        _ source: String, to target: String, isReadOnly: Bool = false, isInterruptible: Bool = false
    ) throws(StoreError) -> (source: FileInput, digest: FileDigest) {
        let input = try FileInput(regular: source)
        var running = FileDigest.Running()
        try FileOutput.create(target, isReadOnly: isReadOnly) { output throws(StoreError) in
            try copy(input, to: output) { bytes throws(StoreError) in
                if isInterruptible { try Interruption.check(source) }
                running.add(bytes)
            }
        }
        return (input, running.digest)
    }

    private static func copy(
        _ input: FileInput, to output: FileOutput, watch: ([UInt8]) throws(StoreError) -> Void
    ) throws(StoreError) {
        while let bytes = try input.nextChunk() {
            try watch(bytes)
            try output.write(bytes[...])
            WorkProgress.advance(.bytes, by: bytes.count)
        }
    }

    /// Whether the bytes of one regular file are the first bytes of another. Neither may be open in SQLite in this process.
    /// - Throws: `StoreError` with the system's reason.
    package static func isBeginning(_ part: String, of whole: String) throws(StoreError) -> Bool {
        let input = try FileInput(regular: part)
        let other = try FileInput(regular: whole)
        while let bytes = try input.nextChunk() {
            var rest = bytes[...]
            while !rest.isEmpty {
                guard let same = try other.nextChunk(upTo: rest.count), rest.starts(with: same) else { return false }
                rest = rest.dropFirst(same.count)
            }
        }
        return true
    }

    /// Whether two regular files have the same bytes; a file that is not there has not those of any. Neither may be open in
    /// SQLite in this process.
    /// - Throws: `StoreError` with the system's reason.
    package static func isSame(_ one: String, _ other: String) throws(StoreError) -> Bool {
        func size(_ path: String) throws(StoreError) -> Int? {
            do { return try FileStatus(path: path)?.size } catch { throw error.storeError(at: path) }
        }
        guard let bytes = try size(one), try bytes == size(other) else { return false }
        return try isBeginning(one, of: other)
    }

    /// Writes a new file (mode 0600) and waits until it is on the disk.
    /// - Throws: `StoreError`; a file that exists is not overwritten.
    package static func write(_ bytes: [UInt8], to target: String) throws(StoreError) {
        try FileOutput.create(target) { output throws(StoreError) in try output.write(bytes[...]) }
    }

    /// Waits until the names in `folder` are on the disk.
    /// - Throws: `StoreError` with the system's reason.
    package static func synchronize(folder: String) throws(StoreError) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(code: errno).storeError(at: folder) }
        defer { close(descriptor) }
        try FileOutput.synchronize(descriptor, at: folder)
    }
}

extension FileOutput {
    /// How a file is about to grow.
    package struct Growth: Sendable {
        /// Bytes that it has.
        let size: Int
        /// Bytes that it gets.
        package let bytes: Int

        package init(from size: Int, by bytes: Int) {
            self.size = size
            self.bytes = bytes
        }
    }

    /// Makes sure that files may grow, all at once: takes the room for it in `folder`, and gives it back.
    /// - Throws: `FileError` where the disk, a quota or a limit on the size of files has no room. A file system that does
    ///   not give room away beforehand says nothing.
    package static func confirmRoom(for growths: [Growth], in folder: String) throws(FileError) {
        var taken: [String] = []
        defer { for path in taken { unlink(path) } }
        for (index, growth) in growths.enumerated() where growth.bytes > 0 {
            let path = "\(folder)/room-\(index)"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw FileError(code: errno) }
            defer { close(descriptor) }
            taken.append(path)
            let code = takeRoom(for: growth, descriptor)
            if [ENOSPC, EDQUOT, EFBIG].contains(code) { throw FileError(code: code) }
        }
    }

    /// - Returns: 0, or why there is no room.
    private static func takeRoom(for growth: Growth, _ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            // Where the file ends matters to a limit on its size.
            guard ftruncate(descriptor, off_t(growth.size + growth.bytes)) == 0 else { return errno }
            var store = fstore_t(
                fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: Int32(F_PEOFPOSMODE), fst_offset: 0,
                fst_length: off_t(growth.bytes), fst_bytesalloc: 0)
            return fcntl(descriptor, F_PREALLOCATE, &store) == -1 ? errno : 0
        #else
            var code: Int32
            repeat { code = posix_fallocate(descriptor, off_t(growth.size), off_t(growth.bytes)) } while code == EINTR
            return code
        #endif
    }
}
