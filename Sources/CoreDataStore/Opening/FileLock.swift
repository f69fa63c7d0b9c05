internal import Foundation

/// SQLite's exclusive lock on a database file, held without SQLite: for a file that is whole, and is about to be given a
/// store's name. Whoever opens it under that name finds it in use until the value is gone.
///
/// SQLite locks bytes from 2^30 on: one PENDING, one RESERVED and 510 SHARED
/// (https://www.sqlite.org/fileformat2.html#the_lock_byte_page and SQLite's os.h).
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `StoreError`, `inUse` where another process has a lock on it.
    package init(on path: String) throws(StoreError) {
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault(code: errno).storeError(at: path) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0000
        lock.l_len = 512
        guard fcntl(descriptor, F_SETLK, &lock) == 0 else {
            let code = errno
            guard code == EACCES || code == EAGAIN else { throw FileFault(code: code).storeError(at: path) }
            throw StoreError(.inUse, at: path, "another process has the store open")
        }
    }

    deinit { close(descriptor) }
}
