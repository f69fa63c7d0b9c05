internal import Foundation

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
