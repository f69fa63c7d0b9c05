package import GRDB

/// What NSPersistentCloudKitContainer keeps in the store: read from the columns that are there, never written to. (The
/// tables are known from the schema of a live store, their use from descriptions of Apple's code: see
/// Documentation/store-format.md.)
package struct CloudKitMirror: Hashable, Sendable {
    /// `ANSCK`; `ZNSCK` in the oldest stores.
    private let prefix: SQLName
    private let tables: [SQLName: StoreSchema.Table]

    private static let prefixes: [SQLName] = ["ANSCK", "ZNSCK"]
    /// Columns of the record metadata without which nothing can be told.
    private static let needed: [SQLName] = ["ZENTITYID", "ZENTITYPK"]

    /// Nil for a store that is not mirrored.
    package init?(schema: StoreSchema) {
        for prefix in Self.prefixes {
            guard let metadata = schema.tables["\(prefix)RECORDMETADATA"], Self.needed.allSatisfy(metadata.has) else {
                continue
            }
            self.prefix = prefix
            tables = schema.tables.filter { $0.key.hasPrefix(prefix) }
            return
        }
        return nil
    }

    /// Whether there is any table of a mirror.
    package static func hasParts(in schema: StoreSchema) -> Bool {
        schema.tables.keys.contains { name in prefixes.contains(where: name.hasPrefix) }
    }

    /// The table of record zones, where record metadata refers to it and it is not there.
    package var missingZones: SQLName? {
        let name = SQLName("\(prefix)RECORDZONEMETADATA")
        return metadata.has("ZRECORDZONE") && tables[name] == nil ? name : nil
    }

    /// The record metadata of a mirrored store in which nothing can be told, and a column that it lacks.
    package static func unreadable(in schema: StoreSchema) -> (table: SQLName, column: SQLName)? {
        guard CloudKitMirror(schema: schema) == nil,
            let table = prefixes.compactMap({ schema.tables["\($0)RECORDMETADATA"] }).first,
            let column = needed.first(where: { !table.has($0) })
        else { return nil }
        return (table.name, column)
    }

    /// One of the mirror's tables by its name without the prefix, such as `METADATAENTRY`; nil if it is not there.
    func table(_ name: SQLName) -> StoreSchema.Table? { tables["\(prefix)\(name)"] }

    package struct Object: Hashable, Comparable, Sendable {
        package let entityNumber: Int64
        package let row: Int64

        package init(entityNumber: Int64, row: Int64) {
            self.entityNumber = entityNumber
            self.row = row
        }

        package static func < (one: Object, other: Object) -> Bool {
            (one.entityNumber, one.row) < (other.entityNumber, other.row)
        }
    }

    var metadata: StoreSchema.Table { tables["\(prefix)RECORDMETADATA"]! }

    /// A column of the record metadata, or NULL where this version of Core Data does not have it.
    func column(_ name: SQLName) -> String { metadata.expression(name) }

    package struct RecordMetadata: Hashable, Sendable {
        package let entityNumber: Int64
        package let row: Int64
        /// CloudKit record name.
        package let recordName: String?
        /// Whether the object is going to be deleted, in CloudKit or on this device.
        package let isAboutToBeDeleted: Bool
        /// Whose the record zone is, where it is not the user's own; nil if that is not known.
        package let zoneOwner: String?
    }

    /// Hands every row of the record metadata to `body`, by entity and row number.
    /// - Throws: SQLite's errors; what `body` throws.
    package func forEachRecord(_ database: Database, _ body: (RecordMetadata) throws -> Void) throws {
        let owners = try ownersOfSharedZones(database)
        try database.forEachRow(
            """
            SELECT ZENTITYID, ZENTITYPK, \(column("ZCKRECORDNAME")), \(isAboutToBeDeleted), \
            \(owners.isEmpty ? "NULL" : column("ZRECORDZONE")) FROM \(metadata.name.quotedIdentifier) \
            ORDER BY ZENTITYID, ZENTITYPK, 3
            """
        ) { row in
            try body(
                RecordMetadata(
                    entityNumber: row.integer(0), row: row.integer(1), recordName: row.text(2),
                    isAboutToBeDeleted: row.integer(3) != 0, zoneOwner: owners[row.integer(4)]))
        }
    }

    /// Whether an object is going to be deleted, of a row of the record metadata, as SQL.
    var isAboutToBeDeleted: String {
        "COALESCE(\(column("ZNEEDSCLOUDDELETE")), 0) <> 0 OR COALESCE(\(column("ZNEEDSLOCALDELETE")), 0) <> 0"
    }

    /// The owners of the record zones that are not the user's own, by `Z_PK` of the zone.
    func ownersOfSharedZones(_ database: Database) throws -> [Int64: String] {
        var owners: [Int64: String] = [:]
        guard let zones = table("RECORDZONEMETADATA"), zones.has("ZCKOWNERNAME") else { return owners }
        try database.forEachRow(
            """
            SELECT Z_PK, ZCKOWNERNAME FROM \(zones.name.quotedIdentifier) \
            WHERE ZCKOWNERNAME <> '\(Self.ownZone)' AND ZCKOWNERNAME <> ''
            """
        ) { owners[$0.integer(0)] = $0.text(1) }
        return owners
    }

    /// `CKCurrentUserDefaultName`, the owner of the user's own zones.
    static let ownZone = "__defaultOwner__"

    /// - Throws: SQLite's errors.
    package func recordCount(_ database: Database) throws -> Int {
        try database.rowCounts(of: [metadata.name])[metadata.name] ?? 0
    }

    /// How many rows of `table` have record metadata.
    /// - Throws: SQLite's errors.
    package func count(ofEntities numbers: [Int64], presentIn table: SQLName, _ database: Database) throws -> Int {
        Int(
            try database.integer(
                of: """
                    SELECT COUNT(DISTINCT ZENTITYPK) FROM \(metadata.name.quotedIdentifier) \
                    WHERE ZENTITYID IN (\(numbers.sqlList)) \
                    AND ZENTITYPK IN (SELECT Z_PK FROM \(table.quotedIdentifier))
                    """))
    }
}

