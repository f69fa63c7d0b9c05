/// What became of a row from one state to the next.
package struct RowChange: Hashable, Sendable {
    /// Nil for a row that was inserted.
    package let before: RowImage?
    /// Nil for a row that was deleted.
    package let after: RowImage?

    package var row: Int64 { before?.number ?? after?.number ?? 0 }
}

/// One table of a store from state to state, as its pages tell: the tree is walked from its root, and only the leaves
/// that differ are read row by row. A state of which one page is not certain is not known.
struct TableHistory {
    private struct Tree {
        var interior: Set<UInt32> = []
        var leaves: [UInt32: Leaf] = [:]
        var overflowOwners: [UInt32: UInt32] = [:]
    }

    private struct Leaf: Hashable {
        let version: StorePages.Version
        /// The pages on which its rows go on, each with its version.
        let overflow: [Overflow]
    }

    private struct Overflow: Hashable {
        let page: UInt32
        let version: StorePages.Version
    }

    private let pages: StorePages
    private var root: UInt32?
    private var tree = Tree()
    /// Whether the state that was visited last is known, so that `tree` is its tree. Otherwise it is that of the last one
    /// that is.
    private(set) var isKnown = false
    /// The page that made the last walk fail.
    private var obstacle: UInt32?
    /// Pages that may still be read: a hostile file could have the same ones read again and again.
    private var budget: Int

    init(in pages: StorePages) {
        self.pages = pages
        budget = 1 << 21
    }

    private struct NotKnown: Error {
        let page: UInt32
    }

    enum Visit {
        /// The rows that differ from the state before.
        case changes([RowChange])
        /// This state is known, and the one before it is not.
        case begins
        case unknown
    }

    /// Goes on to a state. States are visited in their order, none is left out.
    /// - Parameters:
    ///   - root: of the table in this state; nil if there is no table.
    ///   - written: the pages that the commit wrote.
    mutating func visit(_ state: Int, root: UInt32?, written: Set<UInt32>) throws(StoreError) -> Visit {
        let wasKnown = isKnown
        if isKnown, root == self.root, let changes = try changesOnLeaves(at: state, written) {
            return .changes(changes)
        }
        if !isKnown, let obstacle, root == self.root, !written.contains(obstacle) { return .unknown }
        self.root = root
        do {
            let walk = try root.map { try walkTree(from: $0, at: state) } ?? Tree()
            let old = tree.leaves.filter { walk.leaves[$0.key] != $0.value }
            let new = walk.leaves.filter { tree.leaves[$0.key] != $0.value }
            let changes =
                wasKnown ? try differences(old.map { ($0.key, $0.value) }, new.map { ($0.key, $0.value) }) : nil
            tree = walk
            isKnown = true
            obstacle = nil
            return changes.map(Visit.changes) ?? .begins
        } catch let error as NotKnown {
            isKnown = false
            obstacle = error.page
            return .unknown
        } catch {
            throw StoreError(error, at: pages.path)
        }
    }

    /// The rows that differ from the state before where no page above the leaves was written; nil where the tree may have
    /// another form now.
    private mutating func changesOnLeaves(at state: Int, _ written: Set<UInt32>) throws(StoreError) -> [RowChange]? {
        guard tree.interior.isDisjoint(with: written) else { return nil }
        let owners = written.compactMap { tree.overflowOwners[$0] }
        let touched = written.filter { tree.leaves[$0] != nil }.union(owners)
        do {
            var found: [UInt32: Leaf] = [:]
            for page in touched { found[page] = try leaf(page, at: state) }
            let changes = try differences(touched.map { ($0, tree.leaves[$0]) }, found.map { ($0.key, $0.value) })
            for (page, leaf) in found { take(leaf, at: page) }
            return changes
        } catch is NotKnown {
            // The root may be a leaf no more.
            return nil
        } catch {
            throw StoreError(error, at: pages.path)
        }
    }

    /// Goes on to a state of which nothing is known, not even where the table begins.
    mutating func skip() {
        isKnown = false
        obstacle = nil
    }

    private mutating func take(_ leaf: Leaf, at page: UInt32) {
        for overflow in tree.leaves[page]?.overflow ?? [] { tree.overflowOwners[overflow.page] = nil }
        tree.leaves[page] = leaf
        for overflow in leaf.overflow { tree.overflowOwners[overflow.page] = page }
    }

    /// All rows of the state that was visited last, in the order of their numbers.
    mutating func rows() throws(StoreError) -> [RowImage] {
        guard isKnown else { return [] }
        return try StoreError.at(pages.path) {
            try tree.leaves.flatMap { try rows($0, $1) }.sorted { $0.number < $1.number }
        }
    }

    // MARK: - Walking

    /// SQLite's own limit (`BTCURSOR_MAX_DEPTH`).
    static let deepest = 20

