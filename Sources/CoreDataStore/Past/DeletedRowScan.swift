internal import Foundation

/// A row that was found where SQLite looks no more.
package struct DeletedRow: Hashable, Sendable {
    package enum Place: CaseIterable, Comparable, Sendable {
        /// A page of the main file of which the log has a newer version.
        case mainPage
        /// A page in the log of which there is a newer version.
        case logPage
        /// A page in the log from before the log was started again.
        case staleLogPage
        /// A page that the store has given up.
        case freelistPage
        /// A page of the main file behind the end of the store.
        case beyondEnd
        /// Between the rows of a page of the main file.
        case freeSpace
        /// Between the rows of a page in the log.
        case logFreeSpace
        /// Between the rows of a page in the log from before the log was started again.
        case staleLogFreeSpace
    }

    /// Its number is 0 where it was overwritten.
    package fileprivate(set) var image: RowImage
    /// Likely, or only possible.
    package fileprivate(set) var certainty: PastCertainty
    /// Everywhere it was found.
    package fileprivate(set) var places: Set<Place>
}

/// What the files still have of the rows of one table besides those that SQLite shows: in free space and free pages, in
/// pages that a newer version has replaced, and in the log from before it was started again. Among them are rows that
/// were only moved: they are equal to one that is there.
///
/// Never looked at are frames of the log that were not committed: their rows may have been rolled back.
package struct DeletedRowScan: Sendable {
    /// What the caller says of a row, each value of which fits its column.
    package struct Judgement {
        /// What of the row matters: of several that have it in common one is kept.
        let key: AnyHashable
        /// Of these, and of those that are equally certain, the one with the greatest rank.
        let rank: Double

        package init(key: AnyHashable, rank: Double) {
            self.key = key
            self.rank = rank
        }
    }

    /// In the order in which they were found; of those that have what matters in common, one.
    package let rows: [DeletedRow]
    /// Whether all were found: a hostile file could have any number of them.
    package let isComplete: Bool

    /// The most rows that are kept.
    package static let most = 10_000

    /// None, in files that cannot be read.
    package static let none = DeletedRowScan(rows: [], isComplete: true)

    private init(rows: [DeletedRow], isComplete: Bool) {
        self.rows = rows
        self.isComplete = isComplete
    }

    /// Reads each page of the files once or twice.
    /// - Parameters:
    ///   - table: in the table's present columns; rows that lack the last, added ones are found too.
    ///   - tables: all of the store: what is in a value of one of their rows is no row by itself.
    ///   - judge: what the caller says of a row; nil for one that it knows something against.
    /// - Throws: `StoreError` where the files cannot be read.
    package init(
        of table: StoreSchema.Table, entities: Set<Int64>, uuids: Set<SQLName>, among tables: [StoreSchema.Table],
        in pages: StorePages, judge: @escaping (RowImage) -> Judgement?
    ) throws(StoreError) {
        guard let pattern = RowPattern(of: table, entities: entities, uuids: uuids) else {
            self = .none
            return
        }
        var reading = try DeletedRowReading(pattern, EnclosingRows(of: tables), in: pages, judge)
        try reading.readMainFile()
        try reading.readLog()
        (rows, isComplete) = (reading.rows, reading.isComplete)
    }
}

private struct DeletedRowReading {
    private let pages: StorePages
    private let pattern: RowPattern
    private let enclosing: EnclosingRows
    private let judge: (RowImage) -> DeletedRowScan.Judgement?
    /// The free pages, and where in them old contents begin.
    private let freePages: [UInt32: Int]
    /// Pages of the store as it is now.
    private let pageCount: UInt32
    /// Frames of earlier generations of the log, the newest first.
    private var stale: [UInt32: [Int]] = [:]
    private(set) var rows: [DeletedRow] = []
    private var ranks: [Double] = []
    /// By the hash of the record.
    private var indices: [Int: Int] = [:]
    /// By what matters of the row.
    private var indicesByKey: [AnyHashable: Int] = [:]
    /// Of the records that are kept.
    private var bytesLeft = 1 << 24
    private(set) var isComplete = true

    init(
        _ pattern: RowPattern, _ enclosing: EnclosingRows, in pages: StorePages,
        _ judge: @escaping (RowImage) -> DeletedRowScan.Judgement?
    ) throws(StoreError) {
        (self.pattern, self.enclosing, self.pages, self.judge) = (pattern, enclosing, pages, judge)
        pageCount = try pages.pageCount(at: pages.commitCount) ?? pages.mainPageCount
        freePages = try pages.freePages(upTo: pageCount)
        for number in try pages.staleFrames() { stale[pages.frames[number - 1].page, default: []].append(number) }
    }

    // MARK: - Pages

    private static let pagesAtOnce: UInt32 = 64

