/// The present version of every page of a store whose files may be damaged: the newest committed one of the log, which
/// has a checksum, or else the main file's.
final class DamagedPages {
    private let store: StorePages
    private let journal: RollbackJournal?
    let pageSize: Int
    let usableSize: Int
    /// Of pages that may be there.
    let count: UInt32
    /// How many pages the store should have; nil if nothing says so.
    let expectedCount: UInt32?
    /// Whether the file has more pages than its header says, and no log says so.
    private let isLongerThanItSays: Bool
    /// The first 100 bytes of the first page; nil if they are not those of a database.
    let header: [UInt8]?
    /// Nil if there is no first page.
    let encoding: UInt32?
    private(set) var map: PointerMap
    /// Pages on the list of free pages.
    private(set) var listedFree: Set<UInt32> = []
    /// Whether the list of free pages is whole.
    private(set) var isFreelistWhole = false
    /// Pages on which records go on that may still be read: a hostile file could have the same ones read again and again.
    private var budget: Int

    /// - Returns: nil if there is no page of a table in the files.
    init?(
        at path: String, shownAs shownPath: String, frames: WALFrames?, journal: RollbackJournal?
    ) throws(StoreError) {
        self.journal = journal
        let file = try FileInput(path)
        let start = try file.bytes(at: 0, count: 100)
        let frames = frames.flatMap { $0.header == nil || $0.last == 0 ? nil : $0 }
        var guess: PageSizeGuess?
        if let frames, let size = frames.header?.pageSize {
            // The first page in the log says it, if there is one.
            if !frames.frames[..<frames.last].contains(where: { $0.page == 1 }) {
                guess = try PageSizeGuess(file, header: start, known: size)
            }
        } else {
            guess = try PageSizeGuess(file, header: start)
            guard guess != nil else { return nil }
        }
        let store = try StorePages(
            in: path, shownAs: shownPath, pageSize: guess?.pageSize ?? 0, isMainEmpty: try file.size == 0,
            frames: frames, reserved: guess?.reserved)
        self.store = store
        let pageSize = store.pageSize
        (self.pageSize, usableSize) = (pageSize, store.usableSize)
        let last = frames.map { $0.frames[..<$0.last].last?.pagesAfterCommit ?? 0 }
        let first = try DamagedPages.bytes(of: 1, in: store, journal)
        let header = first.flatMap { Self.isHeader($0, pageSize: pageSize) ? Array($0[..<100]) : nil }
        self.header = header
        encoding = first.map { $0.bigEndian(at: 56) }
        let isCountValid = header.map { $0.bigEndian(at: 24) == $0.bigEndian(at: 92) } ?? false
        expectedCount =
            last ?? journal?.pageCount ?? (isCountValid ? header?.bigEndian(at: SQLiteHeader.pageCountOffset) : nil)
        isLongerThanItSays = last == nil && journal == nil && store.mainPageCount > expectedCount ?? .max
        // A log may speak of any page, and it says how many there are.
        count = max(store.mainPageCount, last ?? 0)
        guard count <= 1 << 26 else {
            throw StoreError(.unsuitable, at: shownPath, "it says that it has \(count) pages, too many to look at")
        }
        budget = 32 * (Int(store.mainPageCount) + (frames?.last ?? 0)) + 4096
        map = try PointerMap(
            isExpected: header.map { $0.bigEndian(at: 52) != 0 }, count: min(expectedCount ?? count, count),
            pageSize: pageSize, usableSize: store.usableSize
        ) { page throws(StoreError) in try DamagedPages.bytes(of: page, in: store, journal) }
        try readFreelist()
    }

    /// Whether a page begins like the first page of a database, in what does not differ from store to store.
    private static func isHeader(_ page: [UInt8], pageSize: Int) -> Bool {
        page.starts(with: Array("SQLite format 3\u{0}".utf8))
            && (page[16] == UInt8(pageSize >> 8 & 0xFF) && page[17] == (pageSize == 65_536 ? 1 : 0))
            && page[21] == 64 && page[22] == 32 && page[23] == 32
    }

    /// Whether the store is in journal mode WAL, as every store of Core Data where nothing says otherwise.
    var isWAL: Bool { header.map { $0[18] == 2 || $0[19] == 2 } ?? true }

    /// The value of a pragma that is kept in the header.
    func setting(_ pragma: String) -> Int64 {
        switch pragma {
        case "page_size": Int64(pageSize)
        case "auto_vacuum":
            header.map { $0.bigEndian(at: 52) == 0 ? 0 : $0.bigEndian(at: 64) == 0 ? 1 : 2 } ?? 2
        case "user_version": header.map { Int64(Int32(bitPattern: $0.bigEndian(at: 60))) } ?? 0
        case "application_id": header.map { Int64(Int32(bitPattern: $0.bigEndian(at: 68))) } ?? 0
        default: 0
        }
    }

    /// The contents of a page; nil if the files do not have it, or not all of it.
    func bytes(of page: UInt32) throws(StoreError) -> [UInt8]? {
        if page & 0xFFF == 0 { try Interruption.check(store.path) }
        return try Self.bytes(of: page, in: store, journal)
    }