    private mutating func walkTree(from root: UInt32, at state: Int) throws -> Tree {
        var walk = Tree()
        var seen: Set<UInt32> = []
        var next: [(page: UInt32, depth: Int)] = [(root, 1)]
        while let (number, depth) = next.popLast() {
            guard seen.insert(number).inserted, depth <= Self.deepest else { throw NotKnown(page: number) }
            // What an earlier walk found on a page of this version is still so.
            if let leaf = tree.leaves[number], try isCurrent(leaf, number, at: state) {
                for overflow in leaf.overflow { walk.overflowOwners[overflow.page] = number }
                walk.leaves[number] = leaf
                continue
            }
            let page = try self.page(number, version(of: number, at: state))
            switch page.kind {
            case .interiorTable:
                walk.interior.insert(number)
                next += page.children.map { ($0, depth + 1) }
                // Every page is visited once, so no more of them can be waiting than there are.
                guard next.count <= 1 << 24 else { throw NotKnown(page: number) }
            case .leafTable:
                let leaf = try self.leaf(number, at: state)
                walk.leaves[number] = leaf
                for overflow in leaf.overflow {
                    guard seen.insert(overflow.page).inserted else { throw NotKnown(page: overflow.page) }
                    walk.overflowOwners[overflow.page] = number
                }
            case .interiorIndex, .leafIndex: throw NotKnown(page: number)
            }
        }
        return walk
    }

    private func isCurrent(_ leaf: Leaf, _ number: UInt32, at state: Int) throws -> Bool {
        guard try pages.version(of: number, at: state) == leaf.version else { return false }
        return try leaf.overflow.allSatisfy { try pages.version(of: $0.page, at: state) == $0.version }
    }

    private func version(of page: UInt32, at state: Int) throws -> StorePages.Version {
        guard let version = try pages.version(of: page, at: state) else { throw NotKnown(page: page) }
        return version
    }

    private mutating func page(_ number: UInt32, _ version: StorePages.Version) throws -> BTreePage {
        let bytes = try bytes(of: number, version)
        guard let page = BTreePage(bytes, number: number, usableSize: pages.usableSize) else {
            throw NotKnown(page: number)
        }
        return page
    }

    private mutating func bytes(of number: UInt32, _ version: StorePages.Version) throws -> [UInt8] {
        budget -= 1
        guard budget > 0 else { throw NotKnown(page: number) }
        if budget & 0xFFF == 0 { try Interruption.check(pages.path) }
        return try pages.bytes(of: number, version)
    }

    /// A leaf in a state: which versions of which pages its rows are on.
    private mutating func leaf(_ number: UInt32, at state: Int) throws -> Leaf {
        let version = try version(of: number, at: state)
        let page = try page(number, version)
        guard page.kind == .leafTable else { throw NotKnown(page: number) }
        var overflow: [Overflow] = []
        var seen: Set<UInt32> = []
        for offset in page.cellOffsets {
            guard let cell = page.leafCell(at: offset) else { throw NotKnown(page: number) }
            var next = cell.overflow
            var left = cell.size - cell.local.count
            while let page = next {
                guard page > 0, seen.insert(page).inserted else { throw NotKnown(page: number) }
                let version = try self.version(of: page, at: state)
                overflow.append(Overflow(page: page, version: version))
                left -= pages.usableSize - 4
                next = left > 0 ? try bytes(of: page, version).bigEndian(at: 0) : nil
            }
        }
        return Leaf(version: version, overflow: overflow)
    }

    private mutating func rows(_ number: UInt32, _ leaf: Leaf) throws -> [RowImage] {
        let page = try page(number, leaf.version)
        var overflow = leaf.overflow[...]
        return try page.cellOffsets.map { offset in
            guard let cell = page.leafCell(at: offset) else { throw NotKnown(page: number) }
            var record = Array(page.bytes[cell.local])
            // In the order in which `leaf(_:at:)` found them.
            while record.count < cell.size, let part = overflow.popFirst() {
                let bytes = try bytes(of: part.page, part.version)
                record += bytes[4..<4 + min(pages.usableSize - 4, cell.size - record.count)]
            }
            return RowImage(number: cell.row, record: record)
        }
    }

    /// The rows that differ between two sets of leaves.
    private mutating func differences(
        _ old: [(UInt32, Leaf?)], _ new: [(UInt32, Leaf)]
    ) throws -> [RowChange] {
        var before: [Int64: RowImage] = [:]
        for case (let page, let leaf?) in old { for row in try rows(page, leaf) { before[row.number] = row } }
        var changes: [RowChange] = []
        for (page, leaf) in new {
            for row in try rows(page, leaf) {
                let earlier = before.removeValue(forKey: row.number)
                if earlier != row { changes.append(RowChange(before: earlier, after: row)) }
            }
        }
        changes += before.values.map { RowChange(before: $0, after: nil) }
        return changes.sorted { $0.row < $1.row }
    }
}
