package import GRDB

/// `Z_PRIMARYKEY`: the number of each entity and the last row number handed out. Numbers follow the order of the
/// names and change with a migration, so everything is looked up by name.
package struct PrimaryKeys: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// `Z_ENT`.
        package let number: Int64
        package let name: String
        /// `Z_ENT` of the parent entity; 0 without one.
        package let parent: Int64
        /// `Z_MAX`: the last `Z_PK` handed out.
        package let lastRow: Int64
    }

    package let entries: [Entry]

    package init(_ database: Database, schema: StoreSchema) throws {
        guard let table = schema.tables["Z_PRIMARYKEY"],
            ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"].allSatisfy(table.has)
        else {
            entries = []
            return
        }
        var entries: [Entry] = []
        try database.forEachRow("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") { row in
            entries.append(
                Entry(
                    number: row.integer(0), name: String(decoding: row.bytes(1), as: UTF8.self),
                    parent: row.integer(2), lastRow: row.integer(3)))
        }
        self.entries = entries
    }

    package subscript(name: String) -> Entry? { entries.first { $0.name == name } }
    package subscript(number number: Int64) -> Entry? { entries.first { $0.number == number } }

    /// The entity whose table holds the rows of `entry`: entities with a parent share the root's.
    package func root(of entry: Entry) -> Entry {
        var current = entry
        var seen: Set<Int64> = [entry.number]
        while current.parent != 0, let parent = self[number: current.parent], seen.insert(parent.number).inserted {
            current = parent
        }
        return current
    }

    /// `entry` and everything below it.
    package func family(of entry: Entry) -> [Entry] {
        entries.filter { candidate in
            var current: Entry? = candidate
            var seen: Set<Int64> = []
            while let step = current, seen.insert(step.number).inserted {
                if step.number == entry.number { return true }
                current = step.parent == 0 ? nil : self[number: step.parent]
            }
            return false
        }
    }

    /// The app's own entities: Core Data's history is numbered from 16001, the CloudKit mirror from 17001.
    package var appEntries: [Entry] { entries.filter { $0.number < 16_000 } }

    /// The table that holds the rows of `entry`.
    package func table(of entry: Entry) -> String { "Z" + root(of: entry).name.uppercased() }
}
