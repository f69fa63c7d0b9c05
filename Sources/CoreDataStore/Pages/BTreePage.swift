/// A page of a B-tree, checked to be one (https://www.sqlite.org/fileformat2.html#b_tree_pages).
struct BTreePage: Sendable {
    enum Kind: UInt8, Sendable {
        case interiorIndex = 2
        case interiorTable = 5
        case leafIndex = 10
        case leafTable = 13

        var isInterior: Bool { self == .interiorIndex || self == .interiorTable }
        /// Bytes before the cell pointers.
        var headerSize: Int { isInterior ? 12 : 8 }
    }

    let kind: Kind
    let bytes: [UInt8]
    /// Where the cells are, in the order of their keys. Each is inside the page.
    let cellOffsets: [Int]
    /// Bytes of a page that SQLite uses.
    private let usableSize: Int
    /// The first page begins with the header of the database.
    private let headerOffset: Int

    /// Nil for a page that is none, or whose cells are not inside it.
    /// - Parameter usableSize: bytes of a page without those reserved at its end.
    init?(_ bytes: [UInt8], number: UInt32, usableSize: Int) {
        let header = number == 1 ? 100 : 0
        guard usableSize <= bytes.count, header + 12 <= usableSize, let kind = Kind(rawValue: bytes[header]) else {
            return nil
        }
        self.kind = kind
        self.bytes = bytes
        self.usableSize = usableSize
        headerOffset = header
        let count = bytes.short(at: header + 3)
        let start = header + kind.headerSize
        guard start + 2 * count <= usableSize else { return nil }
        cellOffsets = (0..<count).map { bytes.short(at: start + 2 * $0) }
        guard cellOffsets.allSatisfy({ $0 >= start + 2 * count && $0 + 4 <= usableSize }) else { return nil }
    }

    /// What is left of a damaged page: the cells whose places are inside it. They may be anything.
    /// - Parameter kind: what to take the page for.
    init?(damaged bytes: [UInt8], as kind: Kind, number: UInt32, usableSize: Int) {
        let header = number == 1 ? 100 : 0
        let start = header + kind.headerSize
        guard usableSize <= bytes.count, start <= usableSize else { return nil }
        self.kind = kind
        self.bytes = bytes
        self.usableSize = usableSize
        headerOffset = header
        let count = min(bytes.short(at: header + 3), (usableSize - start) / 2)
        var seen: Set<Int> = []
        cellOffsets = (0..<count).map { bytes.short(at: start + 2 * $0) }
            .filter { $0 >= start && $0 + 4 <= usableSize && seen.insert($0).inserted }
    }

    /// The pages below one inside a tree, in the order of their rows.
    var children: [UInt32] {
        guard kind.isInterior else { return [] }
        return cellOffsets.map { bytes.bigEndian(at: $0) } + [bytes.bigEndian(at: headerOffset + 8)]
    }

    /// What cells of this page left free between those that there are.
    var freeBlocks: [Range<Int>] {
        var blocks: [Range<Int>] = []
        var next = bytes.short(at: headerOffset + 1)
        // In ascending order, so that a damaged chain ends.
        while next >= (blocks.last?.upperBound ?? headerOffset + 8), next + 4 <= usableSize {
            let size = bytes.short(at: next + 2)
            guard size >= 4, next + size <= usableSize else { break }
            blocks.append(next..<next + size)
            next = bytes.short(at: next)
        }
        return blocks
    }

    /// Between the cell pointers and the first cell.
    var gap: Range<Int> {
        let start = headerOffset + kind.headerSize + 2 * cellOffsets.count
        let contents = bytes.short(at: headerOffset + 5)
        let end = contents == 0 ? usableSize : contents
        return start..<max(start, min(end, usableSize))
    }
}

