package import GRDB

/// Whether the record metadata is consistent with the store's objects.
extension CloudKitMirror {
    /// The entity numbers in the record metadata, and how many rows have each.
    /// - Throws: SQLite's errors.
    package func entityNumbers(_ database: Database) throws -> [(number: Int64, rows: Int64)] {
        try database.rows(
            """
            SELECT ZENTITYID, COUNT(*) FROM \(metadata.name.quotedIdentifier) WHERE ZENTITYID IS NOT NULL
            GROUP BY ZENTITYID ORDER BY ZENTITYID
            """
        ) { ($0.integer(0), $0.integer(1)) }
    }

    /// Objects with more than one row of record metadata, and how many rows each has.
    /// - Throws: SQLite's errors.
    package func objectsDescribedTwice(_ database: Database) throws -> [(object: Object, rows: Int64)] {
        try database.rows(
            """
            SELECT ZENTITYID, ZENTITYPK, COUNT(*) FROM \(metadata.name.quotedIdentifier)
            WHERE ZENTITYID IS NOT NULL AND ZENTITYPK IS NOT NULL
            GROUP BY ZENTITYID, ZENTITYPK HAVING COUNT(*) > 1 ORDER BY ZENTITYID, ZENTITYPK
            """
        ) { (Object(entityNumber: $0.integer(0), row: $0.integer(1)), $0.integer(2)) }
    }

    /// CloudKit record names that several objects have, in one zone as far as their zones are known, each with its objects.
    /// - Throws: SQLite's errors.
    package func namesOfSeveralObjects(_ database: Database) throws -> [(recordName: String, objects: [Object])] {
        guard metadata.has("ZCKRECORDNAME") else { return [] }
        let names = try database.rows(
            """
            SELECT ZCKRECORDNAME FROM \(metadata.name.quotedIdentifier) WHERE ZCKRECORDNAME <> '' GROUP BY ZCKRECORDNAME
            HAVING COUNT(*) > 1 AND COUNT(DISTINCT \(column("ZRECORDZONE"))) < COUNT(*) ORDER BY 1
            """
        ) { $0.text(0) ?? "" }
        return try names.compactMap { name in
            let objects = try database.rows(
                """
                SELECT DISTINCT ZENTITYID, ZENTITYPK FROM \(metadata.name.quotedIdentifier) WHERE ZCKRECORDNAME = ?
                AND ZENTITYID IS NOT NULL AND ZENTITYPK IS NOT NULL ORDER BY 1, 2
                """, [.string(name)]
            ) { Object(entityNumber: $0.integer(0), row: $0.integer(1)) }
            return objects.count > 1 ? (name, objects) : nil
        }
    }

    /// Keys of the mirror's notes (`ANSCKMETADATAENTRY`) that have more than one row, and how many rows each has: which one
    /// the mirror reads is not known.
    /// - Throws: SQLite's errors.
    package func keysNotedTwice(_ database: Database) throws -> [(key: String, rows: Int64)] {
        guard let table = table("METADATAENTRY"), table.has("ZKEY") else { return [] }
        return try database.rows(
            """
            SELECT ZKEY, COUNT(*) FROM \(table.name.quotedIdentifier) WHERE ZKEY IS NOT NULL
            GROUP BY ZKEY HAVING COUNT(*) > 1 ORDER BY ZKEY
            """
        ) { ($0.text(0) ?? "", $0.integer(1)) }
    }

    /// An object that is not in its table although it has record metadata.
    package struct Orphan: Hashable, Sendable {
        package let object: Object
        /// Nil if it has not been exported yet.
        package let recordName: String?
        /// Whose the record's zone is, where it is not the user's own.
        package let zoneOwner: String?
    }

    /// Objects that are not in their table although they have record metadata, except those whose CloudKit record is
    /// about to be deleted: marked for that, or deleted in a part of the history that the mirror has not read yet. (A
    /// delete that it has read without marking the record was missed for good.)
    /// - Throws: SQLite's errors.
    package func orphans(
        in store: StoreDescription, _ database: Database
    ) throws -> [Orphan] {
        var orphans: [(object: Object, recordName: String?, zone: Int64)] = []
        for entry in store.keys.appEntries {
            guard let table = store.schema.tables[store.keys.table(of: entry)], table.has("Z_PK") else { continue }
            orphans += try database.rows(
                """
                SELECT ZENTITYPK, \(column("ZCKRECORDNAME")), \(column("ZRECORDZONE"))
                FROM \(metadata.name.quotedIdentifier) AS metadata
                WHERE ZENTITYID = ? AND ZENTITYPK IS NOT NULL AND COALESCE(\(column("ZNEEDSCLOUDDELETE")), 0) = 0
                AND NOT EXISTS (SELECT 1 FROM \(table.name.quotedIdentifier) AS objects
                WHERE objects.Z_PK = metadata.ZENTITYPK) ORDER BY ZENTITYPK, 2
                """, [.integer(entry.number)]
            ) { (Object(entityNumber: entry.number, row: $0.integer(0)), $0.text(1), $0.integer(2)) }
        }
        guard !orphans.isEmpty else { return [] }
        let deleted = try objectsToDelete(in: store, database)
        let owners = try ownersOfSharedZones(database)
        return orphans.filter { !deleted.contains($0.object) }
            .map { Orphan(object: $0.object, recordName: $0.recordName, zoneOwner: owners[$0.zone]) }
    }

