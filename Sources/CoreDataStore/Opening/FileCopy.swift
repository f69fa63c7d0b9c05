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
        try create(target, isDurable: isDurable) { output throws(StoreError) in
            try forEachChunk(of: input, at: source) { bytes throws(StoreError) in
                try write(bytes, to: output, at: target)
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
        try create(target, isDurable: true) { output throws(StoreError) in
            try forEachChunk(of: input, at: source) { bytes throws(StoreError) in
                running.add(bytes)
                try write(bytes, to: output, at: target)
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
                    read(other.descriptor, buffer.baseAddress! + filled, bytes.count - filled)
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

    /// Reads from where the file stands to its end.
    static func forEachChunk(
        of input: OpenFile, at path: String, _ body: (ArraySlice<UInt8>) throws(StoreError) -> Void
    ) throws(StoreError) {
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(input.descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw FileFault(code: errno).storeError(at: path)
            }
            try body(buffer[..<count])
        }
    }

    /// Writes a new file (mode 0600) and waits until it is on the disk.
    package static func write(_ bytes: [UInt8], to target: String) throws(StoreError) {
        try create(target, isDurable: true) { output throws(StoreError) in
            try write(bytes[...], to: output, at: target)
        }
    }

    /// Waits until the names in `folder` are on the disk.
    package static func synchronize(folder: String) throws(StoreError) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault(code: errno).storeError(at: folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFault(code: errno).storeError(at: folder) }
    }

    private static func create(
        _ target: String, isDurable: Bool, _ fill: (Int32) throws(StoreError) -> Void
    ) throws(StoreError) {
        let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw FileFault(code: errno).storeError(at: target) }
        defer { close(output) }
        do throws(StoreError) {
            try fill(output)
            guard !isDurable || fsync(output) == 0 else { throw FileFault(code: errno).storeError(at: target) }
        } catch {
            // The file was made here: half of it is worth nothing.
            unlink(target)
            throw error
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to output: Int32, at target: String) throws(StoreError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
            guard written >= 0 else {
                if errno == EINTR { continue }
                throw FileFault(code: errno).storeError(at: target)
            }
            rest = rest.dropFirst(written)
        }
    }
}
