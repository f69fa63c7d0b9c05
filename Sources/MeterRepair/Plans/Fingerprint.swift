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
    /// The records that the plan updates, by row number, but for those that it merges others into: these stand in the
    /// plan itself.
    let records: [Int64: DeviceSettings]

    init(
        storeUUID: String?, statements: [String], tables: [SQLName: TableDigest], records: [Int64: DeviceSettings]
    ) {
        self.storeUUID = storeUUID
        self.statements = statements
        self.tables = tables
        self.records = records
    }

    /// The fingerprint of a store before `plan` is carried out.
    init(of store: InspectedStore, before plan: Plan, _ settings: SettingsTable, _ database: Database) throws {
        storeUUID = store.description.metadata.uuid
        statements = try Self.statements(database)
        tables = try Self.tables(of: store, database)
        let survivors = plan.survivors
        let rows = plan.changes.compactMap { change in
            if case .update(let update) = change, survivors[update.row] == nil { update.row } else { nil }
        }
        records = try settings.records(of: rows, database)
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

extension Plan {
    /// The records that others are merged into, as they are before the plan; by row number.
    var survivors: [Int64: DeviceSettings] {
        var survivors: [Int64: DeviceSettings] = [:]
        for case .delete(let deletion) in changes { survivors[deletion.survivor.row] = deletion.survivor }
        return survivors
    }
}

// MARK: - In a document

extension Fingerprint {
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
            writer.key("records")
            writer.array { writer in
                for record in records.values.sorted(by: { $0.row < $1.row }) {
                    writer.object { writer in
                        writer.member("row", record.row)
                        writer.key("record")
                        record.write(in: .plan, to: &writer)
                    }
                }
            }
        }
    }

    init(_ node: PlanNode, _ context: PlanContext) throws(PlanError) {
        let members = try node.members(["storeUUID", "tables", "schema", "records"])
        var tables: [SQLName: TableDigest] = [:]
        for (name, node) in try members["tables"]!.namedMembers {
            let members = try node.members(["rows", "sha256"])
            let sha256 = try members["sha256"]!.bytes
            guard sha256.count == 32 else { throw members["sha256"]!.flaw("not 32 bytes") }
            tables[SQLName(name)] = TableDigest(rows: try members["rows"]!.count, sha256: sha256)
        }
        var records: [Int64: DeviceSettings] = [:]
        for node in try members["records"]!.elements {
            let members = try node.members(["row", "record"])
            let row = try members["row"]!.row
            let record = try context.record(row: row, cloudRecord: nil, members["record"]!)
            guard records.updateValue(record, forKey: row) == nil else {
                throw members["row"]!.flaw("row \(row) stands here twice")
            }
        }
        self.init(
            storeUUID: try members["storeUUID"]!.ifPresent { node throws(PlanError) in try node.text },
            statements: try members["schema"]!.map { node throws(PlanError) in try node.text }, tables: tables,
            records: records)
    }
}
