internal import Foundation

/// The main file of a store that is not open in this process, under SQLite's exclusive lock but without SQLite, for
/// changes that SQLite cannot make. Whoever opens the store finds it in use as long as the value lives.
///
/// SQLite locks bytes from 2^30 on: one PENDING, one RESERVED and 510 SHARED
/// (https://www.sqlite.org/fileformat2.html#the_lock_byte_page and SQLite's os.h). The locks belong to the process:
/// while the value lives, this process must not close the file anywhere else.
package final class LockedFile: Sendable {
    private let file: FileInput
    private let path: String
    private var descriptor: Int32 { file.descriptor }

    /// - Throws: `StoreError`, `inUse` where another process has a lock on it.
    package init(_ path: String) throws(StoreError) {
        self.path = path
        file = try FileInput(path, isWritable: true)
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0000
        lock.l_len = 512
        guard fcntl(file.descriptor, F_SETLK, &lock) == 0 else {
            let code = errno
            guard code == EACCES || code == EAGAIN else { throw FileError(code: code).storeError(at: path) }
            throw StoreError(.inUse, at: path, "another process has the store open")
        }
    }

    /// - Throws: `StoreError` with the system's reason.
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
    /// - Throws: `StoreError` with the system's reason.
    package func finish(size: Int) throws(StoreError) {
        guard try file.size == size || ftruncate(descriptor, off_t(size)) == 0 else {
            throw FileError(code: errno).storeError(at: path)
        }
        try FileOutput.synchronize(descriptor, at: path)
    }
}

/// Compares and writes whole main files without SQLite.
extension LockedFile {
    /// Bytes compared, and written, at a time.
    private static let chunk = 1 << 16
    /// Bytes that a disk writes whole or not at all.
    private static let sector = 512

    /// Whether this main file has the same pages as the one at `path`. SQLite's change counters are ignored.
    /// - Throws: `StoreError` with the system's reason.
    package func hasSameContents(as path: String) throws(StoreError) -> Bool {
        let other = try FileInput(regular: path)
        var offset = 0
        while var theirs = try other.nextChunk(upTo: Self.chunk) {
            var ours = try file.bytes(at: offset, count: theirs.count)
            guard ours.count == theirs.count else { return false }
            if offset == 0 { SQLiteHeader.clearBookkeeping(of: &ours, &theirs) }
            guard ours == theirs else { return false }
            offset += theirs.count
        }
        return try file.size == offset
    }

    /// Makes the bytes equal to those of the main file at `path`, and waits until they are on the disk.
    ///
    /// If that file has a rollback journal, this one keeps its own counters: a process that holds no lock uses them to
    /// tell whether its cache of the file is still valid (https://www.sqlite.org/fileformat2.html#file_change_counter).
    /// - Throws: `StoreError` with the system's reason.
    package func write(bytesOf path: String) throws(StoreError) {
        let other = try FileInput(regular: path)
        var offset = 0
        while var theirs = try other.nextChunk(upTo: Self.chunk) {
            let ours = try file.bytes(at: offset, count: theirs.count)
            if offset == 0 { SQLiteHeader.keepCounters(of: ours, in: &theirs) }
            for start in stride(from: 0, to: theirs.count, by: Self.sector) {
                let sector = start..<min(start + Self.sector, theirs.count)
                if sector.upperBound > ours.count || ours[sector] != theirs[sector] {
                    try write(theirs[sector], at: offset + start)
                }
            }
            offset += theirs.count
        }
        try finish(size: offset)
    }
}

extension SQLiteHeader {
    /// SQLite's counters: one for each change, one for each change of the schema, and a copy of the first from when it
    /// last wrote the number of pages, with its own version.
    private static let counters = [24..<28, 40..<44, 92..<100]
    /// The two bytes that tell the journal mode.
    private static let journalMode = 18..<20

    /// Makes the headers of two main files equal in everything that is not part of the contents.
    fileprivate static func clearBookkeeping(of first: inout [UInt8], _ second: inout [UInt8]) {
        for range in counters + [journalMode] where range.upperBound <= min(first.count, second.count) {
            for index in range { (first[index], second[index]) = (0, 0) }
        }
    }

    /// Replaces the counters of a main file that has a rollback journal by those of another.
    fileprivate static func keepCounters(of first: [UInt8], in second: inout [UInt8]) {
        guard second.count >= 100, first.count >= 100, second[journalMode.lowerBound] == 1 else { return }
        for range in counters { second.replaceSubrange(range, with: first[range]) }
    }
}
