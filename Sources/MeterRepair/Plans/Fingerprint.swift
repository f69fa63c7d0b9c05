internal import CoreDataStore
internal import GRDB
internal import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterStore
internal import Texts

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
        return statements.sorted(byBytesOf: \.self)
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

extension Fingerprint {
    /// How the store's tables and schema differ from these.
    func staleness(of store: InspectedStore, _ database: Database) throws -> Staleness {
        var staleness = Staleness()
        let uuid = store.description.metadata.uuid
        if uuid != storeUUID { staleness.identity = Staleness.Identity(then: storeUUID, now: uuid) }
        let now = try Self.tables(of: store, database)
        for name in Set(tables.keys).union(now.keys).sorted() where tables[name] != now[name] {
            staleness.tables.append(Staleness.Table(name: name.text, then: tables[name]?.rows, now: now[name]?.rows))
        }
        let statements = try Self.statements(database)
        staleness.statementsGone = Self.statements(of: self.statements, notIn: statements)
        staleness.statementsNew = Self.statements(of: statements, notIn: self.statements)
        return staleness
    }

    private static func statements(of some: [String], notIn others: [String]) -> [String] {
        let others = Set(others)
        return some.filter { !others.contains($0) }
    }
}

extension PlanDocument {
    /// The records that the plan is about, as they were before it; nil for one that it makes. By row number.
    private var recordsBefore: [Int64: DeviceSettings?] {
        var records: [Int64: DeviceSettings?] = [:]
        for line in lines {
            switch line {
            case .record(let record): records[record.row] = record
            case .change(.insert(let insertion)): records[insertion.row] = .some(nil)
            case .entry, .change, .deletion, .conflict, .reject: break
            }
        }
        return records
    }

    /// Their row numbers.
    var rows: Set<Int64> { Set(recordsBefore.keys) }

    /// How the records that the plan is about differ from what they were.
    /// - Parameters:
    ///   - now: the store's records, these at least; by row number.
    ///   - layout: of the store's records.
    func rowStaleness(of now: [Int64: DeviceSettings], in layout: RecordLayout) -> [Staleness.Row] {
        var rows: [Staleness.Row] = []
        for (row, record) in recordsBefore.sorted(by: { $0.key < $1.key }) {
            guard let record else {
                if now[row] != nil { rows.append(Staleness.Row(row, .new)) }
                continue
            }
            guard let current = now[row] else {
                rows.append(Staleness.Row(row, .gone))
                continue
            }
            for (field, value) in zip(record.layout.fields, record.values) {
                guard let position = layout.position(named: field.name), current.values[position] != value
                else { continue }
                rows.append(
                    Staleness.Row(row, .field(FieldDelta(field, before: value, after: current.values[position]))))
            }
        }
        return rows
    }
}
