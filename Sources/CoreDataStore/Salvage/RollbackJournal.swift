/// A rollback journal whose transaction did not end: the pages as they were before it
/// (https://www.sqlite.org/fileformat2.html#the_rollback_journal). What the main file has of them may be half written.
struct RollbackJournal {
    private let file: FileInput
    private let pageSize: Int
    /// Where the contents of each page are, in bytes from the start.
    private let offsets: [UInt32: Int]
    /// Pages of the store before the transaction.
    let pageCount: UInt32

    static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Nil for a journal whose transaction ended, or one that no page can be read of.
    init?(at path: String, shownAs shownPath: String) throws(StoreError) {
        let file = try FileInput(path)
        let size = try file.size
        var offsets: [UInt32: Int] = [:]
        var first: (pages: UInt32, pageSize: Int)?
        var start = 0
        while start + 28 <= size {
            let header = try file.bytes(at: start, count: 28)
            guard header.count == 28, header.starts(with: Self.magic) else { break }
            let (nonce, sector) = (header.bigEndian(at: 12), Int(header.bigEndian(at: 20)))
            let pageSize = first?.pageSize ?? Int(header.bigEndian(at: 24))
            guard (512...65_536).contains(pageSize), pageSize.nonzeroBitCount == 1, (32...65_536).contains(sector)
            else {
                break
            }
            first = first ?? (header.bigEndian(at: 16), pageSize)
            let written = header.bigEndian(at: 8)
            var offset = start + sector
            var count = written == .max ? (size - offset) / (pageSize + 8) : Int(written)
            while count > 0, offset + pageSize + 8 <= size {
                let record = try file.bytes(at: offset, count: pageSize + 8)
                guard record.count == pageSize + 8, Self.isWhole(record, nonce: nonce) else { break }
                let page = record.bigEndian(at: 0)
                // The first version is the one from before the transaction.
                if page > 0, offsets[page] == nil { offsets[page] = offset + 4 }
                offset += pageSize + 8
                count -= 1
                if count & 0xFFF == 0 { try Interruption.check(shownPath) }
            }
            start = (offset + sector - 1) / sector * sector
        }
        guard let first, !offsets.isEmpty else { return nil }
        self.file = file
        self.offsets = offsets
        (pageCount, pageSize) = first
    }

    private static func isWhole(_ record: [UInt8], nonce: UInt32) -> Bool {
        let pageSize = record.count - 8
        var sum = nonce
        for offset in stride(from: pageSize - 200, to: 0, by: -200) { sum &+= UInt32(record[4 + offset]) }
        return sum == record.bigEndian(at: 4 + pageSize)
    }

    /// The contents of a page before the transaction; nil for one that it has not changed.
    func bytes(of page: UInt32, pageSize: Int) throws(StoreError) -> [UInt8]? {
        guard pageSize == self.pageSize, let offset = offsets[page] else { return nil }
        return try file.bytes(at: offset, count: pageSize)
    }
}
