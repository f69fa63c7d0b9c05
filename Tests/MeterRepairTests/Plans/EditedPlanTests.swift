import CoreDataStore
import JSON
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("a plan that somebody edited")
struct EditedPlanTests {
    /// A place in a document, what is put there, and where the plan is then wrong.
    struct Edit: Sendable, CustomTestStringConvertible {
        let edits: [(place: String, value: JSONValue?)]
        let flaw: String

        init(_ place: String, _ value: JSONValue?, _ flaw: String) {
            edits = [(place, value)]
            self.flaw = flaw
        }

        init(_ edits: [(String, JSONValue?)], _ flaw: String) {
            self.edits = edits
            self.flaw = flaw
        }

        var testDescription: String { "\(edits.map(\.place).joined(separator: ", ")): \(flaw)" }
    }

    /// `changes[0]` updates row 7, `changes[1]` deletes row 3, `changes[2]` sets the marker.
    static let rebuildEdits: [Edit] = [
        Edit("schema", .integer(2), "schema: this version reads schema 1"),
        Edit("tool", "sqlite3", "tool: not a plan of meterfix"), Edit("made", "yesterday", "made: not a date"),
        Edit("made", nil, "`made` is missing"), Edit("command", "undo", "command: `undo` is no command that plans"),
        Edit("comment", "good", "the key `comment` has no meaning here"),
        Edit("options.color", "red", "options: the key `color` has no meaning here"),
        Edit("options.macCase", "lower", "letterCase: not the case that `options` asks for"),
        Edit("letterCase", "title", "letterCase: `title` is no letter case"),
        Edit("changes", "none", "changes: not a list"), Edit("changes[0]", "x", "changes[0]: not an object"),
        Edit("changes[0].kind", "upsert", "changes[0].kind: `upsert` is no kind of change"),
        Edit("changes[0].kind", nil, "changes[0]: "), Edit("changes[0].kind", "insert", "changes[0].cloudRecord: "),
        Edit("changes[0].entity", "Bookmark", "changes[0].entity: records of DeviceSettings are all"),
        Edit("changes[0].row", .integer(99), "changes[1].record.meterName: this value would be lost"),
        Edit("changes[0].row", .integer(-7), "changes[0].row: row numbers begin at 1"),
        Edit("changes[0].row", .integer(3), "changes[1].row: row 3 is changed by changes[0] already"),
        Edit("changes[0].row", "7", "changes[0].row: not a whole number"),
        Edit("changes[0].mac", "00:00:00:00:00:00", "changes[0].mac: not the address of a meter"),
        Edit("changes[0].mac", "A4:C1:38:0B:7E:22", "changes[1].mac: the update of row 7 has another address"),
        Edit("changes[0].fields", .array([]), "changes[0].fields: no field is changed"),
        Edit("changes[0].fields[0].name", "Z_PK", "changes[0].fields[0].name: the store has no field `Z_PK`"),
        Edit("changes[0].fields[0].name", "meterName\"", "changes[0].fields[0].name: the store has no field"),
        Edit(
            [
                ("changes[0].fields[0].name", "id"),
                ("changes[0].fields[0].after", "00000000-0000-0000-0000-000000000007"),
            ], "changes[0].fields[0].rule: `newest-non-empty` does not decide `id`"),
        Edit("changes[0].fields[0].after", .integer(5), "changes[0].fields[0].after: `meterName` holds values of the"),
        Edit("changes[0].fields[0].after", .double(5.5), "changes[0].fields[0].after: not a value of a field"),
        Edit("changes[0].fields[0].after", ["hex": "00ff"], "changes[0].fields[0].after: `meterName` holds values"),
        Edit("changes[0].fields[0].after", ["hex": "0"], "changes[0].fields[0].after.hex: not hexadecimal digits"),
        Edit("changes[0].fields[0].after", ["sql": "1"], "changes[0].fields[0].after.sql: `sql` is no way to write"),
        Edit("changes[0].fields[0].after", .null, "changes[0].fields[0].after: an empty value takes no other one's"),
        Edit("changes[0].fields[0].after", nil, "changes[0].fields[0]: `after` is missing"),
        Edit("changes[0].fields[0].before", "x", "changes[0].fields[0].before: row 7 of `survivors` has another value"),
        Edit("changes[0].fields[0].rule", "guess", "changes[0].fields[0].rule: `guess` is no rule"),
        Edit("changes[0].fields[0].rule", "legacy-fill", "changes[0].fields[0].fromRow: `legacy-fill` takes no row's"),
        Edit(
            [("changes[0].fields[0].rule", "legacy-fill"), ("changes[0].fields[0].fromRow", .null)],
            "changes[0].fields[0].rule: `rebuild` decides nothing by `legacy-fill`"),
        Edit(
            [
                ("changes[2].key", "NSStoreModelVersionHashes"),
                ("changes[2].after", ["hashes": ["DeviceSettings": "00"]]),
            ],
            "changes[2].key: `rebuild` does not change `NSStoreModelVersionHashes`"),
        Edit("changes[0].fields[0].fromRow", .null, "changes[0].fields[0].fromRow: the row whose value it is"),
        Edit("changes[0].fields[1].after", "soon", "changes[0].fields[1].after: not a date"),
        Edit("changes[0].fields[1].name", "meterName", "changes[0].fields[1]"),
        Edit("changes[1].mergedInto", .integer(5), "changes[1].mergedInto: row 5 is not among `survivors`"),
        Edit("changes[1].mergedInto", .integer(3), "changes[1].mergedInto: row 3 is not among `survivors`"),
        Edit("changes[1].advantage", "luck", "changes[1].advantage: `luck` is no step"),
        Edit("changes[1].row", .integer(7), "changes[1].row: row 7 is changed by changes[0] already"),
        Edit("changes[1].record.macAddress", "A4:C1:38:0B:7E:99", "changes[1].record: row 3 is not a record of this"),
        Edit("changes[1].record.macAddress", nil, "changes[1].record: `macAddress` is missing"),
        Edit("changes[1].record.Z_OPT", .integer(1), "changes[1].record: the key `Z_OPT` has no meaning here"),
        Edit("changes[1].record.modelType", "UM25C", "changes[1].record.modelType: this value would be lost"),
        Edit("changes[2].key", "NSStoreUUID", "changes[2]: no command puts this under `NSStoreUUID`"),
        Edit("changes[2].after", .integer(4), "changes[2]: no command puts this under `cloudStoreRebuildVersion`"),
        Edit("changes[0].fields[0]", nil, "changes[1].record.meterName: this value would be lost"),
        Edit("changes[0]", nil, "changes[0].record.meterName: this value would be lost"),
        Edit("changes[1]", nil, "survivors: no record is merged into row 7"),
        Edit([("changes[1]", nil), ("survivors", .array([]))], "summary.deleted: 1 instead of 0"),
        Edit("summary.updated", .integer(2), "summary.unchanged: `records` is not the sum"),
        Edit(
            [("summary.updated", .integer(0)), ("summary.unchanged", .integer(2))], "summary.updated: 0 instead of 1"),
        Edit("summary.records", .integer(.max), "summary.unchanged: `records` is not the sum"),
        Edit("summary.groups", .integer(0), "summary.groups: this plan merges 1 groups"),
        Edit("summary.conflicts", .integer(1), "summary.conflicts: 1 instead of 0"),
        Edit("summary.rejects", .integer(-1), "summary.rejects: not a number of things"),
        Edit("cloud.deletes", .integer(0), "cloud.deletes: 0 instead of 1"),
        Edit("cloud.updates", .integer(9), "cloud.updates: 9, and 1 to 1 are possible"),
        Edit(
            "cloud.deleteAndRecreate.inserts", .integer(3), "cloud.deleteAndRecreate.inserts: 3 instead of 2"),
        Edit("cloud.batches", .integer(7), "cloud.batches: 1 updates and 1 deletes are 1 batches"),
        Edit("layout.meterName", "blob", "layout.meterName: `blob` is no kind of field"),
        Edit("layout.price", "real", "survivors[0].record: `price` is missing"),
        Edit("survivors[0].row", .integer(5), "changes[1].mergedInto: row 7 is not among `survivors`"),
        Edit("survivors[0].record.createdAt", ["real": "nan"], "survivors[0].record.createdAt.real: not a number"),
        Edit("survivors[0].record.id", "7", "survivors[0].record.id: not a UUID"),
        Edit("fingerprint.tables.ACHANGE.sha256", "00", "fingerprint.tables.ACHANGE.sha256: not 32 bytes"),
        Edit("fingerprint.records[0]", ["row": .integer(5)], "fingerprint.records[0]: `record` is missing"),
        Edit("conflicts[0]", ["mac": "A4:C1:38:0B:7E:21"], "conflicts[0]: `field` is missing"),
        Edit("rejects[0]", "x", "rejects[0]: not an object"), Edit("notes[0]", .null, "notes[0]: not text"),
        Edit(
            "changes[3]",
            [
                "kind": "schema", "action": "createTable", "name": "ZX", "columns": .array([]),
                "statement": "CREATE TABLE ZX ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
            ], "changes[3].kind: `rebuild` plans no schema"),
        Edit(
            "changes[3]",
            [
                "kind": "schema", "action": "createTable", "name": "ZX", "columns": .array([]),
                "statement": "DROP TABLE ZDEVICESETTINGS",
            ], "changes[3].statement: not the statement of this change"),
    ]

