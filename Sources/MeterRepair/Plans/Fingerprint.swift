internal import CoreDataStore
internal import GRDB
internal import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// What a store was when a plan was made for it: its contents, not how SQLite laid them out. A store with the same
/// contents has the same fingerprint after a checkpoint or a vacuum.
struct Fingerprint: Hashable, Sendable {
    /// `Z_UUID`.
    let storeUUID: String?
    /// The statements of `sqlite_master`, in their byte order: a vacuum reorders its rows.
    let statements: [String]
    /// Every table of the store.
    let tables: [SQLName: TableDigest]

    init(of store: InspectedStore, _ database: Database) throws {
        storeUUID = store.description.metadata.uuid
        statements = try Self.statements(database)
        tables = try Self.tables(of: store, database)
    }

    static func statements(_ database: Database) throws -> [String] {
        var statements: [String] = []
        try database.forEachRow("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL") { row in
            statements.append(String(decoding: row.bytes(0), as: UTF8.self))
        }
        return statements.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    static func tables(of store: InspectedStore, _ database: Database) throws -> [SQLName: TableDigest] {
        var tables: [SQLName: TableDigest] = [:]
        for name in store.description.schema.tables.keys {
            tables[name] = try TableDigest(of: name, database)
        }
        return tables
    }
}

// MARK: - In a document

extension Fingerprint: JSONWritable {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("storeUUID", storeUUID)
            writer.key("tables")
            writer.object { writer in
                for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
                    writer.member(
                        name.text,
                        [
                            "rows": JSONValue(table.rows), "sha256": .string(Hexadecimal.text(of: table.sha256)),
                        ] as JSONValue)
                }
            }
            writer.member("schema", JSONValue.array(statements.map { .string($0) }))
        }
    }

    /// - Throws: `PlanError` for what is not such a document.
    init(_ node: PlanNode) throws(PlanError) {
        let members = try node.members(["storeUUID", "tables", "schema"])
        var tables: [SQLName: TableDigest] = [:]
        for (name, node) in try members["tables"]!.namedMembers {
            let members = try node.members(["rows", "sha256"])
            let sha256 = try members["sha256"]!.bytes
            guard sha256.count == 32 else { throw members["sha256"]!.flaw("not 32 bytes") }
            tables[SQLName(name)] = TableDigest(rows: try members["rows"]!.count, sha256: sha256)
        }
        storeUUID = try members["storeUUID"]!.ifPresent { node throws(PlanError) in try node.text }
        statements = try members["schema"]!.map { node throws(PlanError) in try node.text }
        self.tables = tables
    }
}