    /// The pages of which there is no version but the main file's.
    mutating func readMainFile() throws(StoreError) {
        var next: UInt32 = 1
        while next <= pages.mainPageCount, isComplete {
            try Interruption.check(pages.path)
            let last = min(pages.mainPageCount, next + Self.pagesAtOnce - 1)
            let bytes = try pages.mainPages(next...last)
            for page in next...last where pages.versions[page] == nil && stale[page] == nil {
                let range = Int(page - next) * pages.pageSize..<Int(page - next + 1) * pages.pageSize
                guard range.upperBound <= bytes.count else { break }
                if page > pageCount || freePages[page] != nil || mayHaveFreeSpace(bytes[range], page) {
                    readPresent(Array(bytes[range]), of: page, .freeSpace)
                }
            }
            next = last + 1
        }
    }

    /// Whether there is room for a row between those of a page. Most pages have none, and are passed without a copy.
    private func mayHaveFreeSpace(_ bytes: ArraySlice<UInt8>, _ page: UInt32) -> Bool {
        let header = bytes.startIndex + (page == 1 ? 100 : 0)
        func number(at offset: Int) -> Int { Int(bytes[header + offset]) << 8 | Int(bytes[header + offset + 1]) }
        guard BTreePage.Kind(rawValue: bytes[header]) != nil else { return false }
        if number(at: 1) != 0 { return true }
        let start = header + 8 + 2 * number(at: 3)
        let end = bytes.startIndex + (number(at: 5) == 0 ? 0x1_0000 : number(at: 5))
        // A page of another kind may begin with the same byte.
        guard end <= bytes.endIndex, end - start >= pattern.smallestCell else { return false }
        // To look for the first that is not zero takes thirty times as long as to take them together.
        return bytes[start..<end].reduce(0, |) != 0
    }

    /// The version of a page that SQLite reads, or that nobody reads because the page is free or behind the end.
    private mutating func readPresent(_ bytes: [UInt8], of page: UInt32, _ freeSpace: DeletedRow.Place) {
        if page > pageCount {
            readWhole(bytes, of: page, from: 0, .beyondEnd)
        } else if let start = freePages[page] {
            readWhole(bytes, of: page, from: start, .freelistPage)
        } else if let tree = BTreePage(bytes, number: page, usableSize: pages.usableSize) {
            readFreeSpace(of: tree, freeSpace)
        }
    }

    /// - Parameter start: the bytes before it were overwritten.
    private mutating func readWhole(_ bytes: [UInt8], of page: UInt32, from start: Int, _ place: DeletedRow.Place) {
        if start == 0, let tree = BTreePage(bytes, number: page, usableSize: pages.usableSize),
            let cells = rowCells(of: tree)
        {
            for cell in cells { take(cell, of: tree, place) }
            readFreeSpace(of: tree, place)
        } else if start == 0 {
            // What begins like no page of a tree had a part of a value that was too long for its row.
            let isOverflow = BTreePage.Kind(rawValue: bytes[page == 1 ? 100 : 0]) == nil
            carve(bytes, 0..<pages.usableSize, place, most: isOverflow ? .possible : .likely)
        } else {
            carveTrunk(bytes, from: start, place)
        }
    }

    /// What the page was before is overwritten. The rows of a leaf are one after the other up to its end; a part of a long
    /// value has them anywhere.
    private mutating func carveTrunk(_ bytes: [UInt8], from start: Int, _ place: DeletedRow.Place) {
        var found = carved(bytes, start..<pages.usableSize)
        var end = pages.usableSize
        for index in found.indices.reversed() {
            if found[index].cell.upperBound == end {
                end = found[index].cell.lowerBound
            } else {
                found[index].certainty = .possible
            }
        }
        for row in found { add(row.image, row.certainty, place) }
    }

    /// One version of a page, with what to call what is found there.
    private typealias Version = (version: StorePages.Version, page: DeletedRow.Place, freeSpace: DeletedRow.Place)

    /// From the newest to the oldest.
    private func versions(of page: UInt32) -> [Version] {
        func frames(_ numbers: some Sequence<Int>, _ page: DeletedRow.Place, _ freeSpace: DeletedRow.Place) -> [Version]
        {
            numbers.map { (.frame($0), page, freeSpace) }
        }
        return frames((pages.versions[page] ?? []).reversed(), .logPage, .logFreeSpace)
            + (page <= pages.mainPageCount ? [(.main, .mainPage, .freeSpace)] : [])
            + frames(stale[page] ?? [], .staleLogPage, .staleLogFreeSpace)
    }

    /// The pages of which the log has versions, of the present generation or of earlier ones.
    mutating func readLog() throws(StoreError) {
        for page in Set(pages.versions.keys).union(stale.keys).sorted() {
            var newer: Set<Int> = []
            for (index, version) in versions(of: page).enumerated() {
                guard isComplete else { return }
                try Interruption.check(pages.path)
                let bytes = try pages.bytes(of: page, version.version)
                let tree = BTreePage(bytes, number: page, usableSize: pages.usableSize)
                let cells = tree.flatMap(rowCells) ?? []
                if version.version == .main && page > pageCount || index == 0 && version.page != .staleLogPage {
                    readPresent(bytes, of: page, version.freeSpace)
                } else if let tree {
                    // A row that the next version of the page has, too, was not lost with this one.
                    for cell in cells where !newer.contains(cell.hash) { take(cell, of: tree, version.page) }
                    readFreeSpace(of: tree, version.freeSpace)
                }
                newer = Set(cells.map(\.hash))
            }
        }
    }