/// What the mirror knows of single objects.
extension CloudKitMirror {
    /// One row of the record metadata, with its zone.
    package struct KnownObject: Hashable, Sendable {
        /// CloudKit record name; nil if the object has not been exported yet.
        package let recordName: String?
        /// The name of the record zone; nil if the row names none, or one that is not there.
        package let zone: String?
        /// Whose the zone is, where it is not the user's own.
        package let zoneOwner: String?
        /// The number of the transaction up to which the object was exported; nil if it was only imported.
        package let exportedTransaction: Int64?
    }

    /// The record metadata of objects, by row number. Damage: there may be several rows for one object.
    /// - Parameter entities: the entity numbers that the objects may have.
    /// - Throws: SQLite's errors.
    package func knownObjects(
        in rows: [Int64], ofEntities entities: [Int64], _ database: Database
    ) throws -> [Int64: [KnownObject]] {
        func column(_ name: SQLName) -> String { metadata.has(name) ? "m.\(name)" : "NULL" }
        let zones = table("RECORDZONEMETADATA").flatMap { $0.has("ZCKRECORDZONENAME") ? $0.name : nil }
        let zone =
            zones.map {
                "(SELECT z.ZCKRECORDZONENAME FROM \($0.quotedIdentifier) z WHERE z.Z_PK = \(column("ZRECORDZONE")))"
            }
        let owners = try ownersOfSharedZones(database)
        let numbers = entities.sqlList
        var known: [Int64: [KnownObject]] = [:]
        for row in rows {
            let found = try database.rows(
                """
                SELECT \(column("ZCKRECORDNAME")), \(zone ?? "NULL"), \(column("ZLASTEXPORTEDTRANSACTIONNUMBER")),
                \(column("ZRECORDZONE")) FROM \(metadata.name.quotedIdentifier) AS m
                WHERE m.ZENTITYID IN (\(numbers)) AND m.ZENTITYPK = ? ORDER BY 1, 2, 3
                """, [.integer(row)]
            ) { found in
                KnownObject(
                    recordName: found.text(0), zone: found.text(1), zoneOwner: owners[found.integer(3)],
                    exportedTransaction: found.integerOrNil(2))
            }
            if !found.isEmpty { known[row] = found }
        }
        return known
    }
}
