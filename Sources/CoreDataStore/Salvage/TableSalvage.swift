internal import Texts

/// The rows of one table, each accounted for.
struct SalvagedRows {
    /// By their numbers.
    fileprivate(set) var rows: [RowImage] = []
    /// Rows that are there and are not taken: their values or their numbers contradict themselves or each other.
    fileprivate(set) var ambiguous = 0
    /// Of `rows`, those that may have been deleted: nobody can tell which pages are free.
    fileprivate(set) var possiblyDeleted = 0
    /// Pages with rows of which a part could not be read.
    fileprivate(set) var partlyRead: Set<UInt32> = []
}

/// Which records go on on which pages: one that two of them claim is nobody's.
struct OverflowUse {
    private var counts: [UInt32: Int] = [:]

    mutating func add(_ tree: TreeWalk, in store: DamagedPages) throws(StoreError) {
        for leaf in tree.leaves.map(\.page) + tree.strays {
            guard let page = try store.tablePage(leaf, isExpected: true)?.page else { continue }
            for cell in page.leafCells() where cell.overflow != nil {
                for page in try store.overflowPages(of: cell, on: leaf) ?? [] { counts[page, default: 0] += 1 }
            }
        }
    }

    func isShared(_ page: UInt32) -> Bool { counts[page, default: 0] > 1 }
}

extension SalvagedRows {
    /// Reads a table.
    /// - Parameter shape: what rows look like, where they are not proven by the page that they are on.
    init(
        _ tree: TreeWalk, in store: DamagedPages, _ use: OverflowUse, fits: @escaping (RowImage) -> Bool
    ) throws(StoreError) {
        var found: [(number: Int64, row: RowImage?)] = []
        var areSound = true
        for leaf in tree.leaves {
            guard let (page, isSound) = try store.tablePage(leaf.page, isExpected: true) else { continue }
            let cells = page.leafCells()
            if !isSound || !zip(cells, cells.dropFirst()).allSatisfy({ $0.row < $1.row }) { areSound = false }
            if !isSound || cells.count < page.cellOffsets.count { partlyRead.insert(leaf.page) }
            ambiguous += page.cellOffsets.count - cells.count
            for cell in cells {
                let row = try Self.row(cell, of: page, leaf.page, in: store, use, mustFit: isSound ? nil : fits)
                if row == nil { partlyRead.insert(leaf.page) }
                found.append((cell.row, row))
            }
        }
        // Whole pages in each other's place have each number once; a page of another time has some that are elsewhere too.
        if areSound, Set(found.map(\.number)).count == found.count { found.sort { $0.number < $1.number } }
        // The numbers of a table ascend from leaf to leaf. One that does not is damaged, or on a page of another time.
        let ascending = found.map(\.number).ascendingIndexes
        ambiguous += found.count - ascending.count
        for index in ascending {
            if let row = found[index].row { rows.append(row) } else { ambiguous += 1 }
        }
        try addStrays(tree, in: store, use)
    }

    /// Whether every number that a row on a lost page can have is that of a row that was found elsewhere. Core Data's
    /// begin with 1, which is all that bounds the first page of a table.
    func hasEveryRow(of loss: TreeWalk.Part) -> Bool {
        let after = loss.after ?? 0
        guard let through = loss.through, after < through else { return false }
        let (count, isTooLarge) = through.subtractingReportingOverflow(after)
        guard !isTooLarge, count <= rows.count else { return false }
        // The numbers ascend, so that as many of them between the same two are the same.
        let (first, last) = (
            rows.partitioningIndex { $0.number > after }, rows.partitioningIndex { $0.number > through }
        )
        return Int64(last - first) == count
    }

    /// Nil for a row that cannot be read, or does not fit.
    private static func row(
        _ cell: LeafCell, of page: BTreePage, _ number: UInt32, in store: DamagedPages, _ use: OverflowUse,
        mustFit fits: ((RowImage) -> Bool)?
    ) throws(StoreError) -> RowImage? {
        guard let overflow = try store.overflowPages(of: cell, on: number), !overflow.contains(where: use.isShared),
            let row = try store.row(cell, of: page, overflow: overflow), row.places != nil
        else { return nil }
        if let fits, !fits(row) { return nil }
        return row
    }

    /// Rows on pages that only their contents give to this table. They count where the tree has lost some.
    private mutating func addStrays(
        _ tree: TreeWalk, in store: DamagedPages, _ use: OverflowUse
    ) throws(StoreError) {
        guard !tree.strays.isEmpty else { return }
        let known = Set(rows.map(\.number))
        let lost = tree.lostRows
        var candidates: [Int64: (row: RowImage?, isPossiblyDeleted: Bool)] = [:]
        for number in tree.strays {
            guard let page = try store.tablePage(number, isExpected: true)?.page else { continue }
            let isPossiblyDeleted = store.isFree(number) == nil
            for cell in page.leafCells() {
                // What the tree has is the newer one.
                if known.contains(cell.row) { continue }
                let row = try Self.row(cell, of: page, number, in: store, use, mustFit: nil)
                guard lost.range(of: cell.row) != nil, let row else {
                    ambiguous += 1
                    continue
                }
                if let other = candidates[cell.row] {
                    if other.row != row {
                        // Of two versions nobody knows which is the last.
                        ambiguous += other.row == nil ? 1 : 2
                        candidates[cell.row] = (nil, false)
                    }
                } else {
                    candidates[cell.row] = (row, isPossiblyDeleted)
                }
            }
        }
        for candidate in candidates.values {
            guard let row = candidate.row else { continue }
            rows.append(row)
            if candidate.isPossiblyDeleted { possiblyDeleted += 1 }
        }
        rows.sort { $0.number < $1.number }
    }
}