    @Test("into nonsense is refused, and it is said where:", arguments: rebuildEdits)
    func rebuild(edit: Edit) throws { try expectFlaw(edit, in: Self.rebuildDocument.get()) }

    /// `changes[0…1]` make new records 8 and 9, `changes[2]` updates row 5, `changes[3]` leaves the import's mark.
    static let importEdits: [Edit] = [
        Edit("changes[0].row", .integer(9), "changes[1].row: row 9 is changed by changes[0] already"),
        Edit("changes[0].row", .integer(5), "changes[2].row: row 5 is changed by changes[0] already"),
        Edit("changes[0].mac", "0A:1B:2C:3D:4E:60", "changes[1].mac: a second new record of this meter"),
        Edit("changes[0].mac", "0A:1B:2C:3D:4E:61", "changes[0].fields[1].after: not `0A:1B:2C:3D:4E:61`"),
        Edit("changes[0].fields[1].after", "0a:1b:2c:3d:4e:5f", "changes[0].fields[1].after: not `0A:1B:2C:3D:4E:5F`"),
        Edit("changes[0].fields[1]", nil, "changes[0].fields: a new record without `macAddress`"),
        Edit("changes[0].fields[0].before", "00000000-0000-0000-0000-000000000000", "changes[0].fields[0]: a field of"),
        Edit("changes[0].fields[0].fromRow", .integer(5), "changes[0].fields[0]: a new record takes no row's value"),
        Edit("changes[0].cloudRecord", "x", "changes[0].cloudRecord: CloudKit does not know a new record"),
        Edit("changes[2].row", .integer(6), "changes[2].row: row 6 is not among the fingerprint's records"),
        Edit("changes[2].fields[0].before", "x", "changes[2].fields[0].before: row 5 of the fingerprint has another"),
        Edit("changes[3].after", .integer(3), "changes[3]: no command puts this under `legacyKeyValueImport`"),
        Edit("changes[3].after.sha256", nil, "changes[3].after: `sha256` is missing"),
        Edit("rejects[0].reason", "ugly", "rejects[0].reason: `ugly` is no reason"),
        Edit("rejects", .array([]), "summary.rejects: 1 instead of 0"),
        Edit("conflicts[0].field", "macAddress", "conflicts[0].field: only what the user typed can be in conflict"),
        Edit("summary.inserted", .integer(1), "summary.inserted: 1 instead of 2"),
    ]

