internal import Foundation

/// Copies of files, whole or not at all.
package enum FileCopy {
    /// A file that was read and is still open; closed with the value.
    package final class OpenFile: Sendable {
        fileprivate let descriptor: Int32

        init(reading path: String) throws(StoreError) {
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw FileFault(code: errno).storeError(at: path) }
        }

        deinit { close(descriptor) }
    }

    /// Bytes read and written at a time. To clear a buffer of a megabyte takes longer than to copy a small store.
    private static let chunk = 1 << 16

    /// Copies the contents of `source` to the new file `target` (mode 0600).
    /// - Parameter isDurable: wait until the copy is on the disk.
    /// - Returns: `source`, still open: closing a database that SQLite has open drops SQLite's locks on it.
    /// - Throws: `StoreError` naming the side that failed; a target that exists is not overwritten.
    @discardableResult
    package static func copy(
        _ source: String, to target: String, isDurable: Bool = true
    ) throws(StoreError) -> OpenFile {
        let input = try OpenFile(reading: source)
        try FileOutput.create(target, isDurable: isDurable) { output throws(StoreError) in
            try forEachChunk(of: input, at: source) { bytes throws(StoreError) in
                try output.write(bytes)
            }
        }
        return input
    }

    /// Copies like `copy`, and waits until the copy is on the disk.
    /// - Returns: `source`, still open, and the digest of the bytes that were read from it.
    package static func digestedCopy(
        _ source: String, to target: String
    ) throws(StoreError) -> (source: OpenFile, digest: FileDigest) {
        let input = try OpenFile(reading: source)
        var running = FileDigest.Running()
        try FileOutput.create(target) { output throws(StoreError) in
            try forEachChunk(of: input, at: source) { bytes throws(StoreError) in
                running.add(bytes)
                try output.write(bytes)
            }
        }
        return (input, running.digest)
    }

    /// Whether the bytes of one file are the first bytes of another. Neither may be open in SQLite in this process.
    package static func isBeginning(_ part: String, of whole: String) throws(StoreError) -> Bool {
        let other = try OpenFile(reading: whole)
        var isEqual = true
        var rest = [UInt8](repeating: 0, count: chunk)
        try forEachChunk(of: try OpenFile(reading: part), at: part) { bytes throws(StoreError) in
            var filled = 0
            while isEqual, filled < bytes.count {
                let count = rest.withUnsafeMutableBytes { buffer in
                    Foundation.read(other.descriptor, buffer.baseAddress! + filled, bytes.count - filled)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    isEqual = false
                    return
                }
                filled += count
            }
            isEqual = isEqual && rest[..<bytes.count] == bytes
        }
        return isEqual
    }

    /// Hands the bytes of a file to `body`, from the first to the last. Not for a database that SQLite has open in this
    /// process: closing the file again would drop SQLite's locks on it.
    /// - Throws: `StoreError` where it cannot be read, and what `body` throws.
    package static func forEachChunk(of path: String, _ body: (ArraySlice<UInt8>) throws -> Void) throws {
        let input = try OpenFile(reading: path)
        var buffer = [UInt8](repeating: 0, count: chunk)
        while case let count = try read(input, at: path, into: &buffer), count > 0 { try body(buffer[..<count]) }
    }

    /// Reads from where the file stands to its end.
    static func forEachChunk(
        of input: OpenFile, at path: String, _ body: (ArraySlice<UInt8>) throws(StoreError) -> Void
    ) throws(StoreError) {
        var buffer = [UInt8](repeating: 0, count: chunk)
        while case let count = try read(input, at: path, into: &buffer), count > 0 { try body(buffer[..<count]) }
    }

    /// - Returns: the number of bytes; 0 at the end.
    private static func read(
        _ input: OpenFile, at path: String, into buffer: inout [UInt8]
    ) throws(StoreError) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { Foundation.read(input.descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            guard errno == EINTR else { throw FileFault(code: errno).storeError(at: path) }
        }
    }

    /// Writes a new file (mode 0600) and waits until it is on the disk.
    package static func write(_ bytes: [UInt8], to target: String) throws(StoreError) {
        try FileOutput.create(target) { output throws(StoreError) in try output.write(bytes[...]) }
    }

    /// Writes the bytes of the file `source`, with others in the place of those in `range`.
    package static func splice(
        _ source: String, _ range: Range<Int>, _ bytes: [UInt8], into output: FileOutput
    ) throws(StoreError) {
        var position = 0
        try forEachChunk(of: try OpenFile(reading: source), at: source) { chunk throws(StoreError) in
            let end = position + chunk.count
            func write(_ part: Range<Int>) throws(StoreError) {
                let part = part.clamped(to: position..<end)
                try output.write(chunk[part.lowerBound - position..<part.upperBound - position])
            }
            try write(0..<range.lowerBound)
            if (position..<end).contains(range.lowerBound) { try output.write(bytes[...]) }
            try write(range.upperBound..<max(range.upperBound, end))
            position = end
        }
    }

    /// Waits until the names in `folder` are on the disk.
    package static func synchronize(folder: String) throws(StoreError) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault(code: errno).storeError(at: folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFault(code: errno).storeError(at: folder) }
    }
}
