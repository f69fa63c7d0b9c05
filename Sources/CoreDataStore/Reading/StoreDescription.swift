package import GRDB

/// Everything that a store says about itself apart from its rows. Read once, and shared by all who look at it.
package final class StoreDescription: Sendable {
    package let schema: StoreSchema
    package let metadata: StoreMetadata
    package let keys: PrimaryKeys
    package let storedModel: StoredModel
    /// A model that the user names as the store's; nil to use the one it carries.
    package let givenModel: ManagedObjectModel?
    /// Nil where history was never on.
    package let history: PersistentHistory?
    /// Nil where the store is not mirrored.
    package let mirror: CloudKitMirror?
    /// The tables of the app's own entities, in the order of entity numbers.
    package let entityTables: [EntityRows]
    /// Empty for a store that nobody has put together.
    package let recoveries: [StoreRecovery]

    /// Reads everything but rows.
    /// - Parameter givenModel: one that the user names as the store's.
    /// - Throws: SQLite's errors; what is merely strange in a store is in the description.
    package init(_ database: Database, givenModel: ManagedObjectModel? = nil) throws {
        self.givenModel = givenModel
        let known = try KnownSchema(database)
        (schema, history, mirror) = (known.schema, known.history, known.mirror)
        metadata = try StoreMetadata(database, schema: schema)
        keys = try PrimaryKeys(database, schema: schema)
        storedModel = try StoredModel(database, schema: schema)
        entityTables = EntityRows.all(keys, schema)
        recoveries = StoreRecovery.all(metadata, schema)
    }

    /// The model that says which entities, attributes and relationships the store has.
    package var model: ManagedObjectModel? { givenModel ?? storedModel.model }

    /// The version hashes in the metadata, compared with those of the model; nil where one of them is missing.
    package var hashComparison: HashComparison? {
        guard let noted = metadata.versionHashes else { return nil }
        if givenModel == nil, case .model(let model, _, let hashes) = storedModel {
            return HashComparison(of: model, hashes, with: noted)
        }
        return givenModel.map { HashComparison(of: $0, with: noted) }
    }

    /// Where the store's own model breaks the rules of CloudKit mirroring, in entities that the store has; empty also where
    /// the metadata tell of another model.
    package var breachesOfCloudKitRules: [CloudKitRule.Breach] {
        guard case .model(let model, let details, _) = storedModel, let noted = metadata.versionHashes,
            hashComparison?.differing.isEmpty ?? false
        else { return [] }
        return model.breaches(details).filter { noted[$0.entity] != nil }
    }

    /// Whether it has the two tables every Core Data store has, or lacks only the metadata and has the table of an entity.
    package var isCoreData: Bool {
        guard schema.tables["Z_PRIMARYKEY"] != nil else { return false }
        return schema.tables["Z_METADATA"] != nil
            || keys.appEntries.contains { schema.tables[SQLName("Z" + $0.name.uppercased())] != nil }
    }
}

package enum StoredModel: Sendable {
    /// No table, no row, or an empty one: very old stores.
    case absent
    /// There, but not readable, and why.
    case unreadable(String)
    /// With the version hashes that can be recomputed, by entity name.
    case model(ManagedObjectModel, details: ModelDetails, hashes: [String: [UInt8]])

    /// - Throws: SQLite's errors.
    package init(_ database: Database, schema: StoreSchema) throws {
        let content = try Self.content(database, schema: schema)
        guard !content.isEmpty else {
            self = .absent
            return
        }
        self = Self.prepared.value(of: content) {
            do {
                let (model, details) = try ModelArchive.read(ModelArchive.uncompressed(content))
                return .model(model, details: details, hashes: model.versionHashes())
            } catch {
                return .unreadable("\(error)")
            }
        }
    }

    private static let prepared = Prepared<[UInt8], StoredModel>()

    /// The bytes of `Z_CONTENT`; empty if there are none.
    /// - Throws: SQLite's errors.
    package static func content(_ database: Database, schema: StoreSchema) throws -> [UInt8] {
        guard let table = schema.tables["Z_MODELCACHE"], table.has("Z_CONTENT") else { return [] }
        return try database.first("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { Array($0.bytes(0)) } ?? []
    }

    package var model: ManagedObjectModel? { if case .model(let model, _, _) = self { model } else { nil } }
}

/// The row of `Z_METADATA`: the store's identity, and the metadata dictionary with Core Data's keys and the app's own.
package struct StoreMetadata: Hashable, Sendable {
    /// The store's identity; never changed.
    package let uuid: String?
    /// Nil if there is no readable property list; `problem` says why.
    package var dictionary: [String: PropertyList]?
    package let problem: String?
    /// Whether what is there begins as a property list and cannot be read as one: keys of the app may still be in it.
    package let hasUnreadKeys: Bool
    /// Whether there is one row, with an identity, and no key in it that would be lost: then a lost dictionary can be
    /// written again.
    package let isReplaceable: Bool

    /// Reads the row, if it can be found.
    /// - Throws: SQLite's errors; all other problems are in `problem`.
    package init(_ database: Database, schema: StoreSchema) throws {
        guard let table = schema.tables["Z_METADATA"], table.has("Z_PLIST"), table.has("Z_UUID") else {
            (uuid, isReplaceable, hasUnreadKeys) = (nil, false, false)
            problem = "there is no table Z_METADATA with Z_UUID and Z_PLIST"
            return
        }
        let rows = try database.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA") { row in
            (uuid: row.text(0), plist: row.storageClass(1) == .null ? nil : Array(row.bytes(1)))
        }
        uuid = rows.first?.uuid
        var isUnread = false
        do {
            dictionary = rows.count == 1 ? try rows[0].plist.map { try PropertyList(binary: $0) }?.dictionary : nil
            problem =
                switch (rows.count, rows.first?.plist) {
                case (0, _): "Z_METADATA has no row"
                case (2..., _): "Z_METADATA has \(rows.count) rows instead of one"
                case (_, nil): "the property list in Z_METADATA is NULL"
                default: dictionary == nil ? "the property list in Z_METADATA is not a dictionary" : nil
                }
        } catch {
            problem = "the property list in Z_METADATA cannot be read: \(error)"
            isUnread = true
        }
        hasUnreadKeys = isUnread && rows.first?.plist.map(PropertyList.isBeginning) ?? false
        isReplaceable = rows.count == 1 && uuid != nil && !hasUnreadKeys
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