    // MARK: - Rows

    /// - Parameter hash: of all its bytes.
    private typealias RowCell = (cell: LeafCell, hash: Int)

    /// The cells of a leaf of the table; nil where a cell says that it is none.
    private func rowCells(of tree: BTreePage) -> [RowCell]? {
        guard tree.kind == .leafTable, !tree.cellOffsets.isEmpty else { return nil }
        var cells: [RowCell] = []
        for offset in tree.cellOffsets {
            guard let cell = tree.leafCell(at: offset),
                tree.bytes[cell.local].withUnsafeBytes(pattern.beginsRow)
            else { return nil }
            cells.append((cell, Self.hash(tree.bytes[cell.range(from: offset)])))
        }
        return cells
    }

    /// A collection's own hash takes each byte by itself, and thirty times as long.
    private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// A row that goes on on other pages is left out: nobody can tell which versions of them belong to it.
    private mutating func take(_ cell: RowCell, of tree: BTreePage, _ place: DeletedRow.Place) {
        guard cell.cell.overflow == nil else { return }
        let image = RowImage(number: cell.cell.row, record: Array(tree.bytes[cell.cell.local]))
        if pattern.isPlausible(image) { add(image, .likely, place) }
    }

    private mutating func readFreeSpace(of tree: BTreePage, _ place: DeletedRow.Place) {
        for area in [tree.gap] + tree.freeBlocks where area.count >= pattern.smallestCell {
            carve(tree.bytes, area, place)
        }
    }

    /// A row among bytes that no cell uses.
    private struct Found {
        let image: RowImage
        var certainty: PastCertainty
        /// From the head of the cell on, or from where it was overwritten.
        let cell: Range<Int>
    }

    private mutating func carve(
        _ bytes: [UInt8], _ area: Range<Int>, _ place: DeletedRow.Place, most: PastCertainty = .likely
    ) {
        for row in carved(bytes, area) { add(row.image, min(row.certainty, most), place) }
    }

    /// In the order in which they are there.
    private func carved(_ bytes: [UInt8], _ area: Range<Int>) -> [Found] {
        var found: [Found] = []
        pattern.forEachRow(in: bytes, area, usableSize: pages.usableSize) { row, hasSize, cell in
            found.append(Found(image: row, certainty: hasSize ? .likely : .possible, cell: cell))
        }
        guard found.contains(where: { $0.certainty == .likely }) else { return found }
        let values = enclosing.values(in: bytes, area, usableSize: pages.usableSize)
        for index in found.indices {
            let cell = found[index].cell
            guard values.contains(where: { $0.lowerBound <= cell.lowerBound && cell.upperBound <= $0.upperBound })
            else {
                continue
            }
            found[index].certainty = .possible
        }
        return found
    }

    private mutating func add(_ image: RowImage, _ certainty: PastCertainty, _ place: DeletedRow.Place) {
        let hash = Self.hash(image.record[...])
        if let index = indices[hash], rows[index].image.record == image.record {
            if rows[index].image.number == 0 { rows[index].image = image }
            rows[index].certainty = max(rows[index].certainty, certainty)
            rows[index].places.insert(place)
            return
        }
        guard isComplete, let judgement = judge(image) else { return }
        let row = DeletedRow(image: image, certainty: certainty, places: [place])
        if let index = indicesByKey[judgement.key] {
            guard (rows[index].certainty, ranks[index]) < (certainty, judgement.rank) else { return }
            (rows[index], ranks[index], indices[hash]) = (row, judgement.rank, index)
            return
        }
        bytesLeft -= image.record.count
        guard rows.count < DeletedRowScan.most, bytesLeft >= 0 else {
            isComplete = false
            return
        }
        (indices[hash], indicesByKey[judgement.key]) = (rows.endIndex, rows.endIndex)
        rows.append(row)
        ranks.append(judgement.rank)
    }
}

extension StorePages {
    /// The pages of the freelist as it is now, each with the offset at which contents from before begin: a leaf keeps all
    /// bytes, a trunk has numbers of pages at its beginning (https://www.sqlite.org/fileformat2.html#the_freelist).
    func freePages(upTo count: UInt32) throws(StoreError) -> [UInt32: Int] {
        var found: [UInt32: Int] = [:]
        guard count > 0, let version = try self.version(of: 1, at: commitCount) else { return [:] }
        var next = try bytes(of: 1, version).bigEndian(at: 32)
        while next >= 2, next <= count {
            guard found[next] == nil, let version = try self.version(of: next, at: commitCount) else { break }
            let trunk = try bytes(of: next, version)
            let leaves = min(Int(trunk.bigEndian(at: 4)), usableSize / 4 - 2)
            found[next] = 8 + 4 * leaves
            for index in 0..<leaves {
                let leaf = trunk.bigEndian(at: 8 + 4 * index)
                let isThere = leaf <= mainPageCount || versions[leaf] != nil
                if leaf >= 2, leaf <= count, isThere, found[leaf] == nil { found[leaf] = 0 }
            }
            next = trunk.bigEndian(at: 0)
        }
        return found
    }
}
