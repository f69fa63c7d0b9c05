internal import Foundation

/// Copies of files, complete or not at all.
package enum FileCopy {
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
    /// - Parameter isReadOnly: whether the copy may only be read from then on (mode 0400).
    /// - Returns: `source`, still open, and the digest of the bytes that were read from it.
    /// - Throws: `StoreError` naming the side that failed; a target that exists is not overwritten.
    package static func digestedCopy(
        _ source: String, to target: String, isReadOnly: Bool = false
    ) throws(StoreError) -> (source: FileInput, digest: FileDigest) {
        let input = try FileInput(regular: source)
        var running = FileDigest.Running()
        try FileOutput.create(target, isReadOnly: isReadOnly) { output throws(StoreError) in
            try copy(input, to: output) { running.add($0) }
        }
        return (input, running.digest)
    }

    private static func copy(
        _ input: FileInput, to output: FileOutput, watch: ([UInt8]) -> Void
    ) throws(StoreError) {
        while let bytes = try input.nextChunk() {
            watch(bytes)
            try output.write(bytes[...])
            WorkProgress.advance(.bytes, by: bytes.count)
        }
    }

    /// Whether the bytes of one regular file are the first bytes of another. Neither may be open in SQLite in this process.
    /// - Throws: `StoreError` if one of them cannot be read or is not a regular file.
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

    /// Writes a new file (mode 0600) and waits until it is on the disk.
    /// - Throws: `StoreError`; a file that exists is not overwritten.
    package static func write(_ bytes: [UInt8], to target: String) throws(StoreError) {
        try FileOutput.create(target) { output throws(StoreError) in try output.write(bytes[...]) }
    }

    /// Waits until the names in `folder` are on the disk.
    /// - Throws: `StoreError`.
    package static func synchronize(folder: String) throws(StoreError) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(code: errno).storeError(at: folder) }
        defer { close(descriptor) }
        try DiskSync.wait(for: descriptor, at: folder)
    }
}