    /// Only the store can tell.
    static let storeEdits: [Edit] = [
        Edit("changes[0].row", .integer(3), "changes[0].row: the next new record gets row 8"),
        Edit("changes[0].row", .integer(.max), "changes[0].row: the next new record gets row 8"),
        Edit(
            [("changes[0].mac", "A4:C1:38:0B:7E:21"), ("changes[0].fields[1].after", "A4:C1:38:0B:7E:21")],
            "changes[0].mac: the store has a record of this meter"),
        Edit(
            [("changes[2].row", .integer(6)), ("fingerprint.records[0].row", .integer(6))],
            "row 6 is not in the store as the document says"),
        Edit(
            [
                ("changes[2].fields[0].before", "x"), ("fingerprint.records[0].record.meterName", "x"),
                ("conflicts[0].dropped[0].value", "x"),
            ],
            "row 5 is not in the store as the document says"),
        Edit(
            [
                ("summary.records", .integer(4)), ("summary.unchanged", .integer(3)),
                ("cloud.deleteAndRecreate.inserts", .integer(6)),
            ],
            "summary.records: the store has 3"),
    ]

    @Test("of an import into nonsense is refused, and it is said where:", arguments: importEdits)
    func importing(edit: Edit) throws { try expectFlaw(edit, in: Self.importDocument.get()) }

    @Test("so that it says of the store what is not so is refused:", arguments: storeEdits)
    func store(edit: Edit) throws { try expectRefused(edit, PlanBench.importing) }

    /// `changes[0]` drops the index of the constraint, `changes[1]` puts another model in the cache.
    static let migrationEdits: [Edit] = [
        Edit(
            [
                ("changes[0].name", "Z_DeviceSettings_UNIQUE_id"),
                ("changes[0].statement", "DROP INDEX \"Z_DeviceSettings_UNIQUE_id\""),
            ], "changes[0]: the store has no such unique index of an entity"),
        Edit("changes[0].before", "DROP TABLE ZDEVICESETTINGS", "changes[0]: the store has no such unique index"),
        Edit("changes[1].content", "00", "changes[1]: not a model"),
        Edit(
            "changes[1]",
            [
                "kind": "schema", "action": "addColumn", "table": "Z_METADATA", "column": "ZX", "type": "BLOB",
                "statement": "ALTER TABLE \"Z_METADATA\" ADD COLUMN ZX BLOB",
            ], "changes[1]: `Z_METADATA` is the table of no entity"),
        Edit(
            "changes[1]",
            [
                "kind": "schema", "action": "createTable", "name": "ZX", "columns": .array([]),
                "statement": "CREATE TABLE ZX ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
            ], "changes[1]: `ZX` is the table of no entity that the plan adds"),
        Edit(
            "changes[1]",
            [
                "kind": "schema", "action": "addEntity", "number": .integer(16_001), "name": "X",
                "parent": .integer(0),
                "statement": "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
            ], "changes[1]: this number or name is taken"),
    ]

