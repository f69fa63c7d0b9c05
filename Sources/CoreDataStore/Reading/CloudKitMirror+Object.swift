package import GRDB

/// What the mirror knows of single objects.
extension CloudKitMirror {
    /// One row of the record metadata, with its zone.
    package struct KnownObject: Hashable, Sendable {
        /// CloudKit record name; nil if the object has not been exported yet.
        package let recordName: String?
        /// The name of the record zone; nil if the row names none, or one that is not there.
        package let zone: String?
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
        let numbers = entities.map(String.init).joined(separator: ", ")
        var known: [Int64: [KnownObject]] = [:]
        for row in rows {
            try database.forEachRow(
                """
                SELECT \(column("ZCKRECORDNAME")), \(zone ?? "NULL"), \(column("ZLASTEXPORTEDTRANSACTIONNUMBER"))
                FROM \(metadata.name.quotedIdentifier) AS m WHERE m.ZENTITYID IN (\(numbers)) AND m.ZENTITYPK = ?
                ORDER BY 1, 2, 3
                """, [.integer(row)]
            ) { found in
                known[row, default: []].append(
                    KnownObject(
                        recordName: found.text(0), zone: found.text(1),
                        exportedTransaction: found.storageClass(2) == .null ? nil : found.integer(2)))
            }
        }
        return known
    }
}
