internal import Foundation

/// Everything that can be read of a store whose files may be damaged: which table has which pages, and in what state they
/// are.
final class DamagedStore {
    let store: DamagedPages
    private(set) var schema: DamagedSchema
    /// Whether statements that are missing were taken from its model.
    private(set) var isSchemaFromModel = false
    /// As SQLite reads its statements.
    private(set) var columns: StoreSchema
    /// What of the schema cannot be made.
    private(set) var unreadable: [SchemaStatement]
    private(set) var trees: [SQLName: TreeWalk] = [:]
    private(set) var use = OverflowUse()
    private(set) var brokenOfIndexes: [(page: UInt32, table: SQLName)] = []
    /// Pages with rows of which nobody knows the table.
    private(set) var unassigned: [UInt32] = []
    private var shapes: [SQLName: RowShape] = [:]
    private var owners: [UInt32: SQLName] = [:]

    /// Tables and indexes whose statement or name differed from the model's in one byte, as damage makes it, or was not to
    /// be read at all.
    private(set) var corrected: [SQLName] = []
    /// Those of them that have the model's columns, in its order.
    private(set) var replaced: Set<SQLName> = []
    /// Whether statements are missing, and there is no model to take them from.
    private(set) var lacksModel = false

    /// - Parameter fallback: a model for where the store has lost both its own and some of its statements.
    init(_ store: DamagedPages, fallback: ManagedObjectModel? = nil) throws {
        self.store = store
        schema = try DamagedSchema(of: store)
        let own = try Self.model(in: store)
        let model = own ?? (schema.isWhole ? nil : fallback)
        lacksModel = !schema.isWhole && model == nil
        let statements = model.flatMap { try? SchemaStatements($0, history: .current) }
        let named = statements.map(DamagedSchema.named) ?? []
        if own != nil { corrected = schema.correct(by: named) }
        let before = schema.entries.count
        if !schema.isWhole { schema.add(named) }
        isSchemaFromModel = schema.entries.count > before
        (columns, unreadable) = try schema.columns()
        if own != nil, !unreadable.isEmpty {
            let (replaced, renamed) = schema.mend(unreadable, by: named)
            self.replaced = Set(replaced)
            corrected += replaced + renamed
            (columns, unreadable) = try schema.columns()
        }
        try walkTrees()
        try findShapes()
        try settleContested()
        let areMissed = try findMissed()
        if areMissed || trees.values.contains(where: { !$0.isWhole }) || !schema.isWhole {
            // The numbers of the entities tell the rows of all other tables.
            try findStrays(of: ["Z_PRIMARYKEY"])
            try findShapes()
            try findStrays(of: Set(trees.keys))
        }
        for tree in trees.values { try use.add(tree, in: store) }
    }

    /// The tables that can be made, in the order in which they were.
    var tables: [StoreSchema.Table] {
        schema.entries.compactMap { entry in
            entry.kind == "table" && isOrdinary(entry.name) && !entry.isWithoutRowNumbers
                ? columns.tables[entry.name] : nil
        }
    }

    /// The tables without row numbers that no virtual table makes itself: they are not read.
    var withoutRowNumbers: [SQLName] {
        schema.entries.filter { $0.isWithoutRowNumbers && isOrdinary($0.name) }.map(\.name)
    }

    /// Whether no page of a table is damaged, nor one of the schema.
    var hasWholeTrees: Bool { schema.isWhole && trees.values.allSatisfy(\.isWhole) }

    /// How many leaves have a table.
    var leafCount: Int { trees.values.reduce(0) { $0 + $1.leaves.count + $1.strays.count } }

    /// SQLite makes its own tables itself, and a virtual table those that it keeps its rows in.
    private func isOrdinary(_ name: SQLName) -> Bool {
        !name.hasPrefix("sqlite_")
            && !unreadable.contains { StoreSchema.makesVirtualTable($0.sql) && name.hasPrefix("\($0.name)_") }
    }

    func rows(of table: StoreSchema.Table) throws(StoreError) -> SalvagedRows {
        guard let tree = trees[table.name] else { return SalvagedRows() }
        let shape = shapes[table.name] ?? RowShape(table, entityNumbers: [])
        return try SalvagedRows(tree, in: store, use, fits: shape.fits)
    }

