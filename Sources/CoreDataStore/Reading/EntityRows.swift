package import GRDB

/// Where the rows of a root entity and of everything below it are.
package struct EntityRows: Hashable, Sendable {
    package let root: PrimaryKeys.Entry
    /// `Z_ENT` of the entities whose rows belong here.
    package let numbers: [Int64]
    package let table: StoreSchema.Table

    /// The largest row number in use; 0 if there is none.
    /// - Throws: SQLite's errors.
    package func largestRow(_ database: Database) throws -> Int64 {
        guard table.has("Z_PK") else { return 0 }
        var largest: Int64 = 0
        try database.forEachRow("SELECT MAX(Z_PK) FROM \(table.name.quotedIdentifier)") { largest = $0.integer(0) }
        return largest
    }

    /// Rows of entities that do not belong in this table.
    /// - Throws: SQLite's errors.
    package func strangers(_ database: Database) throws -> [(row: Int64, number: Int64?)] {
        guard table.has("Z_PK"), table.has("Z_ENT") else { return [] }
        var strangers: [(row: Int64, number: Int64?)] = []
        try database.forEachRow(
            """
            SELECT Z_PK, Z_ENT FROM \(table.name.quotedIdentifier)
            WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.map(String.init).joined(separator: ", "))) ORDER BY Z_PK
            """
        ) { row in
            strangers.append((row.integer(0), row.storageClass(1) == .null ? nil : row.integer(1)))
        }
        return strangers
    }
}

extension StoreDescription {
    /// The tables of the app's own entities, in the order of entity numbers.
    package var entityTables: [EntityRows] {
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

extension Database {
    /// How many rows each of the tables has.
    /// - Throws: SQLite's errors.
    package func rowCounts(of tables: [SQLName]) throws -> [SQLName: Int] {
        var counts: [SQLName: Int] = [:]
        for table in tables {
            try forEachRow("SELECT COUNT(*) FROM \(table.quotedIdentifier)") { counts[table] = Int($0.integer(0)) }
        }
        return counts
    }
}
