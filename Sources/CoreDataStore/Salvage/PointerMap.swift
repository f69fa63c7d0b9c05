/// Which page each page hangs on, in a database that can shrink (auto_vacuum), as every one that Core Data makes:
/// https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages. It says what became of a page where the tree
/// above it is broken.
struct PointerMap {
    enum Entry: Hashable {
        case root
        case free
        /// The first page on which a record goes on, and the page that the record begins on.
        case firstOverflow(of: UInt32)
        /// Every later one, and the page before it.
        case overflow(after: UInt32)
        /// A page of a tree that is not its root, and the page above it.
        case treePage(below: UInt32)
    }

    private var pages: [UInt32: [UInt8]] = [:]
    /// Pages of the map that contradict themselves; nothing in them counts.
    private(set) var broken: [UInt32] = []
    private let count: UInt32
    private let usableSize: Int
    private var below: [UInt32: [UInt32]]?
    /// SQLite's locks are in this page, and it is never used.
    private let lockPage: UInt32

    /// - Parameter isExpected: whether the header says that there is a map; nil if there is no header to ask.
    init(
        isExpected: Bool?, count: UInt32, pageSize: Int, usableSize: Int,
        _ page: (UInt32) throws(StoreError) -> [UInt8]?
    ) throws(StoreError) {
        self.count = count
        self.usableSize = usableSize
        lockPage = UInt32(0x4000_0000 / pageSize) + 1
        guard isExpected != false, count >= 2 else { return }
        var number: UInt32 = 2
        while number <= count {
            let place = number == lockPage ? number + 1 : number
            if let bytes = try page(place) {
                if isConsistent(bytes, at: place, count: count) { pages[place] = bytes } else { broken.append(place) }
            }
            // Without the header only the map itself tells that there is one.
            if number == 2, isExpected == nil, pages.isEmpty {
                broken = []
                return
            }
            guard let next = UInt32(exactly: Int(number) + usableSize / 5 + 1) else { return }
            number = next
        }
    }

    /// Whether a page is one of the map.
    func contains(_ page: UInt32) -> Bool { pages[page] != nil || broken.contains(page) }

    /// Nil where the map does not say.
    subscript(page: UInt32) -> Entry? {
        guard page > 2 else { return nil }
        let part = UInt32(usableSize / 5 + 1)
        var place = (page - 2) / part * part + 2
        if place == lockPage { place += 1 }
        guard page > place, let bytes = pages[place] else { return nil }
        return Self.entry(in: bytes, at: 5 * Int(page - place - 1))
    }

    /// The pages of a tree that hang on this one, in the order of their numbers.
    mutating func children(of page: UInt32) -> [UInt32] {
        if let below { return below[page] ?? [] }
        var below: [UInt32: [UInt32]] = [:]
        forEachEntry { page, entry in
            if case .treePage(let parent) = entry { below[parent, default: []].append(page) }
        }
        self.below = below
        return below[page] ?? []
    }

    /// The roots of all trees but the schema's.
    var roots: [UInt32] {
        var roots: [UInt32] = []
        forEachEntry { if $1 == .root { roots.append($0) } }
        return roots
    }

    private func forEachEntry(_ body: (UInt32, Entry) -> Void) {
        for (place, bytes) in pages.sorted(by: { $0.key < $1.key }) {
            for offset in stride(from: 0, through: usableSize - 5, by: 5) {
                let page = Int(place) + 1 + offset / 5
                guard page <= Int(count) else { return }
                if let entry = Self.entry(in: bytes, at: offset) { body(UInt32(page), entry) }
            }
        }
    }

    /// The root of the tree that a page is in; nil where the map does not say.
    func root(of page: UInt32) -> UInt32? {
        var page = page
        for _ in 0..<20 {
            // The first page is the root of the schema, and no page of the map speaks of it.
            if page == 1 { return 1 }
            switch self[page] {
            case .root: return page
            case .treePage(let parent): page = parent
            case .free, .firstOverflow, .overflow, nil: return nil
            }
        }
        return nil
    }

    private func isConsistent(_ bytes: [UInt8], at place: UInt32, count: UInt32) -> Bool {
        var entries = 0
        for offset in stride(from: 0, through: usableSize - 5, by: 5) {
            let page = Int(place) + 1 + offset / 5
            guard page <= Int(count) else { break }
            if page == lockPage { continue }
            entries += 1
            guard Self.entry(in: bytes, at: offset) != nil else { return false }
            guard bytes.bigEndian(at: offset + 1) <= count else { return false }
        }
        return entries > 0
    }

    private static func entry(in bytes: [UInt8], at offset: Int) -> Entry? {
        let page = bytes.bigEndian(at: offset + 1)
        switch bytes[offset] {
        case 1: return page == 0 ? .root : nil
        case 2: return page == 0 ? .free : nil
        case 3: return page > 0 ? .firstOverflow(of: page) : nil
        case 4: return page > 0 ? .overflow(after: page) : nil
        case 5: return page > 0 ? .treePage(below: page) : nil
        default: return nil
        }
    }
}
