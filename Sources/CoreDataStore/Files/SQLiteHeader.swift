internal import Foundation

/// The first 100 bytes of a SQLite database file, as far as meterfix needs them
/// (https://www.sqlite.org/fileformat2.html#the_database_header).
package struct SQLiteHeader: Hashable, Sendable {
    /// What every database begins with.
    static let magic = Array("SQLite format 3\u{0}".utf8)

    /// Bytes.
    package let pageSize: Int
    /// Bytes 18 and 19 are 2 in a WAL database, 1 in one with a rollback journal.
    package let isWAL: Bool
    /// Byte 18. A file with more than 2, the newest version there is, is read-only.
    package let writeVersion: UInt8
    /// Pages the file had when the header was last written; 0 where an old writer left it.
    package let pageCount: Int
    /// Its offset: four bytes, big-endian.
    static let pageCountOffset = 28

    /// - Parameters:
    ///   - size: of the file, in bytes.
    ///   - beginning: its first 100 bytes, or as many as there are; nil where they could not be read.
    ///   - hasLog: whether a `-wal` or `-journal` with contents lies beside it; the file may then be short.
    /// - Throws: `StoreError` where the bytes are not those of a whole database file.
    init(path: String, size: Int, _ beginning: [UInt8]?, hasLog: Bool) throws(StoreError) {
        // Nothing of SQLite is open yet, so closing drops no lock of ours. (Once more it says why it cannot be read.)
        let bytes = if let beginning { beginning } else { try FileInput(path).bytes(at: 0, count: 100) }
        guard bytes.starts(with: Self.magic), bytes.count == 100 else {
            if size == 0 {
                // Everything is in the WAL; a private copy puts it together.
                (pageSize, isWAL, writeVersion, pageCount) = (4096, true, 2, 0)
                return
            }
            if try FileInput.hasOnlyZeros(path, beginning: bytes) {
                throw StoreError(
                    .damaged, at: path, "nothing but zeros, \(size) bytes: a copy that was begun and never filled",
                    hint: "ask for the store again; a file that iCloud Drive has not downloaded can come like this")
            }
            let kind = FileKind(of: bytes)
            throw StoreError(
                .damaged, at: path, "not a SQLite database\(kind.map { " but \($0.name)" } ?? "")",
                hint: kind?.advice ?? FileKind.askForStore, orRecover: kind == nil)
        }
        let rawPageSize = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = rawPageSize == 1 ? 65_536 : rawPageSize
        isWAL = bytes[18] == 2 || bytes[19] == 2
        writeVersion = bytes[18]
        // The change counter, and what it was when the number of pages was written.
        let isPageCountValid = bytes.bigEndian(at: 24) == bytes.bigEndian(at: 92)
        pageCount = isPageCountValid ? Int(bytes.bigEndian(at: Self.pageCountOffset)) : 0
        guard pageSize >= 512, pageSize.nonzeroBitCount == 1 else {
            throw StoreError(
                .damaged, at: path, "a database header with the impossible page size \(pageSize)",
                hint: StoreError.hintOnDamage, orRecover: true)
        }
        if !hasLog, pageCount * pageSize > size {
            throw StoreError(
                .damaged, at: path,
                "truncated: its header says \(pageCount) pages of \(pageSize) bytes, the file has \(size) bytes",
                hint: "ask for the store again; a transfer was cut short, or the -wal file is missing", orRecover: true)
        }
    }
}

extension [UInt8] {
    /// The number in four bytes, the largest first, as SQLite's files have it.
    func bigEndian(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