    // MARK: - The model

    /// The model that the store carries, wherever its row is.
    private static func model(in store: DamagedPages) throws(StoreError) -> ManagedObjectModel? {
        guard store.count > 0 else { return nil }
        for number in 1...store.count {
            guard store.isFree(number) != true, !store.map.contains(number),
                let (page, _) = try store.tablePage(number, isExpected: false), page.kind == .leafTable,
                page.cellOffsets.count <= 4
            else { continue }
            for cell in page.leafCells() where cell.size > 64 {
                guard let overflow = try store.overflowPages(of: cell, on: number),
                    let row = try store.row(cell, of: page, overflow: overflow), let places = row.places,
                    places.count == 1, places[0].type >= 12, places[0].type % 2 == 0
                else { continue }
                if let model = try? ManagedObjectModel(modelCache: Array(row.record[places[0].offset...])) {
                    return model
                }
            }
        }
        return nil
    }

    // MARK: - Trees

    private func isUsable(_ page: UInt32) -> Bool {
        page > 0 && store.isFree(page) != true && !store.map.contains(page)
    }

    private func walkTrees() throws {
        for page in schema.tree.pages.union(schema.tree.strays) { owners[page] = "sqlite_master" }
        let indexes =
            schema.entries.compactMap { entry in
                entry.kind == "index" ? entry.root.map { (table: entry.table, root: $0) } : nil
            } + schema.ownIndexes
            + schema.entries.compactMap { entry in
                entry.isWithoutRowNumbers ? entry.root.map { (table: entry.name, root: $0) } : nil
            }
        for index in indexes {
            let (pages, broken) = try TreeWalk.pages(ofIndexAt: index.root, in: store)
            for page in pages where owners[page] == nil && !broken.contains(page) { owners[page] = index.table }
            brokenOfIndexes += broken.map { ($0, index.table) }
        }
        for entry in schema.entries where entry.kind == "table" && !entry.isWithoutRowNumbers {
            let name = entry.name
            guard columns.tables[name] != nil else {
                // SQLite makes its own tables again.
                guard name.hasPrefix("sqlite_"), let root = entry.root else { continue }
                let walk = try TreeWalk(ofTableAt: root, in: store) { isUsable($0) && $0 > 1 && owners[$0] == nil }
                for leaf in walk.leaves { owners[leaf.page] = name }
                continue
            }
            // The root of a tree has nothing above it.
            if let root = entry.root, store.map[root] == nil || store.map[root] == .root {
                trees[name] = try TreeWalk(ofTableAt: root, in: store) { isUsable($0) && $0 > 1 }
            } else {
                trees[name] = TreeWalk(withoutRoot: entry.root ?? 0)
            }
        }
    }

    /// What the rows of each table look like, as far as those say that are known.
    private func findShapes() throws {
        var numbers: [SQLName: Set<Int64>] = [:]
        if let keys = columns.tables["Z_PRIMARYKEY"], let tree = trees["Z_PRIMARYKEY"] {
            var entities: [Int64: (name: String, parent: Int64)] = [:]
            for row in try SalvagedRows(tree, in: store, use, fits: RowShape(keys, entityNumbers: []).fits).rows {
                if let name = row.text(1) { entities[row.number] = (name, row.integer(2) ?? 0) }
            }
            for (number, entity) in entities {
                var root = entity
                for _ in 0..<entities.count {
                    guard root.parent != 0, let parent = entities[root.parent] else { break }
                    root = parent
                }
                for prefix in ["Z", "A"] {
                    numbers[SQLName(prefix + root.name.uppercased()), default: []].insert(number)
                }
            }
        }
        let fromModel = Set(schema.entries.filter { $0.root == nil }.map(\.name))
        for (name, table) in columns.tables {
            shapes[name] = RowShape(
                table, entityNumbers: numbers[name] ?? [], isFromModel: fromModel.contains(name))
        }
    }

