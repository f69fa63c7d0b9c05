internal import Foundation

/// The main file of a store that is not open in this process, under SQLite's exclusive lock but without SQLite, for
/// changes that SQLite cannot make. Whoever opens the store finds it in use as long as the value lives.
///
/// SQLite locks bytes from 2^30 on: one PENDING, one RESERVED and 510 SHARED
/// (https://www.sqlite.org/fileformat2.html#the_lock_byte_page and SQLite's os.h). The locks belong to the process:
/// while the value lives, this process must not close the file anywhere else.
package final class LockedFile: Sendable {
    private let descriptor: Int32
    private let path: String

    /// - Throws: `StoreError`, `inUse` where another process has a lock on it.
    package init(_ path: String) throws(StoreError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(code: errno).storeError(at: path) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0000
        lock.l_len = 512
        guard fcntl(descriptor, F_SETLK, &lock) == 0 else {
            let code = errno
            guard code == EACCES || code == EAGAIN else { throw FileError(code: code).storeError(at: path) }
            throw StoreError(.inUse, at: path, "another process has the store open")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Bytes.
    /// - Throws: `StoreError`.
    package func size() throws(StoreError) -> Int {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw FileError(code: errno).storeError(at: path) }
        return Int(info.st_size)
    }

    /// Up to `count` bytes from `offset` on; fewer at the end of the file.
    /// - Throws: `StoreError`.
    package func read(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
        var error: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let part = pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
                if part < 0, errno == EINTR { continue }
                if part < 0 { error = FileError(code: errno) }
                guard part > 0 else { return }
                filled += part
            }
        }
        if let error { throw error.storeError(at: path) }
        return bytes
    }

    /// Writes all of the bytes at `offset`.
    /// - Throws: `StoreError`.
    package func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(StoreError) {
        let error = bytes.withUnsafeBytes { buffer -> FileError? in
            var written = 0
            while written < buffer.count {
                let part = pwrite(
                    descriptor, buffer.baseAddress! + written, buffer.count - written, off_t(offset + written))
                if part < 0, errno == EINTR { continue }
                guard part > 0 else { return FileError(code: part < 0 ? errno : EIO) }
                written += part
            }
            return nil
        }
        if let error { throw error.storeError(at: path) }
    }

    /// Truncates the file to `size` bytes and waits until all of it is on the disk.
    /// - Throws: `StoreError`.
    package func finish(size: Int) throws(StoreError) {
        guard try self.size() == size || ftruncate(descriptor, off_t(size)) == 0 else {
            throw FileError(code: errno).storeError(at: path)
        }
        try DiskSync.wait(for: descriptor, at: path)
    }
}
