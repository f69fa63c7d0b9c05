package import GRDB

/// Whether the record metadata is consistent with the store's objects.
extension CloudKitMirror {
    /// The entity numbers in the record metadata, and how many rows have each.
    /// - Throws: SQLite's errors.
    package func entityNumbers(_ database: Database) throws -> [(number: Int64, rows: Int64)] {
        var numbers: [(number: Int64, rows: Int64)] = []
        try database.forEachRow(
            """
            SELECT ZENTITYID, COUNT(*) FROM \(metadata.name.quotedIdentifier) WHERE ZENTITYID IS NOT NULL
            GROUP BY ZENTITYID ORDER BY ZENTITYID
            """
        ) { numbers.append(($0.integer(0), $0.integer(1))) }
        return numbers
    }

    /// An object of the app.
    package struct Object: Hashable, Sendable {
        package let entityNumber: Int64
        package let row: Int64
    }

    /// Objects with more than one row of record metadata, and how many rows each has.
    /// - Throws: SQLite's errors.
    package func objectsDescribedTwice(_ database: Database) throws -> [(object: Object, rows: Int64)] {
        var objects: [(object: Object, rows: Int64)] = []
        try database.forEachRow(
            """
            SELECT ZENTITYID, ZENTITYPK, COUNT(*) FROM \(metadata.name.quotedIdentifier)
            WHERE ZENTITYID IS NOT NULL AND ZENTITYPK IS NOT NULL
            GROUP BY ZENTITYID, ZENTITYPK HAVING COUNT(*) > 1 ORDER BY ZENTITYID, ZENTITYPK
            """
        ) { objects.append((Object(entityNumber: $0.integer(0), row: $0.integer(1)), $0.integer(2))) }
        return objects
    }

    /// Record metadata of objects of an entity that are not in its table, except those whose CloudKit record is about
    /// to be deleted.
    /// - Throws: SQLite's errors.
    package func orphans(
        ofEntity number: Int64, in table: StoreSchema.Table, _ database: Database
    ) throws -> [(row: Int64, recordName: String?)] {
        guard table.has("Z_PK") else { return [] }
        var orphans: [(row: Int64, recordName: String?)] = []
        try database.forEachRow(
            """
            SELECT ZENTITYPK, \(column("ZCKRECORDNAME")) FROM \(metadata.name.quotedIdentifier) AS metadata
            WHERE ZENTITYID = ? AND ZENTITYPK IS NOT NULL AND COALESCE(\(column("ZNEEDSCLOUDDELETE")), 0) = 0
            AND NOT EXISTS (SELECT 1 FROM \(table.name.quotedIdentifier) AS objects
            WHERE objects.Z_PK = metadata.ZENTITYPK) ORDER BY ZENTITYPK, 2
            """, [.integer(number)]
        ) { row in
            let name = row.storageClass(1) == .text ? String(decoding: row.bytes(1), as: UTF8.self) : nil
            orphans.append((row.integer(0), name))
        }
        return orphans
    }

    /// What the mirror has not done yet.
    package struct Backlog: Hashable, Sendable {
        /// Records marked for upload.
        package var uploads: Int64 = 0
        /// CloudKit records marked for deletion.
        package var deletes: Int64 = 0
        /// Objects without record metadata: the mirror has not seen them.
        package var unseen: Int64 = 0
    }

    /// Counts what waits, in the rows of these tables.
    /// - Throws: SQLite's errors.
    package func backlog(of tables: [EntityRows], _ database: Database) throws -> Backlog {
        var backlog = Backlog()
        try database.forEachRow(
            """
            SELECT COUNT(CASE WHEN \(column("ZNEEDSUPLOAD")) <> 0 THEN 1 END),
            COUNT(CASE WHEN \(column("ZNEEDSCLOUDDELETE")) <> 0 THEN 1 END) FROM \(metadata.name.quotedIdentifier)
            """
        ) { row in
            backlog.uploads = row.integer(0)
            backlog.deletes = row.integer(1)
        }
        for entity in tables where entity.table.has("Z_PK") && entity.table.has("Z_ENT") {
            try database.forEachRow(
                """
                SELECT COUNT(*) FROM \(entity.table.name.quotedIdentifier) AS objects
                WHERE NOT EXISTS (SELECT 1 FROM \(metadata.name.quotedIdentifier) AS metadata
                WHERE metadata.ZENTITYID = objects.Z_ENT AND metadata.ZENTITYPK = objects.Z_PK)
                """
            ) { backlog.unseen &+= $0.integer(0) }
        }
        return backlog
    }
}