    private static func bytes(
        of page: UInt32, in store: StorePages, _ journal: RollbackJournal?
    ) throws(StoreError) -> [UInt8]? {
        if let bytes = try journal?.bytes(of: page, pageSize: store.pageSize) { return bytes }
        guard let version = try store.version(of: page, at: store.commitCount) else { return nil }
        do {
            return try store.bytes(of: page, version)
        } catch {
            guard error.kind == .damaged else { throw error }
            return nil
        }
    }

    /// A page of a table's tree, and whether every byte of it is accounted for; nil for a page that is none.
    /// - Parameter isExpected: whether a page or the map says that it is one. Then it may be one whose kind is damaged.
    func tablePage(_ number: UInt32, isExpected: Bool) throws(StoreError) -> (page: BTreePage, isSound: Bool)? {
        guard let bytes = try bytes(of: number) else { return nil }
        let kind = BTreePage.Kind(rawValue: bytes[number == 1 ? 100 : 0])
        if let page = BTreePage(bytes, number: number, usableSize: usableSize) {
            if page.kind == .leafTable || page.kind == .interiorTable, page.isSound { return (page, true) }
        }
        guard isExpected else { return nil }
        for kind in [BTreePage.Kind.leafTable, .interiorTable] {
            if let page = BTreePage(damaged: bytes, as: kind, number: number, usableSize: usableSize),
                !page.cellOffsets.isEmpty, page.isSound
            {
                return (page, false)
            }
        }
        guard let kind, kind == .leafTable || kind == .interiorTable else { return nil }
        return BTreePage(damaged: bytes, as: kind, number: number, usableSize: usableSize).map { ($0, false) }
    }

    // MARK: - Free pages

    /// Whether nothing that is on a page is in use any more; nil where nobody can tell.
    func isFree(_ page: UInt32) -> Bool? {
        if let entry = map[page] { return entry == .free }
        if listedFree.contains(page) { return true }
        // What lies behind the end of a store that became smaller is left of an earlier time.
        if let expectedCount, page > expectedCount { return nil }
        return isFreelistWhole ? false : nil
    }

    /// Whether a page that nothing refers to holds something all the same: it is not free, or it lies behind the end that the
    /// header gives of a store without a log. SQLite cuts off what it does not need any more.
    func isMissed(_ page: UInt32) -> Bool {
        isFree(page) == false || isLongerThanItSays && page > expectedCount ?? .max
    }

    /// https://www.sqlite.org/fileformat2.html#the_freelist
    private func readFreelist() throws(StoreError) {
        guard let header else { return }
        var next = header.bigEndian(at: 32)
        let total = header.bigEndian(at: 36)
        var isWhole = true
        while next != 0, isWhole {
            guard next <= count, listedFree.insert(next).inserted, let trunk = try bytes(of: next) else {
                isWhole = false
                break
            }
            let leaves = Int(trunk.bigEndian(at: 4))
            guard leaves <= usableSize / 4 - 2 else {
                isWhole = false
                break
            }
            for index in 0..<leaves {
                let leaf = trunk.bigEndian(at: 8 + 4 * index)
                guard leaf > 1, leaf <= count, listedFree.insert(leaf).inserted else {
                    isWhole = false
                    continue
                }
            }
            next = trunk.bigEndian(at: 0)
        }
        isFreelistWhole = isWhole && listedFree.count == Int(total)
    }

    /// The pages of a tree that hang on this one, as the map has them.
    func children(of page: UInt32) -> [UInt32] { map.children(of: page) }

    // MARK: - Records

    /// The pages on which a record goes on; nil if they contradict themselves.
    func overflowPages(of cell: LeafCell, on page: UInt32) throws(StoreError) -> [UInt32]? {
        var pages: [UInt32] = []
        var seen: Set<UInt32> = []
        var left = cell.size - cell.local.count
        guard var next = cell.overflow else { return [] }
        guard left / (usableSize - 4) <= Int(count) else { return nil }
        while left > 0 {
            guard next > 1, next <= count, budget > 0, !map.contains(next), seen.insert(next).inserted else {
                return nil
            }
            budget -= 1
            switch map[next] {
            case .firstOverflow(let owner): guard pages.isEmpty, owner == page else { return nil }
            case .overflow(let before): guard pages.last == before else { return nil }
            case .root, .free, .treePage: return nil
            case nil: guard !listedFree.contains(next) else { return nil }
            }
            guard let bytes = try bytes(of: next) else { return nil }
            pages.append(next)
            left -= usableSize - 4
            next = bytes.bigEndian(at: 0)
        }
        return next == 0 ? pages : nil
    }

    /// A row as its cell has it; nil if a page on which it goes on is missing, or empty as damage leaves it.
    func row(_ cell: LeafCell, of page: BTreePage, overflow: [UInt32]) throws(StoreError) -> RowImage? {
        var record = Array(page.bytes[cell.local])
        for number in overflow {
            guard let bytes = try bytes(of: number) else { return nil }
            let part = bytes[4..<4 + min(usableSize - 4, cell.size - record.count)]
            guard bytes.contains(where: { $0 != 0 }) else { return nil }
            record += part
        }
        guard record.count == cell.size else { return nil }
        return RowImage(number: cell.row, record: record)
    }
}
