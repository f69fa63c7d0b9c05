internal import Foundation

/// Copies of files, whole or not at all.
package enum FileCopy {
    /// A file that was read and is still open; closed with the value.
    package final class OpenFile: Sendable {
        fileprivate let descriptor: Int32

        fileprivate init(descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }

    /// Bytes read and written at a time.
    private static let chunk = 1 << 20

    /// Copies the contents of `source` to the new file `target` (mode 0600).
    /// - Parameter isDurable: wait until the copy is on the disk.
    /// - Returns: `source`, still open: closing a database that SQLite has open drops SQLite's locks on it.
    /// - Throws: `StoreError` naming the side that failed; a target that exists is not overwritten.
    @discardableResult
    package static func copy(
        _ source: String, to target: String, isDurable: Bool = true
    ) throws(StoreError) -> OpenFile {
        let descriptor = open(source, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault(code: errno).storeError(at: source) }
        let input = OpenFile(descriptor: descriptor)
        try create(target, isDurable: isDurable) { output throws(StoreError) in
            var buffer = [UInt8](repeating: 0, count: chunk)
            while true {
                let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
                if count == 0 { return }
                guard count > 0 else {
                    if errno == EINTR { continue }
                    throw FileFault(code: errno).storeError(at: source)
                }
                try write(buffer[..<count], to: output, at: target)
            }
        }
        return input
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
