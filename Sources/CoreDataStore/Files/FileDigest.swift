internal import Crypto
internal import Foundation

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
    /// - Throws: `StoreError` where it cannot be read.
    package init(of path: String) throws(StoreError) { try self.init(FileInput(regular: path)) }

    /// Reads the rest of a file.
    /// - Throws: `StoreError` if it cannot be read.
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
        private var hash = SHA256()
        private var size = 0

        mutating func add(_ bytes: [UInt8]) {
            size += bytes.count
            bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        }

        var digest: FileDigest { FileDigest(size: size, sha256: Array(hash.finalize())) }
    }
}