    /// Objects whose delete waits for CloudKit.
    /// - Throws: SQLite's errors.
    package func objectsToDelete(in store: StoreDescription, _ database: Database) throws -> Set<Object> {
        var deleted: Set<Object> = []
        try forEachWaiting(in: store, database) { if $0.kind == .delete { deleted.insert($0.object) } }
        return deleted
    }

    /// Record metadata of entities that are not among the living ones, with the row number of one that is: if a
    /// migration gives a living entity that number, two rows have the same identity.
    /// - Parameter living: the numbers of the app's entities.
    /// - Returns: both sorted.
    /// - Throws: SQLite's errors.
    package func collisions(
        ofOthersThan living: [Int64], _ database: Database
    ) throws -> [(entityNumber: Int64, rows: [Int64])] {
        let list = living.sqlList
        var rows: [Int64: [Int64]] = [:]
        try database.forEachRow(
            """
            SELECT DISTINCT dead.ZENTITYID, dead.ZENTITYPK FROM \(metadata.name.quotedIdentifier) AS dead
            JOIN \(metadata.name.quotedIdentifier) AS other ON other.ZENTITYPK = dead.ZENTITYPK
            WHERE dead.ZENTITYID NOT IN (\(list)) AND dead.ZENTITYID BETWEEN 1 AND 15999
            AND other.ZENTITYID IN (\(list)) ORDER BY 1, 2
            """
        ) { rows[$0.integer(0), default: []].append($0.integer(1)) }
        return rows.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Living objects whose record metadata has no record name or no zone although nothing of them waits.
    /// - Throws: SQLite's errors.
    package func unnamed(in store: StoreDescription, _ database: Database) throws -> [Object] {
        var lacks: [String] = []
        if metadata.has("ZCKRECORDNAME") { lacks.append("COALESCE(ZCKRECORDNAME, '') = ''") }
        if metadata.has("ZRECORDZONE") {
            lacks.append("ZRECORDZONE IS NULL")
            if let zones = table("RECORDZONEMETADATA"), zones.has("Z_PK") {
                lacks.append("ZRECORDZONE NOT IN (SELECT Z_PK FROM \(zones.name.quotedIdentifier))")
            }
        }
        guard !lacks.isEmpty else { return [] }
        var unnamed: [Object] = []
        for entity in store.objectTables {
            unnamed += try database.rows(
                """
                SELECT ZENTITYID, ZENTITYPK FROM \(metadata.name.quotedIdentifier) AS metadata
                JOIN \(entity.table.name.quotedIdentifier) AS objects
                ON objects.Z_PK = metadata.ZENTITYPK AND objects.Z_ENT = metadata.ZENTITYID
                WHERE \(lacks.joined(separator: " OR ")) ORDER BY 1, 2
                """
            ) { Object(entityNumber: $0.integer(0), row: $0.integer(1)) }
        }
        guard !unnamed.isEmpty else { return [] }
        var waiting: Set<Object> = []
        try forEachWaiting(in: store, database) { waiting.insert($0.object) }
        return unnamed.filter { !waiting.contains($0) }
    }

    package static let analyzerTable = "ANSCKHISTORYANALYZERSTATE"

    /// How many objects an export that did not end has left in its working table.
    /// - Throws: SQLite's errors.
    package func analyzerStates(_ database: Database) throws -> Int { try rows(of: "HISTORYANALYZERSTATE", database) }

    /// How many relationships of imported records wait for a record that has not arrived.
    /// - Throws: SQLite's errors.
    package func pendingRelationships(_ database: Database) throws -> Int {
        try rows(of: "IMPORTPENDINGRELATIONSHIP", database)
    }

    /// 0 where there is no such table.
    private func rows(of name: SQLName, _ database: Database) throws -> Int {
        guard let table = table(name) else { return 0 }
        return try database.rowCounts(of: [table.name])[table.name] ?? 0
    }
}