extension BTreePage {
    /// Whether every byte of a table's page is accounted for, as SQLite's integrity check wants it: no two cells or free
    /// blocks overlap, and what is left over is as much as the header says. A damaged page hardly ever passes.
    var isSound: Bool {
        var used = freeBlocks
        for offset in cellOffsets {
            guard let end = end(ofCellAt: offset) else { return false }
            used.append(offset..<max(end, offset + 4))
        }
        used.sort { $0.lowerBound < $1.lowerBound }
        var end = gap.upperBound
        var fragments = 0
        for range in used {
            guard range.lowerBound >= end else { return false }
            fragments += range.lowerBound - end
            end = range.upperBound
        }
        guard end <= usableSize else { return false }
        return fragments + usableSize - end == Int(bytes[headerOffset + 7])
    }

    /// The cells of a leaf of a table, which may be damaged: those that are whole, and overlap no other.
    func leafCells() -> [LeafCell] {
        let cells = cellOffsets.compactMap { offset in leafCell(at: offset).map { (offset, $0) } }
        let ranges = cells.map { $0.1.range(from: $0.0) }.sorted { $0.lowerBound < $1.lowerBound }
        var overlapping: Set<Int> = []
        var last: Range<Int>?
        for range in ranges {
            if let before = last, before.upperBound > range.lowerBound {
                overlapping.formUnion([before.lowerBound, range.lowerBound])
            }
            if range.upperBound > last?.upperBound ?? 0 { last = range }
        }
        return cells.filter { !overlapping.contains($0.0) }.map(\.1)
    }

    /// Nil for what is no cell of this kind of page.
    private func end(ofCellAt offset: Int) -> Int? {
        switch kind {
        case .leafTable: leafCell(at: offset)?.range(from: offset).upperBound
        case .interiorTable: key(ofCellAt: offset)?.end
        case .leafIndex, .interiorIndex: nil
        }
    }

    /// The largest key of the rows below the left child of a cell inside a table's tree.
    func key(ofCellAt offset: Int) -> (key: Int64, end: Int)? {
        bytes.withUnsafeBytes { bytes in
            UnsafeRawBufferPointer(rebasing: bytes[..<usableSize]).varint(at: offset + 4)
                .map { (key: $0.value, end: $0.end) }
        }
    }
}

/// A cell of a leaf of a table: the key of a row and its contents, or the first bytes of them.
struct LeafCell: Hashable, Sendable {
    let row: Int64
    /// Bytes of the whole record.
    let size: Int
    /// Those that are in the cell.
    let local: Range<Int>
    /// The page on which the record goes on; nil if it is complete.
    let overflow: UInt32?

    /// The bytes that belong to the cell.
    func range(from offset: Int) -> Range<Int> { offset..<local.upperBound + (overflow == nil ? 0 : 4) }
}

extension BTreePage {
    /// - Parameter offset: in the page.
    /// - Returns: nil if what is there is no cell of a leaf of a table.
    func leafCell(at offset: Int) -> LeafCell? {
        bytes.withUnsafeBytes { bytes in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<usableSize])
            guard let (size, keyStart) = bytes.varint(at: offset), size >= 2, size <= Int64(Int32.max),
                let (row, start) = bytes.varint(at: keyStart)
            else { return nil }
            let local = Self.localSize(ofRecord: Int(size), usableSize: usableSize)
            let isWhole = local == Int(size)
            guard start + local + (isWhole ? 0 : 4) <= usableSize else { return nil }
            let next = isWhole ? nil : bytes.loadUnaligned(fromByteOffset: start + local, as: UInt32.self)
            return LeafCell(
                row: row, size: Int(size), local: start..<start + local, overflow: next.map(UInt32.init(bigEndian:)))
        }
    }

    /// How many bytes of a record are in the cell
    /// (https://www.sqlite.org/fileformat2.html#b_tree_pages, "payload").
    static func localSize(ofRecord size: Int, usableSize: Int) -> Int {
        let most = usableSize - 35
        guard size > most else { return size }
        let least = (usableSize - 12) * 32 / 255 - 23
        let local = least + (size - least) % (usableSize - 4)
        return local <= most ? local : least
    }
}

extension [UInt8] {
    /// The number in two bytes, the larger first.
    fileprivate func short(at offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }
}
