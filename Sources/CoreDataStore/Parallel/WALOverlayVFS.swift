internal import Foundation
private import GRDB
private import GRDBSQLite

/// A file system for SQLite (https://www.sqlite.org/vfs.html) in which the main file of a store has the pages of a
/// transaction that is not committed yet. Other connections can read through it, on other threads, what otherwise only
/// the transaction's own connection sees. All else it leaves to SQLite's own file system, the opening of the main file
/// too: that knows which locks this process has on it, and keeps them.
final class WALOverlayVFS: @unchecked Sendable {
    /// For the `vfs` of a URI.
    let name = "meterfix-\(UUID().uuidString)"
    private let log: WALFrameIndex
    private let system: UnsafeMutablePointer<sqlite3_vfs>
    private let standard: UnsafeMutablePointer<sqlite3_vfs>

    /// What SQLite takes for a file of ours; the one of SQLite's own file system follows in memory.
    private struct File {
        var base: sqlite3_file
        /// Of the main file only.
        let system: Unmanaged<WALOverlayVFS>
    }

    /// - Returns: nil where SQLite has no file system of its own.
    init?(of log: WALFrameIndex) {
        guard let standard = sqlite3_vfs_find(nil) else { return nil }
        self.log = log
        self.standard = standard
        system = .allocate(capacity: 1)
        system.initialize(to: standard.pointee)
        system.pointee.pNext = nil
        system.pointee.zName = UnsafePointer(strdup(name))
        system.pointee.szOsFile += Int32(MemoryLayout<File>.stride)
        system.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        system.pointee.xOpen = { system, name, file, flags, flagsOut in
            guard let system, let file else { return SQLITE_CANTOPEN }
            return Unmanaged<WALOverlayVFS>.fromOpaque(system.pointee.pAppData).takeUnretainedValue()
                .open(name, file, flags, flagsOut)
        }
        sqlite3_vfs_register(system, 0)
    }

    /// Every connection that uses it must be closed.
    deinit {
        sqlite3_vfs_unregister(system)
        free(UnsafeMutableRawPointer(mutating: system.pointee.zName))
        system.deallocate()
    }

    private func open(
        _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
        _ flagsOut: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        // What SQLite has to sort may go into a file of its own.
        guard flags & SQLITE_OPEN_MAIN_DB != 0 else {
            return standard.pointee.xOpen(standard, name, file, flags, flagsOut)
        }
        let own = UnsafeMutableRawPointer(file).bindMemory(to: File.self, capacity: 1)
        own.initialize(to: File(base: sqlite3_file(pMethods: nil), system: .passUnretained(self)))
        let under = Self.fileUnder(file)
        let code = standard.pointee.xOpen(standard, name, under, flags, flagsOut)
        guard code == SQLITE_OK else {
            if let methods = under.pointee.pMethods { _ = methods.pointee.xClose(under) }
            return code
        }
        own.pointee.base.pMethods = UnsafePointer(Self.methods)
        return SQLITE_OK
    }

    private static func fileUnder(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
        (UnsafeMutableRawPointer(file) + MemoryLayout<File>.stride).assumingMemoryBound(to: sqlite3_file.self)
    }

    private static func log(of file: UnsafeMutablePointer<sqlite3_file>) -> WALFrameIndex {
        UnsafeMutableRawPointer(file).assumingMemoryBound(to: File.self).pointee.system.takeUnretainedValue().log
    }

    /// Of the main file. It is opened as one that does not change, so most of them are never called.
    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        methods.xClose = { file in
            guard let file else { return SQLITE_OK }
            let under = fileUnder(file)
            return under.pointee.pMethods.pointee.xClose(under)
        }
        methods.xRead = { file, buffer, count, offset in
            guard let file, let buffer else { return ResultCode.SQLITE_IOERR_READ.rawValue }
            return read(file, UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), at: Int(offset))
        }
        methods.xWrite = { _, _, _, _ in SQLITE_READONLY }
        methods.xTruncate = { _, _ in SQLITE_READONLY }
        methods.xSync = { _, _ in SQLITE_OK }
        methods.xFileSize = { file, size in
            guard let file, let size else { return ResultCode.SQLITE_IOERR_FSTAT.rawValue }
            let log = log(of: file)
            size.pointee = Int64(log.pageCount) * Int64(log.pageSize)
            return SQLITE_OK
        }
        methods.xLock = { _, _ in SQLITE_OK }
        methods.xUnlock = { _, _ in SQLITE_OK }
        methods.xCheckReservedLock = { _, isReserved in
            isReserved?.pointee = 0
            return SQLITE_OK
        }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in 4096 }
        methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_IMMUTABLE }
        let place = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        place.initialize(to: methods)
        return place
    }()

    /// SQLite reads pages, and the first bytes of the first one.
    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) -> Int32 {
        let log = log(of: file)
        guard offset % log.pageSize + buffer.count <= log.pageSize else { return ResultCode.SQLITE_IOERR_READ.rawValue }
        let code: Int32
        if log.holds(pageAt: offset) {
            code = log.read(buffer, at: offset) ? SQLITE_OK : ResultCode.SQLITE_IOERR_READ.rawValue
        } else {
            let under = fileUnder(file)
            code = under.pointee.pMethods.pointee.xRead(under, buffer.baseAddress, Int32(buffer.count), Int64(offset))
        }
        // The first page goes into the log with the commit. Of what is in it, only the number of pages differs where
        // the schema does not.
        if code == SQLITE_OK, offset == 0, buffer.count >= SQLiteHeader.pageCountOffset + 4 {
            buffer.storeBytes(
                of: UInt32(log.pageCount).bigEndian, toByteOffset: SQLiteHeader.pageCountOffset, as: UInt32.self)
        }
        return code
    }
}
