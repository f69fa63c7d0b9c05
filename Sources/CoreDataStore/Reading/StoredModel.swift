package import GRDB

/// The model that a store carries in `Z_MODELCACHE`.
package enum StoredModel: Sendable {
    /// No table, no row, or an empty one: very old stores.
    case absent
    /// There, but not readable, and why.
    case unreadable(String)
    case model(ManagedObjectModel)

    /// Reads the model from `Z_MODELCACHE`.
    /// - Throws: SQLite's errors.
    package init(_ database: Database, schema: StoreSchema) throws {
        let content = try Self.content(database, schema: schema)
        guard !content.isEmpty else {
            self = .absent
            return
        }
        do {
            self = .model(try ManagedObjectModel(modelCache: content))
        } catch {
            self = .unreadable("\(error)")
        }
    }

    /// The bytes of `Z_CONTENT`; empty if there are none.
    /// - Throws: SQLite's errors.
    package static func content(_ database: Database, schema: StoreSchema) throws -> [UInt8] {
        guard let table = schema.tables["Z_MODELCACHE"], table.has("Z_CONTENT") else { return [] }
        var content: [UInt8] = []
        try database.forEachRow("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { row in content = Array(row.bytes(0)) }
        return content
    }

    package var model: ManagedObjectModel? { if case .model(let model) = self { model } else { nil } }
}