    @Test("of a migration so that it makes another schema is refused:", arguments: migrationEdits)
    func migration(edit: Edit) throws {
        try expectRefused(edit, MigrationPlanner(), StoreFixture(.v1, records: [Meters.healthy]))
    }

    private static let rebuildDocument = Result { try document(PlanBench.rebuilding) }
    private static let importDocument = Result { try document(PlanBench.importing) }

    private static func document(_ planner: some Planner) throws -> JSONValue {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(planner)
        return try bench.document
    }

    private func expectFlaw(_ edit: Edit, in document: JSONValue) throws {
        #expect(throws: Never.self) { try PlanDocument(document) }
        let edited = edit.edits.reduce(document) { $0.with($1.place, $1.value) }
        let flaw = #expect(throws: PlanError.self) { try PlanDocument(edited) }
        #expect(flaw?.description.hasPrefix(edit.flaw) == true, "\(flaw?.description ?? "nothing")")
    }

    private func expectRefused(
        _ edit: Edit, _ planner: some Planner, _ fixture: StoreFixture = PlanBench.fixture
    ) throws {
        let bench = try PlanBench(fixture)
        try bench.plan(planner)
        try bench.write(edit.edits.reduce(try bench.document) { $0.with($1.place, $1.value) })
        let before = try bench.store.snapshot()
        let error = #expect(throws: StoreError.self) { try bench.apply() }
        #expect(error?.kind == .damaged)
        #expect(error?.path == bench.file)
        let start = "not a plan that can be carried out: " + edit.flaw
        #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "nothing")")
        #expect(try bench.store.snapshot().hasSameBytes(as: before))
    }

    @Test("with a key twice in one object is refused")
    func keyTwice() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        let text = String(decoding: try FileBytes.read(bench.file), as: UTF8.self)
        let doubled = text.replacing("\"entity\":", with: "\"row\":7,\"entity\":", maxReplacements: 1)
        #expect(doubled != text)
        try FileBytes.write(Array(doubled.utf8), to: bench.file)
        let error = #expect(throws: StoreError.self) { try bench.apply() }
        #expect(error?.kind == .damaged && error?.message.contains("a key stands twice") == true)
    }

    @Test("so that a name is another one is applied with that name")
    func soName() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        #expect(try bench.document.at("changes[0].fields[0].after") == "Kitchen")
        try bench.write(try bench.document.with("changes[0].fields[0].after", "Küche"))
        #expect(try bench.apply().outcome == .applied)
        #expect(try bench.store.column("ZMETERNAME") == ["5: 'Lab'", "7: 'Küche'"])
    }

    @Test("so that one meter's changes are gone is applied to the others")
    func soMeter() throws {
        let second = Meters.pair.map { record in
            record.with {
                $0.row += 100
                $0.macAddress = "B4:C1:38:0B:7E:22"
                $0.id = FixtureUUID(UInt64($0.row)).bytes
            }
        }
        let bench = try PlanBench(
            PlanBench.fixture.with {
                $0.records += second; $0.mirror = .none
            })
        let plan = try #require(try bench.plan(PlanBench.rebuilding).plan)
        #expect(plan.summary.updated == 2 && plan.summary.deleted == 2 && plan.changes.count == 5)
        var document = try bench.document
        for place in ["changes[0]", "changes[0]", "survivors[0]"] { document = document.with(place, nil) }
        for (key, number) in [("updated", 1), ("deleted", 1), ("unchanged", 3)] as [(String, Int64)] {
            document = document.with("summary.\(key)", .integer(number))
        }
        try bench.write(document)
        #expect(try bench.apply().outcome == .applied)
        #expect(try bench.store.column("Z_OPT") == ["3: 1", "5: 1", "7: 1", "107: 2"])
        #expect(try bench.store.rebuild().summary.deleted == 1)
    }

    @Test("so that one new record is gone leaves its number unused")
    func soNewRecord() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.importing)
        var document = try bench.document.with("changes[0]", nil).with("summary.inserted", .integer(1))
        let updates = try #require(document.at("cloud.updates"))
        #expect(updates == .integer(3))
        document = document.with("cloud.updates", .integer(2)).with("cloud.deleteAndRecreate.inserts", .integer(4))
        try bench.write(document)
        #expect(try bench.apply().outcome == .applied)
        #expect(try bench.store.column("Z_OPT") == ["3: 1", "5: 2", "7: 1", "9: 1"])
    }
}
