internal import Foundation

/// A file that is read from start to end. It stays open as long as the value lives.
package final class FileInput: Sendable {
    /// Bytes read at a time by default: large buffers are slow to allocate, and most files are small.
    private static let chunk = 1 << 16

    private let descriptor: Int32
    /// What errors call it.
    private let name: String

    /// Opens a file. Not a database that SQLite has open in this process: closing the file again would drop SQLite's
    /// locks on it.
    /// - Throws: `StoreError`, `notFound` if there is no such file.
    package init(_ path: String) throws(StoreError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        name = path
        guard descriptor >= 0 else { throw FileError(code: errno).storeError(at: path) }
    }

    /// Opens a regular file and nothing else, and does not wait: a pipe or a device in its place could block the reader
    /// forever, and a symbolic link may lead anywhere. Not for a database that SQLite has open in this process, as
    /// above.
    /// - Throws: `StoreError`, `notFound` where there is nothing, `damaged` where it is anything else.
    package init(regular path: String) throws(StoreError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        name = path
        let code = errno
        var info = stat()
        guard descriptor >= 0 else {
            guard code != ENOENT && code != ENOTDIR else { throw StoreError(.notFound, at: path, "no such file") }
            guard lstat(path, &info) != 0 || info.st_mode & S_IFMT == S_IFREG else { throw Self.irregular(path) }
            throw FileError(code: code).storeError(at: path)
        }
        guard fstat(descriptor, &info) == 0 else { throw FileError(code: errno).storeError(at: path) }
        guard info.st_mode & S_IFMT == S_IFREG else { throw Self.irregular(path) }
    }

    private static func irregular(_ path: String) -> StoreError {
        StoreError(.damaged, at: path, "not a regular file")
    }

    /// Bytes of the whole file.
    /// - Throws: `StoreError`.
    package var size: Int {
        get throws(StoreError) {
            var info = stat()
            guard fstat(descriptor, &info) == 0 else { throw FileError(code: errno).storeError(at: name) }
            return Int(info.st_size)
        }
    }

    /// Standard input.
    /// - Throws: `StoreError` if it is closed.
    package init(standardInput name: String) throws(StoreError) {
        descriptor = dup(STDIN_FILENO)
        self.name = name
        guard descriptor >= 0 else { throw FileError(code: errno).storeError(at: name) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next bytes, at least one of them; nil at the end.
    /// - Throws: `StoreError` if the file cannot be read.
    package func nextChunk(upTo count: Int = chunk) throws(StoreError) -> [UInt8]? {
        while true {
            var error: FileError?
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                let count = read(descriptor, buffer.baseAddress, count)
                if count < 0 { error = FileError(code: errno) }
                filled = max(0, count)
            }
            guard let error else { return bytes.isEmpty ? nil : bytes }
            if error.code == EINTR { continue }
            throw error.storeError(at: name)
        }
    }

    /// All bytes to the end; nil where there are more than `limit`.
    /// - Parameter expected: how many bytes there may be.
    /// - Throws: `StoreError`, also where the user asked to stop: a pipe may never end.
    package func bytes(limit: Int, expected: Int = 0) throws(StoreError) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(max(0, expected), limit))
        while let chunk = try nextChunk() {
            guard chunk.count <= limit - bytes.count else { return nil }
            bytes += chunk
            try Interruption.check(name)
        }
        return bytes
    }
}

/// The first bytes of a file.
enum FileBeginning {
    /// Reads `count` bytes, or as many as there are; nil where the file cannot be read. Does not wait for a pipe.
    ///
    /// Not for the main file of a store that SQLite has open in this process: closing it drops SQLite's locks on it.
    static func read(_ path: String, count: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard read >= 0 else { return nil }
        return Array(bytes.prefix(read))
    }
}
