internal import Digests
internal import Foundation

/// A file that is read from start to end. It stays open as long as the value lives.
package final class FileInput: Sendable {
    /// Bytes read at a time by default: large buffers are slow to allocate, and most files are small.
    private static let chunk = 1 << 16

    let descriptor: Int32
    /// What errors call it.
    private let name: String

    /// Opens a file. Not a database that SQLite has open in this process: closing the file again would drop SQLite's
    /// locks on it.
    /// - Throws: `StoreError` with the system's reason.
    package init(_ path: String, isWritable: Bool = false) throws(StoreError) {
        // A pipe waits for its other end.
        descriptor = Interruption.waiting { open(path, (isWritable ? O_RDWR : O_RDONLY) | O_CLOEXEC) }
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
    /// - Throws: SQLite's errors.
    package var size: Int {
        get throws(StoreError) {
            var info = stat()
            guard fstat(descriptor, &info) == 0 else { throw FileError(code: errno).storeError(at: name) }
            return Int(info.st_size)
        }
    }

    /// Standard input.
    /// - Throws: `StoreError` with the system's reason.
    package init(standardInput name: String) throws(StoreError) {
        descriptor = dup(STDIN_FILENO)
        self.name = name
        guard descriptor >= 0 else { throw FileError(code: errno).storeError(at: name) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next bytes, at least one of them; nil at the end.
    /// - Throws: `StoreError` with the system's reason.
    package func nextChunk(upTo count: Int = chunk) throws(StoreError) -> [UInt8]? {
        var error: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let count = Interruption.waiting { read(descriptor, buffer.baseAddress, count) }
            if count < 0 { error = FileError(code: errno) }
            filled = max(0, count)
        }
        if let error { throw error.storeError(at: name) }
        return bytes.isEmpty ? nil : bytes
    }

    /// Bytes from anywhere in the file, or as many of them as there are.
    /// - Throws: `StoreError` with the system's reason.
    package func bytes(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
        try StoreError.at(name) { try Self.bytes(from: descriptor, at: offset, count: count) }
    }

    /// Bytes from anywhere in an open file, or as many of them as there are.
    static func bytes(from descriptor: Int32, at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var error: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(FileError) {
                filled = try fill(UnsafeMutableRawBufferPointer(buffer), from: descriptor, at: offset)
            } catch let fault {
                error = fault
            }
        }
        if let error { throw error }
        return bytes
    }

    /// Fills a buffer with bytes from anywhere in the file, or with as many of them as there are.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileError) -> Int {
        try Self.fill(buffer, from: descriptor, at: offset)
    }

    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
    ) throws(FileError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = pread(descriptor, buffer.baseAddress! + filled, buffer.count - filled, off_t(offset + filled))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(code: errno) }
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    /// All bytes to the end; nil where there are more than `limit`.
    /// - Parameter expected: how many bytes there may be.
    /// - Throws: `StoreError` with the system's reason.
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

extension FileInput {
    /// The first `count` bytes of a file, or as many as there are; nil where it cannot be read. Does not wait for a pipe.
    ///
    /// Not for the main file of a store that SQLite has open in this process: closing it drops SQLite's locks on it.
    static func beginning(of path: String, count: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return try? bytes(from: descriptor, at: 0, count: count)
    }

    /// Whether a file has zeros in all of its bytes. One with holes may say any size: of a huge one it is not asked.
    /// - Parameter beginning: its first bytes.
    static func hasOnlyZeros(_ path: String, beginning: [UInt8]) throws(StoreError) -> Bool {
        guard !beginning.isEmpty, beginning.allSatisfy({ $0 == 0 }) else { return false }
        let input = try FileInput(path)
        guard try input.size <= mostZeros else { return false }
        while let chunk = try input.nextChunk(upTo: 1 << 20) {
            guard chunk.allSatisfy({ $0 == 0 }) else { return false }
            try Interruption.check(path)
        }
        return true
    }

    /// No store of an app comes near it.
    private static let mostZeros = 1 << 32
}

/// The lines of a file, one after the other. However large the file is, no more than a line of it is held.
package struct FileLines {
    private let input: FileInput
    private let path: String
    private let longest: Int
    private var chunk: [UInt8] = []
    /// Where in the chunk the next line begins.
    private var position = 0
    /// Of the line that was read last, counted from 1; 0 before the first.
    package private(set) var number = 0

    package init(_ input: FileInput, at path: String, longest: Int) {
        self.input = input
        self.path = path
        self.longest = longest
    }

    /// The next line without its line feed; nil at the end of the file. The last line needs no line feed.
    /// - Throws: `StoreError` where the file cannot be read or the user asked to stop, `damaged` for a line that is too
    ///   long.
    package mutating func next() throws(StoreError) -> [UInt8]? {
        var line: [UInt8] = []
        var hasEnded = false
        while !hasEnded {
            if position == chunk.count {
                try Interruption.check(path)
                guard let bytes = try input.nextChunk() else { break }
                chunk = bytes
                position = 0
            }
            let end = lineEnd
            guard line.count + (end ?? chunk.count) - position <= longest else {
                throw StoreError(.damaged, at: path, "line \(number + 1) has more than \(longest >> 20) MiB")
            }
            line += chunk[position..<(end ?? chunk.count)]
            position = end.map { $0 + 1 } ?? chunk.count
            hasEnded = end != nil
        }
        guard hasEnded || !line.isEmpty else { return nil }
        number += 1
        return line
    }

    /// Where in the chunk the line ends that is being read; nil where that is in a later one.
    private var lineEnd: Int? {
        chunk.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let feed = memchr(start + position, CInt(UInt8(ascii: "\n")), bytes.count - position)
            else { return nil }
            return UnsafeRawPointer(feed) - start
        }
    }
}

/// A file's size and the SHA-256 of its bytes: two files with equal digests are equal byte for byte.
package struct FileDigest: Hashable, Sendable {
    /// Bytes.
    package let size: Int
    package let sha256: [UInt8]

    package init(size: Int, sha256: [UInt8]) {
        self.size = size
        self.sha256 = sha256
    }

    /// Reads the whole file, a regular one. Not for a database that SQLite has open in this process: closing the file
    /// again would drop SQLite's locks on it.
    /// - Throws: `StoreError` with the system's reason.
    package init(of path: String) throws(StoreError) { try self.init(FileInput(regular: path)) }

    /// Reads the rest of a file.
    /// - Throws: `StoreError` with the system's reason.
    package init(_ input: FileInput) throws(StoreError) {
        var running = Running()
        while let bytes = try input.nextChunk() {
            running.add(bytes)
            WorkProgress.advance(.bytes, by: bytes.count)
        }
        self = running.digest
    }

    /// A digest in the making.
    struct Running {
        private var hash = SHA256Hasher()
        private var size = 0

        mutating func add(_ bytes: [UInt8]) {
            size += bytes.count
            hash.update(bytes)
        }

        var digest: FileDigest { FileDigest(size: size, sha256: hash.finalize()) }
    }
}
