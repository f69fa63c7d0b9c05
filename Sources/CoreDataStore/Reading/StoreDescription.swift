package import GRDB

/// Everything that a store says about itself apart from its rows. Read once.
package struct StoreDescription: Sendable {
    package let schema: StoreSchema
    package let metadata: StoreMetadata
    package let keys: PrimaryKeys
    package let storedModel: StoredModel
    /// A model that the user names as the store's; nil to use the one it carries.
    package var givenModel: ManagedObjectModel?
    /// Nil where history was never on.
    package let history: PersistentHistory?
    /// Nil where the store is not mirrored.
    package let mirror: CloudKitMirror?

    /// Reads everything but rows.
    /// - Throws: SQLite's errors; what is merely strange in a store is in the description.
    package init(_ database: Database) throws {
        schema = try StoreSchema(database)
        metadata = try StoreMetadata(database, schema: schema)
        keys = try PrimaryKeys(database, schema: schema)
        storedModel = try StoredModel(database, schema: schema)
        history = PersistentHistory(schema: schema)
        mirror = CloudKitMirror(schema: schema)
    }

    /// The model that says which entities, attributes and relationships the store has.
    package var model: ManagedObjectModel? { givenModel ?? storedModel.model }

    /// Whether it has the two tables every Core Data store has.
    package var isCoreData: Bool { schema.tables["Z_METADATA"] != nil && schema.tables["Z_PRIMARYKEY"] != nil }
}