    /// A page that two trees have belongs to one of them.
    private func settleContested() throws(StoreError) {
        var claims: [UInt32: [SQLName]] = [:]
        for (name, tree) in trees { for leaf in tree.leaves { claims[leaf.page, default: []].append(name) } }
        for (page, names) in claims {
            let other = owners[page]
            guard names.count > 1 || other != nil else {
                owners[page] = names[0]
                continue
            }
            let rows = try wholeRows(on: page)
            var fitting = names.filter { name in rows.map { shapes[name]?.fits(page: $0) == true } ?? false }
            // The schema and the indexes are recognized without doubt.
            if other != nil || fitting.count != 1 { fitting = [] }
            for name in names where !fitting.contains(name) { trees[name]?.lose(page) }
            owners[page] = other ?? fitting.first
        }
    }

    /// The rows on a leaf that nothing is wrong with; nil for any other page.
    private func wholeRows(on number: UInt32) throws(StoreError) -> [RowImage]? {
        guard let (page, isSound) = try store.tablePage(number, isExpected: false), isSound, page.kind == .leafTable
        else { return nil }
        var rows: [RowImage] = []
        var seen: Set<UInt32> = []
        for cell in page.leafCells() {
            guard let overflow = try store.overflowPages(of: cell, on: number),
                overflow.allSatisfy({ seen.insert($0).inserted }),
                let row = try store.row(cell, of: page, overflow: overflow)
            else { return nil }
            rows.append(row)
        }
        return rows.isEmpty ? nil : rows
    }

    // MARK: - Pages without a tree

    /// Looks for leaves that must be in a tree and are in none: a page above them is one of an earlier time, and says
    /// nothing of them.
    /// - Returns: whether there are any.
    private func findMissed() throws(StoreError) -> Bool {
        let claimed = Set(trees.values.flatMap(\.pages))
        var areMissed = false
        guard store.count > 1 else { return false }
        for page in 2...store.count
        where owners[page] == nil && !claimed.contains(page) && !store.map.contains(page) && store.isMissed(page) {
            guard let rows = try wholeRows(on: page) else { continue }
            areMissed = true
            for name in trees.keys where shapes[name]?.fits(page: rows) == true { trees[name]?.loseSomewhere() }
        }
        return areMissed
    }

    private func findStrays(of tables: Set<SQLName>) throws {
        try adoptTrees(of: tables)
        let claimed = Set(trees.values.flatMap(\.pages))
        guard store.count > 1 else { return }
        let lost = trees.mapValues(\.lostRows)
        for page in 2...store.count where owners[page] == nil && isUsable(page) && !claimed.contains(page) {
            guard let rows = try wholeRows(on: page) else { continue }
            let fitting = trees.filter { name, tree in
                guard tables.contains(name), !tree.isWhole, let shape = shapes[name] else { return false }
                guard let range = lost[name]?.range(of: rows[0].number) else { return false }
                return rows.allSatisfy { range.contains($0.number) } && shape.fits(page: rows)
            }
            if fitting.count == 1, let name = fitting.first?.key {
                trees[name]?.strays.append(page)
                owners[page] = name
            } else if tables.count > 1 {
                unassigned.append(page)
            }
        }
    }

    /// Trees whose roots the map knows, and the schema does not.
    private func adoptTrees(of tables: Set<SQLName>) throws {
        var claimed = Set(trees.values.flatMap(\.pages))
        for root in store.map.roots where owners[root] == nil && !claimed.contains(root) {
            var walk = try TreeWalk(ofTableAt: root, in: store) { isUsable($0) && owners[$0] == nil }
            var rows: [RowImage] = []
            for leaf in walk.leaves where rows.count < 256 { rows += try wholeRows(on: leaf.page) ?? [] }
            guard !rows.isEmpty else { continue }
            let fitting = trees.filter { name, tree in
                tables.contains(name) && tree.leaves.isEmpty && !tree.isWhole
                    && shapes[name]?.fits(page: rows) == true
            }
            guard fitting.count == 1, let name = fitting.first?.key else { continue }
            walk.strays = trees[name]?.strays ?? []
            trees[name] = walk
            claimed.formUnion(walk.pages)
            for leaf in walk.leaves { owners[leaf.page] = name }
        }
    }
}
