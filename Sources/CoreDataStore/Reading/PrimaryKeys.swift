package import GRDB

/// `Z_PRIMARYKEY`: the number of each entity and the last row number given out. Entity numbers follow the order of the
/// names and change with a migration, so everything is looked up by name.
package struct PrimaryKeys: Hashable, Sendable {
    /// One entity's row.
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
        var entries: [Entry] = []
        try database.forEachRow("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") { row in
            entries.append(
                Entry(
                    number: row.integer(0), name: String(decoding: row.bytes(1), as: UTF8.self),
                    parent: row.integer(2), lastRow: row.integer(3)))
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

    /// Whether this is the number of one of the app's own entities.
    package func isApp(_ number: Int64) -> Bool { self[number: number]?.isApp ?? false }

    /// The table that holds the rows of `entry`.
    package func table(of entry: Entry) -> SQLName { "Z\(root(of: entry).name.uppercased())" }
}
