internal import GRDB

/// The tables of a store whose schema may be damaged: from `sqlite_master` as far as it can be read, and where it is not
/// whole from the model that the store carries.
struct DamagedSchema {
    /// In the order in which they were made. Those without a statement are SQLite's own.
    private(set) var entries: [SchemaStatement] = []
    /// Indexes that SQLite makes itself.
    private(set) var ownIndexes: [(table: SQLName, root: UInt32)] = []
    let tree: TreeWalk
    let account: SalvagedRows
    /// Whether nothing of it is missing.
    let isWhole: Bool

    /// Reads `sqlite_master`.
    init(of store: DamagedPages) throws(StoreError) {
        var tree = try TreeWalk(ofTableAt: 1, in: store) { store.isFree($0) != true && !store.map.contains($0) }
        if !tree.isWhole {
            for page in 1...max(store.count, 1) where !tree.pages.contains(page) {
                if try Self.isLeaf(page, of: store) { tree.strays.append(page) }
            }
        }
        var use = OverflowUse()
        try use.add(tree, in: store)
        account = try SalvagedRows(tree, in: store, use, fits: Self.fits)
        self.tree = tree
        var isWhole = tree.isWhole && account.ambiguous == 0 && account.partlyRead.isEmpty
        var seen: Set<SQLName> = []
        for row in account.rows {
            guard Self.fits(row), let name = row.text(1).map({ SQLName($0) }), seen.insert(name).inserted,
                entries.count < Self.most
            else {
                isWhole = false
                continue
            }
            let root = row.integer(3).flatMap { UInt32(exactly: $0) }.flatMap { $0 == 0 ? nil : $0 }
            let table = SQLName(row.text(2) ?? "")
            guard let sql = row.text(4) else {
                if let root { ownIndexes.append((table, root)) }
                continue
            }
            entries.append(SchemaStatement(kind: row.text(0) ?? "", name: name, table: table, sql: sql, root: root))
        }
        self.isWhole = isWhole
    }

    /// No app has so many tables and indexes; a hostile file can.
    private static let most = 4096

    /// Whether every row on a page is one of `sqlite_master`.
    private static func isLeaf(_ number: UInt32, of store: DamagedPages) throws(StoreError) -> Bool {
        guard store.isFree(number) != true, let root = Optional(store.map.root(of: number)), root == nil || root == 1,
            let (page, isSound) = try store.tablePage(number, isExpected: false), isSound, page.kind == .leafTable,
            !page.cellOffsets.isEmpty
        else { return false }
        for cell in page.leafCells() {
            guard let overflow = try store.overflowPages(of: cell, on: number),
                let row = try store.row(cell, of: page, overflow: overflow), fits(row)
            else { return false }
        }
        return true
    }

    private static func fits(_ row: RowImage) -> Bool {
        guard row.places?.count == 5, let kind = row.text(0),
            ["table", "index", "trigger", "view"].contains(kind), row.text(1) != nil, row.text(2) != nil
        else { return false }
        return row.places?[4].type == 0 || row.text(4).map { SQLName($0).hasPrefix("CREATE ") } == true
    }

    /// What a new store of a model has.
    static func named(_ statements: SchemaStatements) -> [SchemaStatement] {
        statements.all.compactMap { sql in
            let words = sql.split(separator: " ").map(String.init)
            guard words.count > 4 else { return nil }
            let isTable = words[1] == "TABLE"
            let isUnique = words[1] == "UNIQUE" && words.count > 5
            let name = SQLName(words[isUnique ? 3 : 2])
            return SchemaStatement(
                kind: isTable ? "table" : "index", name: name,
                table: isTable ? name : SQLName(words[isUnique ? 5 : 4]), sql: sql)
        }
    }

    /// Adds those of a model that are not there.
    mutating func add(_ statements: [SchemaStatement]) {
        var names = Set(entries.map(\.name))
        entries += statements.filter { names.insert($0.name).inserted }
    }

    /// Puts the model's statement in the place of one that differs from it in one byte only.
    /// - Returns: the names of those that did.
    mutating func correct(by statements: [SchemaStatement]) -> [SQLName] {
        var corrected: [SQLName] = []
        for index in entries.indices {
            let found = entries[index]
            // A byte that is not UTF-8 has become one U+FFFD.
            func letters(_ statement: SchemaStatement) -> [Unicode.Scalar] {
                let text = "\(statement.kind)\0\(statement.name)\0\(statement.table)\0\(statement.sql)"
                return Array(text.unicodeScalars)
            }
            let text = letters(found)
            let near = statements.first { statement in
                let other = letters(statement)
                return other.count == text.count && zip(other, text).count { $0 != $1 } == 1
            }
            guard var near else { continue }
            near.root = found.root
            entries[index] = near
            corrected.append(near.name)
        }
        return corrected
    }

    /// Mends tables whose statements SQLite does not read, or which bear another name than in their statement: by the model
    /// where it has a table of the one name or the other.
    /// - Returns: the names of those that have the model's statement now, and of those that got their name back.
    mutating func mend(
        _ unreadable: [SchemaStatement], by statements: [SchemaStatement]
    ) -> (replaced: [SQLName], renamed: [SQLName]) {
        var (replaced, renamed): ([SQLName], [SQLName]) = ([], [])
        let damaged = Set(unreadable.map(\.name))
        for index in entries.indices where entries[index].kind == "table" && damaged.contains(entries[index].name) {
            let found = entries[index]
            let stated = found.isHarmless ? found.nameInStatement : nil
            guard var made = statements.first(where: { $0.kind == "table" && [found.name, stated].contains($0.name) }),
                made.name == found.name || !entries.contains(where: { $0.name == made.name })
            else { continue }
            if let stated, stated == made.name, stated != found.name {
                made = SchemaStatement(kind: "table", name: stated, table: stated, sql: found.sql)
                renamed.append(stated)
            } else {
                replaced.append(made.name)
            }
            made.root = found.root
            entries[index] = made
        }
        return (replaced, renamed)
    }

    /// The columns of its tables, as SQLite reads the statements.
    /// - Returns: also the names of those that it does not read.
    func columns() throws -> (schema: StoreSchema, unreadable: [SchemaStatement]) {
        var configuration = Configuration(for: .scratch)
        configuration.acceptsDoubleQuotedStringLiterals = true
        var unreadable: [SchemaStatement] = []
        // SQLite makes its own tables itself.
        let made = entries.filter { $0.kind == "table" && !$0.name.hasPrefix("sqlite_") }
        let queue = try DatabaseQueue(configuration: configuration)
        let schema = try queue.inDatabase { database in
            for statement in made {
                do {
                    guard statement.isHarmless else { throw DatabaseError(resultCode: .SQLITE_ERROR) }
                    try database.makeStatement(sql: statement.sql).execute()
                } catch is DatabaseError {
                    unreadable.append(statement)
                }
            }
            return try StoreSchema(database)
        }
        try queue.close()
        // Those that make a table of another name.
        let refused = Set(unreadable.map(\.name))
        unreadable += made.filter { schema.tables[$0.name] == nil && !refused.contains($0.name) }
        return (schema, unreadable)
    }
}
