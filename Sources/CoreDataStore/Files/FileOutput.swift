internal import Foundation

/// A file that is being written.
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
            if isDurable { try DiskSync.wait(for: descriptor, at: path) }
        } catch {
            // The file was created here, and half of it is useless.
            unlink(path)
            throw error
        }
    }

    /// Writes all of the bytes.
    /// - Throws: `StoreError`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        if let error = error(ofWriting: bytes) { throw error.storeError(at: path) }
    }

    /// Writes all of the bytes.
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

/// The one way in which meterfix waits for the disk where it writes files itself.
enum DiskSync {
    /// Waits until everything that was written to an open file, or every name in an open folder, is on the disk.
    ///
    /// On a Mac `fsync` passes the data to the drive, which may keep them in its memory and write them in another
    /// order; `F_FULLFSYNC` waits for the drive too (the manual page of fsync(2) there). Not every file system has it:
    /// then `fsync` is all there is, as in SQLite itself.
    /// - Parameter path: of the file or folder, for the error.
    static func wait(for descriptor: Int32, at path: String) throws(StoreError) {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw FileError(code: errno).storeError(at: path) }
    }
}
