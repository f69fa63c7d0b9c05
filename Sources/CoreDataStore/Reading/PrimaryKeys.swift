package import GRDB

/// `Z_PRIMARYKEY`: the number of each entity and the last row number given out. Entity numbers follow the order of the
/// names and change with a migration, so everything is looked up by name.
package struct PrimaryKeys: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// `Z_ENT`.
        package let number: Int64
        package let name: String
        /// `Z_ENT` of the parent entity; 0 without one.
        package let parent: Int64
        /// `Z_MAX`: the last `Z_PK` given out.
        package var lastRow: Int64

        package init(number: Int64, name: String, parent: Int64, lastRow: Int64) {
            self.number = number
            self.name = name
            self.parent = parent
            self.lastRow = lastRow
        }

        var isApp: Bool { number < 16_000 }
    }

    package let entries: [Entry]
    // A damaged store can have thousands of entities, each the parent of the next.
    private let byName: [String: Int]
    private let byNumber: [Int64: Int]
    private let children: [Int64: [Int]]
    private let roots: [Int64: Int64]

    /// Reads the table; without it there are no entries.
    /// - Throws: SQLite's errors.
    package init(_ database: Database, schema: StoreSchema) throws {
        guard let table = schema.tables["Z_PRIMARYKEY"],
            ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"].allSatisfy(table.has)
        else {
            self.init([])
            return
        }
        self.init(
            try database.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") { row in
                Entry(
                    number: row.integer(0), name: String(decoding: row.bytes(1), as: UTF8.self),
                    parent: row.integer(2), lastRow: row.integer(3))
            })
    }

    /// The numbers that Core Data gives the entities of a new store: from 1, along the tree of inheritance, depth first,
    /// siblings by name. Without inheritance that is the alphabetical order. Entities that inherit from each other in a
    /// circle get none.
    package init(numbering model: ManagedObjectModel) {
        var entries: [Entry] = []
        var numbered: Set<String> = []
        func visit(_ entity: Entity, parent: Int64) {
            guard numbered.insert(entity.name).inserted else { return }
            let number = Int64(entries.count + 1)
            entries.append(Entry(number: number, name: entity.name, parent: parent, lastRow: 0))
            for child in model.entities where child.superentity == entity.name { visit(child, parent: number) }
        }
        for root in model.entities where root.superentity.flatMap({ model[entity: $0] }) == nil {
            visit(root, parent: 0)
        }
        self.init(entries)
    }

    private init(_ entries: [Entry]) {
        self.entries = entries
        let indexed = Array(entries.enumerated())
        byName = Dictionary(indexed.map { ($0.element.name, $0.offset) }) { first, _ in first }
        byNumber = Dictionary(indexed.map { ($0.element.number, $0.offset) }) { first, _ in first }
        children = Dictionary(grouping: indexed.filter { $0.element.parent != 0 }, by: \.element.parent)
            .mapValues { $0.map(\.offset) }
        roots = Self.roots(of: entries, byNumber)
    }

    /// The number of each entity's root. Entities that are each other's parents have one of them as root.
    private static func roots(of entries: [Entry], _ byNumber: [Int64: Int]) -> [Int64: Int64] {
        var roots: [Int64: Int64] = [:]
        for entry in entries {
            var path = [entry.number]
            var seen: Set<Int64> = [entry.number]
            var current = entry
            while roots[current.number] == nil, current.parent != 0, let parent = byNumber[current.parent],
                seen.insert(entries[parent].number).inserted
            {
                current = entries[parent]
                path.append(current.number)
            }
            let root = roots[current.number] ?? current.number
            for number in path { roots[number] = root }
        }
        return roots
    }

    package subscript(name: String) -> Entry? { byName[name].map { entries[$0] } }
    package subscript(number number: Int64) -> Entry? { byNumber[number].map { entries[$0] } }

    /// The entity whose table holds the rows of `entry`: entities with a parent share the root's.
    package func root(of entry: Entry) -> Entry { roots[entry.number].flatMap { self[number: $0] } ?? entry }

    /// `entry` and everything below it, by number.
    package func family(of entry: Entry) -> [Entry] {
        var family = [entry]
        var seen: Set<Int64> = [entry.number]
        var next = 0
        while next < family.count {
            for child in children[family[next].number] ?? [] where seen.insert(entries[child].number).inserted {
                family.append(entries[child])
            }
            next += 1
        }
        return family.sorted { $0.number < $1.number }
    }

    /// The app's own entities: Core Data's history is numbered from 16001, the CloudKit mirror from 17001.
    package var appEntries: [Entry] { entries.filter(\.isApp) }

    package func isApp(_ number: Int64) -> Bool { self[number: number]?.isApp ?? false }

    package func table(of entry: Entry) -> SQLName { "Z\(root(of: entry).name.uppercased())" }
}

