import CoreDataStore
import JSON
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("a plan that somebody edited")
struct EditedPlanTests {
    /// A place in a plan's file (`+` for a new line in front of the last), what is put there, and where the plan is then
    /// wrong.
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

        func edited(_ lines: PlanLines) -> PlanLines {
            edits.reduce(lines) { lines, edit in
                edit.place == "+" ? lines.adding(edit.value ?? .null) : lines.with(edit.place, edit.value)
            }
        }

        var testDescription: String { "\(edits.map(\.place).joined(separator: ", ")): \(flaw)" }
    }

    /// Line 2 has the record of row 7, which line 3 updates; line 4 that of row 3, which line 5 deletes; line 6 sets the
    /// marker, and line 7 is the end.
    static let rebuildEdits: [Edit] = [
        Edit("1.schema", .integer(2), "line 1, schema: this version reads schema 1"),
        Edit("1.tool", "sqlite3", "line 1, tool: not a plan of meterfix"),
        Edit("1.made", "yesterday", "line 1, made: not a date"), Edit("1.made", nil, "line 1: `made` is missing"),
        Edit("1.command", "undo", "line 1, command: `undo` is no command that plans"),
        Edit("1.comment", "good", "line 1: the key `comment` has no meaning here"),
        Edit("1.options.color", "red", "line 1, options: the key `color` has no meaning here"),
        Edit("1.options.macCase", "lower", "line 1, letterCase: not the case that `options` asks for"),
        Edit("1.letterCase", "title", "line 1, letterCase: `title` is no letter case"),
        Edit("1.notes[0]", .null, "line 1, notes[0]: not text"), Edit("3", "x", "line 3: not an object"),
        Edit("3.kind", "upsert", "line 3, kind: `upsert` is no kind of line"),
        Edit("3.kind", nil, "line 3: "), Edit("3.kind", "insert", "line 3, cloudRecord: "),
        Edit("3.entity", "Bookmark", "line 3, entity: records of DeviceSettings are all"),
        Edit("3.row", .integer(99), "line 3, row: no line has the record of row 99"),
        Edit("3.row", .integer(-7), "line 3, row: row numbers begin at 1"),
        Edit("3.row", .integer(3), "line 5, row: row 3 is changed by line 3 already"),
        Edit("3.row", "7", "line 3, row: not a whole number"),
        Edit("3.mac", "00:00:00:00:00:00", "line 3, mac: not the address of a meter"),
        Edit("3.mac", "A4:C1:38:0B:7E:22", "line 3, mac: row 7 is not a record of this meter"),
        Edit("3.fields", .array([]), "line 3, fields: no field is changed"),
        Edit("3.fields[0].name", "Z_PK", "line 3, fields[0].name: the store has no field `Z_PK`"),
        Edit("3.fields[0].name", "meterName\"", "line 3, fields[0].name: the store has no field"),
        Edit(
            [
                ("3.fields[0].name", "id"),
                ("3.fields[0].after", "00000000-0000-0000-0000-000000000007"),
            ], "line 3, fields[0].rule: `newest-non-empty` does not decide `id`"),
        Edit("3.fields[0].after", .integer(5), "line 3, fields[0].after: `meterName` holds values of the"),
        Edit("3.fields[0].after", .double(5.5), "line 3, fields[0].after: not a value of a field"),
        Edit("3.fields[0].after", ["hex": "00ff"], "line 3, fields[0].after: `meterName` holds values"),
        Edit("3.fields[0].after", ["hex": "0"], "line 3, fields[0].after.hex: not hexadecimal digits"),
        Edit("3.fields[0].after", ["sql": "1"], "line 3, fields[0].after.sql: `sql` is no way to write"),
        Edit("3.fields[0].after", .null, "line 3, fields[0].after: an empty value takes no other one's"),
        Edit("3.fields[0].after", nil, "line 3, fields[0]: `after` is missing"),
        Edit("3.fields[0].before", "x", "line 3, fields[0].before: the record of row 7 has another value"),
        Edit("3.fields[0].rule", "guess", "line 3, fields[0].rule: `guess` is no rule"),
        Edit("3.fields[0].rule", "legacy-fill", "line 3, fields[0].fromRow: `legacy-fill` takes no row's"),
        Edit(
            [("3.fields[0].rule", "legacy-fill"), ("3.fields[0].fromRow", .null)],
            "line 3, fields[0].rule: `rebuild` decides nothing by `legacy-fill`"),
        Edit(
            [
                ("6.key", "NSStoreModelVersionHashes"),
                ("6.after", ["hashes": ["DeviceSettings": "00"]]),
            ],
            "line 6, key: `rebuild` does not change `NSStoreModelVersionHashes`"),
        Edit("3.fields[0].fromRow", .null, "line 3, fields[0].fromRow: the row whose value it is"),
        Edit("3.fields[1].after", "soon", "line 3, fields[1].after: not a date"),
        Edit("3.fields[1].name", "meterName", "line 3, fields[1]"),
        Edit("5.mergedInto", .integer(5), "line 5, mergedInto: no line before this one has the record of row 5"),
        Edit("5.mergedInto", .integer(3), "line 5, mergedInto: row 3 is deleted itself"),
        Edit("5.advantage", "luck", "line 5, advantage: `luck` is no step"),
        Edit("5.row", .integer(7), "line 5, row: row 7 is changed by line 3 already"),
        Edit("5.row", .integer(5), "line 5, row: no line before this one has the record of row 5"),
        Edit("5.mac", "A4:C1:38:0B:7E:99", "line 5, row: row 3 is not a record of this meter"),
        Edit("5.record", ["modelType": "UM25C"], "line 5: the key `record` has no meaning here"),
        Edit("4.values.macAddress", "A4:C1:38:0B:7E:99", "line 4, mac: not the address in `values`"),
        Edit("4.mac", "A4:C1:38:0B:7E:99", "line 4, mac: not the address in `values`"),
        Edit("4.values.macAddress", nil, "line 4, values: `macAddress` is missing"),
        Edit("4.values.Z_OPT", .integer(1), "line 4, values: the key `Z_OPT` has no meaning here"),
        Edit("4.values.modelType", "UM25C", "line 5: `modelType` of row 3 would be lost"),
        Edit("4.row", .integer(7), "line 4, row: row 7 has a line already"),
        Edit("2.cloudRecord", .null, "line 3, cloudRecord: the record of row 7 has another one"),
        Edit("6.key", "NSStoreUUID", "line 6: no command puts this under `NSStoreUUID`"),
        Edit("6.after", .integer(4), "line 6: no command puts this under `cloudStoreRebuildVersion`"),
        Edit("3.fields[0]", nil, "line 5: `meterName` of row 3 would be lost"),
        Edit("3", nil, "line 4: `meterName` of row 3 would be lost"),
        Edit("5", nil, "no change is about row 3, whose record has a line"),
        Edit([("5", nil), ("4", nil), ("3", nil)], "no change is about row 7, whose record has a line"),
        Edit("2", nil, "line 4, mergedInto: no line before this one has the record of row 7"),
        Edit("4", nil, "line 4, row: no line before this one has the record of row 3"),
        Edit("7.lines", .integer(8), "line 7, lines: 8 instead of 7"),
        Edit("7.lines", nil, "line 7: `lines` is missing"),
        Edit("7.kind", "metadata", "line 7: the key `lines` has no meaning here"),
        Edit("1.totals.groups", .integer(0), "line 1, totals.groups: this plan merges 1 groups"),
        Edit(
            [("1.totals.groups", .integer(1)), ("1.totals.records", .integer(1))],
            "line 1, totals.records: the plan changes 2 records"),
        Edit("1.totals.records", .integer(.max), "line 1, totals.records: not a number of things"),
        Edit("1.totals.mirrored", .integer(-1), "line 1, totals.mirrored: not a number of things"),
        Edit("1.layout.meterName", "blob", "line 1, layout.meterName: `blob` is no kind of field"),
        Edit("1.layout.price", "real", "line 2, values: `price` is missing"),
        Edit("2.row", .integer(5), "line 5, mergedInto: no line before this one has the record of row 7"),
        Edit("2.values.createdAt", ["real": "nan"], "line 2, values.createdAt.real: not a number"),
        Edit("2.values.id", "7", "line 2, values.id: not a UUID"),
        Edit(
            "1.fingerprint.tables.ACHANGE.sha256", "00", "line 1, fingerprint.tables.ACHANGE.sha256: not 32 bytes"),
        Edit("+", ["kind": "conflict", "mac": "A4:C1:38:0B:7E:21"], "line 7: `field` is missing"),
        Edit("+", ["kind": "reject", "key": "x"], "line 7: `dictionary` is missing"),
        Edit("+", ["kind": "end", "lines": .integer(7)], "line 8: something follows the line that ends the plan"),
        Edit(
            "+",
            [
                "kind": "schema", "action": "createTable", "name": "ZX", "columns": .array([]),
                "statement": "CREATE TABLE ZX ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
            ], "line 7, kind: `rebuild` plans no schema"),
        Edit(
            "+",
            [
                "kind": "schema", "action": "createTable", "name": "ZX", "columns": .array([]),
                "statement": "DROP TABLE ZDEVICESETTINGS",
            ], "line 7, statement: not the statement of this change"),
    ]

    @Test("into nonsense is refused, and it is said where:", arguments: rebuildEdits)
    func rebuild(edit: Edit) throws { try expectRefused(edit, PlanBench.rebuilding) }

    /// Lines 2 and 3 make new records 8 and 9, line 5 updates row 5, whose record line 4 has; line 6 leaves the import's mark.
    /// Line 7 is a conflict, line 8 what cannot be used.
    static let importEdits: [Edit] = [
        Edit("2.row", .integer(9), "line 3, row: row 9 is changed by line 2 already"),
        Edit("2.row", .integer(5), "line 5, row: row 5 is changed by line 2 already"),
        Edit("2.mac", "0A:1B:2C:3D:4E:60", "line 3, mac: a second new record of this meter"),
        Edit("2.mac", "0A:1B:2C:3D:4E:61", "line 2, fields[1].after: not `0A:1B:2C:3D:4E:61`"),
        Edit("2.fields[1].after", "0a:1b:2c:3d:4e:5f", "line 2, fields[1].after: not `0A:1B:2C:3D:4E:5F`"),
        Edit("2.fields[1]", nil, "line 2, fields: a new record without `macAddress`"),
        Edit("2.fields[0].before", "00000000-0000-0000-0000-000000000000", "line 2, fields[0]: a field of"),
        Edit("2.fields[0].fromRow", .integer(5), "line 2, fields[0]: a new record takes no row's value"),
        Edit("2.cloudRecord", "x", "line 2, cloudRecord: CloudKit does not know a new record"),
        Edit("5.row", .integer(6), "line 5, row: no line has the record of row 6"),
        Edit("5.fields[0].before", "x", "line 5, fields[0].before: the record of row 5 has another"),
        Edit("6.after", .integer(3), "line 6: no command puts this under `legacyKeyValueImport`"),
        Edit("6.after.sha256", nil, "line 6, after: `sha256` is missing"),
        Edit("8.reason", "ugly", "line 8, reason: `ugly` is no reason"),
        Edit("7.field", "macAddress", "line 7, field: only what the user typed can be in conflict"),
    ]

    /// Only the store can tell.
    static let storeEdits: [Edit] = [
        Edit("2.row", .integer(3), "line 2, row: the next new record gets row 8"),
        Edit("2.row", .integer(.max), "line 2, row: the next new record gets row 8"),
        Edit(
            [("2.mac", "A4:C1:38:0B:7E:21"), ("2.fields[1].after", "A4:C1:38:0B:7E:21")],
            "line 2, mac: the store has a record of this meter"),
        Edit(
            [("5.row", .integer(6)), ("4.row", .integer(6))],
            "row 6 is not in the store as the document says"),
        Edit(
            [
                ("5.fields[0].before", "x"), ("4.values.meterName", "x"),
                ("7.dropped[0].value", "x"),
            ],
            "row 5 is not in the store as the document says"),
        Edit("1.totals.records", .integer(4), "line 1, totals.records: the store has 3"),
    ]

    @Test("of an import into nonsense is refused, and it is said where:", arguments: importEdits)
    func importing(edit: Edit) throws { try expectRefused(edit, PlanBench.importing) }

    @Test("so that it says of the store what is not so is refused:", arguments: storeEdits)
    func store(edit: Edit) throws { try expectRefused(edit, PlanBench.importing) }

    /// Line 2 drops the index of the constraint, line 3 puts another model in the cache.
    static let migrationEdits: [Edit] = [
        Edit(
            [
                ("2.name", "Z_DeviceSettings_UNIQUE_id"),
                ("2.statement", "DROP INDEX \"Z_DeviceSettings_UNIQUE_id\""),
            ], "line 2: the store has no such unique index of an entity"),
        Edit("2.before", "DROP TABLE ZDEVICESETTINGS", "line 2: the store has no such unique index"),
        Edit("3.content", "00", "line 3: not a model"),
        Edit(
            "3",
            [
                "kind": "schema", "action": "addColumn", "table": "Z_METADATA", "column": "ZX", "type": "BLOB",
                "statement": "ALTER TABLE \"Z_METADATA\" ADD COLUMN ZX BLOB",
            ], "line 3: `Z_METADATA` is the table of no entity"),
        Edit(
            "3",
            [
                "kind": "schema", "action": "createTable", "name": "ZX", "columns": .array([]),
                "statement": "CREATE TABLE ZX ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
            ], "line 3: `ZX` is the table of no entity that the plan adds"),
        Edit(
            "3",
            [
                "kind": "schema", "action": "addEntity", "number": .integer(16_001), "name": "X",
                "parent": .integer(0),
                "statement": "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
            ], "line 3: this number or name is taken"),
    ]

    @Test("of a migration so that it makes another schema is refused:", arguments: migrationEdits)
    func migration(edit: Edit) throws {
        try expectRefused(edit, MigrationPlanner(), StoreFixture(.v1, records: [Meters.healthy]))
    }

    private func expectRefused(
        _ edit: Edit, _ planner: some Planner, _ fixture: StoreFixture = PlanBench.fixture
    ) throws {
        let bench = try PlanBench(fixture)
        try bench.plan(planner)
        try bench.write(edit.edited(try bench.lines))
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
        #expect(
            error?.kind == .damaged && error?.message.contains("line 2: no JSON, an object has a duplicate key") == true
        )
    }

    @Test("so that it lowers the marker of a later rebuild is refused")
    func soMarker() throws {
        let bench = try PlanBench(PlanBench.fixture.with { $0.marker = 4 })
        try bench.plan(PlanBench.rebuilding)
        let lines = try bench.lines
        try bench.write(
            lines.adding([
                "kind": "metadata", "key": "cloudStoreRebuildVersion", "before": .integer(4), "after": .integer(3),
            ]))
        let error = #expect(throws: StoreError.self) { try bench.apply() }
        #expect(error?.kind == .damaged)
        #expect(error?.message.contains("key: the store is marked already") == true)
        try bench.write(lines)
        #expect(try bench.apply().outcome == .applied)
        #expect(try bench.store.description().metadata.dictionary?["cloudStoreRebuildVersion"] == .integer(4))
    }

    @Test("so that a name is another one is applied with that name")
    func soName() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        #expect(try bench.lines.at("3.fields[0].after") == "Kitchen")
        try bench.write(try bench.lines.with("3.fields[0].after", "Küche"))
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
        var lines = try bench.lines
        for _ in 2...5 { lines = lines.with("2", nil) }
        try bench.write(lines)
        #expect(try bench.apply().outcome == .applied)
        #expect(try bench.store.column("Z_OPT") == ["3: 1", "5: 1", "7: 1", "107: 2"])
        #expect(try bench.store.rebuild().summary.deleted == 1)
    }

    @Test("so that one new record is gone leaves its number unused")
    func soNewRecord() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.importing)
        try bench.write(try bench.lines.with("2", nil))
        let report = try bench.apply()
        #expect(report.outcome == .applied)
        // Its numbers are those of what is left.
        #expect(report.summary.inserted == 1 && report.plan?.cloud.updates == 2)
        #expect(report.plan?.cloud.recreateInserts == 4)
        #expect(try bench.store.column("Z_OPT") == ["3: 1", "5: 2", "7: 1", "9: 1"])
    }
}
