package import GRDB

/// The row of `Z_METADATA`: the store's identity, and the metadata dictionary with Core Data's keys and the app's own.
package struct StoreMetadata: Hashable, Sendable {
    /// The store's identity; never changed.
    package let uuid: String?
    /// Nil if there is no readable property list; `problem` says why.
    package var dictionary: [String: PropertyList]?
    /// Why there is no dictionary.
    package let problem: String?
    /// Whether there is one row, with an identity: then a lost dictionary can be written again.
    package let isReplaceable: Bool

    /// Reads the row, if it can be found.
    /// - Throws: SQLite's errors; all other problems are in `problem`.
    package init(_ database: Database, schema: StoreSchema) throws {
        guard let table = schema.tables["Z_METADATA"], table.has("Z_PLIST"), table.has("Z_UUID") else {
            self.init(uuid: nil, dictionary: nil, problem: "there is no table Z_METADATA with Z_UUID and Z_PLIST")
            return
        }
        var rows: [(uuid: String?, plist: [UInt8]?)] = []
        try database.forEachRow("SELECT Z_UUID, Z_PLIST FROM Z_METADATA") { row in
            rows.append(
                (
                    row.storageClass(0) == .text ? String(decoding: row.bytes(0), as: UTF8.self) : nil,
                    row.storageClass(1) == .null ? nil : Array(row.bytes(1))
                ))
        }
        guard let row = rows.first else {
            self.init(uuid: nil, dictionary: nil, problem: "Z_METADATA has no row")
            return
        }
        guard rows.count == 1 else {
            self.init(
                uuid: row.uuid, dictionary: nil, problem: "Z_METADATA has \(rows.count) rows instead of one",
                isReplaceable: false)
            return
        }
        guard let plist = row.plist else {
            self.init(uuid: row.uuid, dictionary: nil, problem: "the property list in Z_METADATA is NULL")
            return
        }
        do {
            guard let dictionary = try PropertyList(binary: plist).dictionary else {
                self.init(
                    uuid: row.uuid, dictionary: nil, problem: "the property list in Z_METADATA is not a dictionary")
                return
            }
            self.init(uuid: row.uuid, dictionary: dictionary, problem: nil)
        } catch {
            self.init(
                uuid: row.uuid, dictionary: nil, problem: "the property list in Z_METADATA cannot be read: \(error)")
        }
    }

    private init(
        uuid: String?, dictionary: [String: PropertyList]?, problem: String?, isReplaceable: Bool = true
    ) {
        self.isReplaceable = isReplaceable && uuid != nil
        self.uuid = uuid
        self.dictionary = dictionary
        self.problem = problem
    }

    /// Entity → 32 bytes.
    package var versionHashes: [String: [UInt8]]? {
        dictionary?["NSStoreModelVersionHashes"]?.dictionary?.compactMapValues(\.data)
    }

    package var versionHashesDigest: String? { dictionary?["NSStoreModelVersionHashesDigest"]?.string }
    package var versionChecksum: String? { dictionary?["NSStoreModelVersionChecksumKey"]?.string }

    /// The version of Core Data that wrote the store last.
    package var frameworkVersion: Int64? { dictionary?["NSPersistenceFrameworkVersion"]?.integer }

    package var modelIdentifiers: [String] {
        dictionary?["NSStoreModelVersionIdentifiers"]?.array?.compactMap(\.string) ?? []
    }

    /// Writes the dictionary back; `Z_UUID` and `Z_VERSION` stay.
    /// - Throws: SQLite's errors.
    package func write(to database: Database) throws {
        guard let dictionary else { return }
        let bytes = PropertyList.dictionary(dictionary).binaryPropertyList()
        try PreparedStatement(database, "UPDATE OR FAIL Z_METADATA SET Z_PLIST = ?").run([.blob(bytes)])
    }
}
