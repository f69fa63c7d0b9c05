internal import GRDB

/// The tables of a store whose schema may be damaged: from `sqlite_master` as far as it can be read, and where it is not
/// whole from the model that the store carries.
struct DamagedSchema {
    /// A line of `sqlite_master`.
    struct Entry {
        let statement: SchemaStatement
        /// Nil where the statement is made from the model: nobody knows where the table begins.
        let root: UInt32?
    }

    /// Where the statements are from.
    package enum Source: String, Sendable {
        case store
        /// From the store and, where they are missing there, from its model.
        case storeAndModel = "store-and-model"
    }

    /// In the order in which they were made. Those without a statement are SQLite's own.
    private(set) var entries: [Entry] = []
    /// Indexes that SQLite makes itself.
    private(set) var ownIndexes: [(table: SQLName, root: UInt32)] = []
    let leaves: TableLeaves
    let account: SalvagedRows
    /// Whether nothing of it is missing.
    let isWhole: Bool

    /// Reads `sqlite_master`.
    /// - Throws: `StoreError` if a file cannot be read.
    init(of store: DamagedPages) throws(StoreError) {
        var leaves = TableLeaves()
        leaves.walk = try TreeWalk(ofTableAt: 1, in: store) { store.isFree($0) != true && !store.map.contains($0) }
        if !leaves.isWhole {
            for page in 1...max(store.count, 1) where !leaves.walk.pages.contains(page) {
                if try Self.isLeaf(page, of: store) { leaves.strays.append(page) }
            }
        }
        var use = OverflowUse()
        try use.add(leaves.walk.leaves.map(\.page) + leaves.strays, in: store)
        account = try SalvagedRows(leaves, in: store, use, fits: Self.fits)
        self.leaves = leaves
        var isWhole = leaves.isWhole && account.doubtful == 0 && account.partlyRead.isEmpty
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
            let statement = SchemaStatement(kind: row.text(0) ?? "", name: name, table: table, sql: sql)
            entries.append(Entry(statement: statement, root: root))
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

    /// Adds what a store of this model has and is not there.
    mutating func add(_ statements: SchemaStatements) {
        var names = Set(entries.map(\.statement.name))
        for sql in statements.all {
            let words = sql.split(separator: " ")
            guard words.count > 4 else { continue }
            let isTable = words[1] == "TABLE"
            let name = SQLName(String(isTable || words[1] == "INDEX" ? words[2] : words[3]))
            let table = isTable ? name : SQLName(String(words[1] == "INDEX" ? words[4] : words[5]))
            guard names.insert(name).inserted else { continue }
            entries.append(
                Entry(
                    statement: SchemaStatement(kind: isTable ? "table" : "index", name: name, table: table, sql: sql),
                    root: nil))
        }
    }

    /// Takes tables out of which nothing is known, with their indexes.
    mutating func remove(_ tables: Set<SQLName>) { entries.removeAll { tables.contains($0.statement.table) } }

    /// The columns of its tables, as SQLite reads the statements.
    /// - Returns: also the names of those that it does not read.
    /// - Throws: SQLite's errors.
    func columns() throws -> (schema: StoreSchema, unreadable: [SchemaStatement]) {
        var configuration = Configuration(for: .scratch)
        configuration.acceptsDoubleQuotedStringLiterals = true
        var unreadable: [SchemaStatement] = []
        let queue = try DatabaseQueue(configuration: configuration)
        let schema = try queue.inDatabase { database in
            for case let statement in entries.map(\.statement) where statement.kind == "table" {
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
        return (schema, unreadable)
    }
}