/// Where the rows of a root entity and of everything below it are.
package struct EntityRows: Hashable, Sendable {
    package let root: PrimaryKeys.Entry
    /// `Z_ENT` of the entities whose rows belong here.
    package let numbers: [Int64]
    package let table: StoreSchema.Table

    /// The largest row number in use; 0 if there is none.
    /// - Throws: SQLite's errors.
    package func largestRow(_ database: Database) throws -> Int64 {
        try table.has("Z_PK") ? database.integer(of: "SELECT MAX(Z_PK) FROM \(table.name.quotedIdentifier)") : 0
    }

    /// Rows with numbers that Core Data never gives.
    /// - Throws: SQLite's errors.
    package func rowsBelowOne(_ database: Database) throws -> [Int64] {
        guard table.has("Z_PK") else { return [] }
        return try database.rows(
            "SELECT Z_PK FROM \(table.name.quotedIdentifier) WHERE Z_PK < 1 ORDER BY Z_PK"
        ) { $0.integer(0) }
    }

    /// Rows of entities that do not belong in this table.
    /// - Throws: SQLite's errors.
    package func strangers(_ database: Database) throws -> [(row: Int64, number: Int64?)] {
        guard table.has("Z_PK"), table.has("Z_ENT") else { return [] }
        return try database.rows(
            """
            SELECT Z_PK, Z_ENT FROM \(table.name.quotedIdentifier)
            WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.sqlList)) ORDER BY Z_PK
            """
        ) { ($0.integer(0), $0.integerOrNil(1)) }
    }
}

extension EntityRows {
    /// The tables of the app's own entities, in the order of entity numbers.
    static func all(_ keys: PrimaryKeys, _ schema: StoreSchema) -> [EntityRows] {
        // An entity may have several numbers, which is damage: all of them belong to its table.
        let numbers = Dictionary(grouping: keys.appEntries, by: keys.table).mapValues { $0.map(\.number) }
        return keys.appEntries.compactMap { entry in
            let name = keys.table(of: entry)
            guard keys.root(of: entry) == entry, keys[entry.name] == entry, let table = schema.tables[name] else {
                return nil
            }
            return EntityRows(root: entry, numbers: numbers[name] ?? [], table: table)
        }
    }
}

extension StoreDescription {
    /// Those of some objects that are there.
    /// - Throws: SQLite's errors.
    package func living(
        _ objects: Set<CloudKitMirror.Object>, _ database: Database
    ) throws -> [CloudKitMirror.Object] {
        guard !objects.isEmpty else { return [] }
        return try objectTables.flatMap { entity in
            let there = try PreparedStatement(
                database, "SELECT 1 FROM \(entity.table.name.quotedIdentifier) WHERE Z_PK = ? AND Z_ENT = ?")
            return try objects.filter { object in
                guard entity.numbers.contains(object.entityNumber) else { return false }
                var isThere = false
                try there.forEachRow([.integer(object.row), .integer(object.entityNumber)]) { _ in isThere = true }
                return isThere
            }
        }
    }

    /// Entities of the app, of the history and of the mirror that the store lists and has no table for. (Every store that
    /// was seen has them all.)
    package var entitiesWithoutTable: [PrimaryKeys.Entry] {
        keys.entries.filter { keys.root(of: $0) == $0 && table(of: $0) == nil }
    }

    /// The mirror's tables, in the order of their entities' numbers.
    package var mirrorTables: [EntityRows] {
        keys.entries.filter { $0.number > 17_000 }.compactMap { entry in
            table(of: entry).map { EntityRows(root: entry, numbers: [entry.number], table: $0) }
        }
    }

    /// Core Data's own tables begin with `A`, in the oldest stores with `Z` (seen).
    private func table(of entry: PrimaryKeys.Entry) -> StoreSchema.Table? {
        if entry.isApp { return schema.tables[keys.table(of: entry)] }
        let name = entry.name.uppercased()
        return schema.tables["A\(name)"] ?? schema.tables["Z\(name)"]
    }

    /// The tables of entities whose rows have a number and an entity.
    var objectTables: [EntityRows] { entityTables.filter { $0.table.has("Z_PK") && $0.table.has("Z_ENT") } }
}

extension Database {
    /// - Throws: SQLite's errors.
    package func rowCounts(of tables: [SQLName]) throws -> [SQLName: Int] {
        try tables.reduce(into: [:]) {
            $0[$1] = Int(try integer(of: "SELECT COUNT(*) FROM \($1.quotedIdentifier)"))
        }
    }
}
