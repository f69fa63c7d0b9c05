internal import Texts

/// The pages of a tree, from its root to its leaves, as far as they can be read.
struct TreeWalk {
    /// A page and everything below it, between the rows where the tree has it.
    struct Part: Hashable {
        let page: UInt32
        /// Its rows have larger numbers than this; nil if nothing is known.
        let after: Int64?
        /// The largest number that a row of it can have; nil if nothing is known.
        let through: Int64?
    }

    /// In the order of their rows.
    private(set) var leaves: [Part] = []
    /// Pages that should be there, with everything below them.
    private(set) var lost: [Part] = []
    /// Leaves of which a part is damaged. They may be something else that looks like leaves by chance.
    private(set) var suspects: [Part] = []
    /// Pages above the leaves that are damaged, although what is below them was found.
    private(set) var bypassed: [UInt32] = []
    /// All pages that the tree has.
    private(set) var pages: Set<UInt32> = []
    /// Leaves of the same table that were found without the tree, each whole.
    var strays: [UInt32] = []

    /// SQLite's own limit (`BTCURSOR_MAX_DEPTH`).
    private static let deepest = 20

    var isWhole: Bool { lost.isEmpty && suspects.isEmpty }

    /// The numbers of the rows that may be on pages which are not in the tree: in ascending order, and no two overlap.
    var lostRows: [ClosedRange<Int64>] {
        let all = (lost + suspects).compactMap { loss -> ClosedRange<Int64>? in
            let (after, through) = (loss.after ?? .min, loss.through ?? .max)
            return after < through ? (loss.after.map { $0 + 1 } ?? .min)...through : nil
        }
        return all.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { ranges, range in
            if let last = ranges.last, range.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
    }

    init(withoutRoot root: UInt32) { lost = [Part(page: root, after: nil, through: nil)] }

    /// Walks a table's tree. Where a page above the leaves is broken, the map says which pages are below it.
    /// - Parameter isUsable: whether a page may be in the tree at all.
    init(
        ofTableAt root: UInt32, in store: DamagedPages, isUsable: (UInt32) -> Bool
    ) throws(StoreError) {
        // In reverse, so that the first child is the next one.
        var waiting = [(bounds: Part(page: root, after: nil, through: nil), depth: 1)]
        while let (bounds, depth) = waiting.popLast() {
            let number = bounds.page
            guard isUsable(number), depth <= Self.deepest, pages.insert(number).inserted else {
                lost.append(bounds)
                continue
            }
            var found = try store.tablePage(number, isExpected: true)
            let mapped = store.children(of: number)
            if let leaf = found, leaf.page.kind == .leafTable {
                if leaf.isSound || mapped.isEmpty {
                    leaves.append(bounds)
                    if !leaf.isSound { suspects.append(bounds) }
                    continue
                }
                // It has pages below it.
                found = nil
            }
            guard found != nil || !mapped.isEmpty else {
                lost.append(bounds)
                continue
            }
            let pointed = found.map { Self.children(of: $0.page, bounds) } ?? []
            let (children, agree) = Self.reconciled(pointed, mapped, bounds)
            if !agree || found?.isSound == false { bypassed.append(number) }
            waiting += children.reversed().map { ($0, depth + 1) }
            // Every page is visited once, so no more of them can be waiting than there are.
            guard waiting.count <= 1 << 24 else { break }
        }
        if !bypassed.isEmpty { try sortLeaves(in: store) }
    }

    /// What the page says that is below it, and what the map says.
    private static func reconciled(
        _ pointed: [Part], _ mapped: [UInt32], _ bounds: Part
    ) -> (children: [Part], agree: Bool) {
        guard !mapped.isEmpty else { return (pointed, true) }
        let isMapped = Set(mapped)
        let isPointed = Set(pointed.map(\.page))
        let missing = mapped.filter { !isPointed.contains($0) }
        let strange = isPointed.subtracting(isMapped)
        guard !missing.isEmpty else { return (pointed, true) }
        // Each pointer that leads elsewhere stands for one of those that are missing.
        let kept = missing.count >= strange.count ? pointed.filter { isMapped.contains($0.page) } : pointed
        return (kept + missing.map { Part(page: $0, after: bounds.after, through: bounds.through) }, false)
    }

    /// Where the order of the pages is not known, that of their rows is.
    private mutating func sortLeaves(in store: DamagedPages) throws(StoreError) {
        var keyed: [(key: Int64, leaf: Part)] = []
        for leaf in leaves {
            let cells = try store.tablePage(leaf.page, isExpected: true)?.page.leafCells() ?? []
            keyed.append((cells.isEmpty ? .min : cells[cells.count / 2].row, leaf))
        }
        leaves = keyed.sorted { $0.key < $1.key }.map(\.leaf)
    }

    /// The pages below one, and between which rows each of them is.
    private static func children(of page: BTreePage, _ bounds: Part) -> [Part] {
        var keys = page.cellOffsets.map { page.key(ofCellAt: $0)?.key }
        // Keys that contradict each other say nothing.
        var last = bounds.after ?? .min
        for key in keys {
            guard let key, key >= last, key <= bounds.through ?? .max else {
                keys = keys.map { _ in nil }
                break
            }
            last = key
        }
        let areKnown = keys.allSatisfy { $0 != nil }
        return page.children.enumerated().map { index, child in
            Part(
                page: child, after: index == 0 || !areKnown ? bounds.after : keys[index - 1],
                through: index == keys.count || !areKnown ? bounds.through : keys[index])
        }
    }

    /// The pages of an index's tree; what is in them is in the table too.
    /// - Returns: its pages, and those of them that cannot be read.
    static func pages(
        ofIndexAt root: UInt32, in store: DamagedPages
    ) throws(StoreError) -> (all: Set<UInt32>, broken: [UInt32]) {
        var seen: Set<UInt32> = []
        var broken: [UInt32] = []
        var waiting = [root]
        while let number = waiting.popLast(), seen.count <= Int(store.count) {
            guard seen.insert(number).inserted else { continue }
            guard number > 1, let bytes = try store.bytes(of: number),
                let page = BTreePage(bytes, number: number, usableSize: store.usableSize),
                page.kind == .interiorIndex || page.kind == .leafIndex
            else {
                broken.append(number)
                continue
            }
            waiting += page.children
            guard waiting.count <= 1 << 24 else { break }
        }
        return (seen, broken)
    }

    /// Some of its leaves are where nothing refers to them.
    mutating func loseSomewhere() {
        if !lost.contains(Self.somewhere) { lost.append(Self.somewhere) }
    }

    private static let somewhere = Part(page: 0, after: nil, through: nil)

    /// Takes a leaf away that is another tree's.
    mutating func lose(_ page: UInt32) {
        guard let index = leaves.firstIndex(where: { $0.page == page }) else { return }
        lost.append(leaves.remove(at: index))
    }
}

extension [ClosedRange<Int64>] {
    /// The one that a row is in; nil for a row that is in none. They ascend.
    func range(of row: Int64) -> ClosedRange<Int64>? {
        let index = partitioningIndex { $0.upperBound >= row }
        return index < count && self[index].contains(row) ? self[index] : nil
    }
}
