import CoreDataStore
import JSON
import MeterInspect
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
        Edit("1.made", "2026-11-20T12:00:00.000Z", "line 3, fields[1].after: \"2026-11-21T12:00:00.000Z\" instead of"),
        Edit("1.command", "undo", "line 1, command: `undo` is no command that plans"),
        Edit("1.command", "apply", "line 1, options: `apply` writes no plans"),
        Edit("1.command", "migrate", "line 1, options: `winner` is `most-complete`, which `migrate` does not write"),
        Edit("1.comment", "good", "line 1: the key `comment` has no meaning here"),
        Edit("1.totals", ["mirrored": .integer(0)], "line 1: the key `totals` has no meaning here"),
        Edit("1.options.color", "red", "line 1, options: `color` is `red`, which `rebuild` does not write"),
        Edit("1.options.inUse", "perhaps", "line 1, options: `inUse` is `perhaps`"),
        Edit("1.options.inUse", "true", "line 1, options: `winner` is `most-complete`"),
        Edit("1.options.winner", "loudest", "line 1, options: `winner` cannot be `loudest`"),
        Edit("1.options.winner", nil, "line 1, options: `winner` is missing"),
        Edit("1.options.macCase", "lower", "line 1, letterCase: `upper` instead of `lower`"),
        Edit("1.letterCase", "lower", "line 1, letterCase: `lower` instead of `upper`"),
        Edit("1.letterCase", "title", "line 1, letterCase: `title` is no letter case"),
        Edit("1.notes[0]", .null, "line 1, notes[0]: not text"), Edit("3", "x", "line 3: not an object"),
        Edit("3.kind", "upsert", "line 3, kind: `upsert` is no kind of line"),
        Edit("3.kind", nil, "line 3: "), Edit("3.kind", "insert", "line 3, cloudRecord: "),
        Edit("3.entity", "Bookmark", "line 3, entity: records of DeviceSettings are all"),
        Edit("3.row", .integer(99), "line 3, row: 99 instead of 7"),
        Edit("3.row", .integer(-7), "line 3, row: row numbers begin at 1"),
        Edit("3.row", "7", "line 3, row: not a whole number"),
        Edit("3.mac", "00:00:00:00:00:00", "line 3, mac: not the address of a meter"),
        Edit("3.mac", "A4:C1:38:0B:7E:22", "line 3, mac: \"A4:C1:38:0B:7E:22\" instead of \"A4:C1:38:0B:7E:21\""),
        Edit("3.cloudRecord", .null, "line 3, cloudRecord: null instead of"),
        Edit("3.fields", .array([]), "line 3, fields: [] instead of"),
        Edit("3.fields[0].name", "Z_PK", "line 3, fields[0].name: the store has no field `Z_PK`"),
        Edit("3.fields[0].after", .integer(5), "line 3, fields[0].after: not a value that `set` gives `meterName`"),
        Edit("3.fields[0].after", .double(5.5), "line 3, fields[0].after: not a value of a field"),
        Edit("3.fields[0].after", ["hex": "00ff"], "line 3, fields[0].after: not a value that `set` gives"),
        Edit("3.fields[0].after", ["hex": "0"], "line 3, fields[0].after.hex: not hexadecimal digits"),
        Edit("3.fields[0].after", ["sql": "1"], "line 3, fields[0].after.sql: `sql` is no way to write"),
        Edit("3.fields[0].after", .null, "line 3, fields[0].after: the same value as before"),
        Edit("3.fields[0].after", " ", "line 3, fields[0].after: not a value that `set` gives"),
        Edit("3.fields[0].after", " Kitchen", "line 3, fields[0].after: not a value that `set` gives"),
        Edit("3.fields[0].after", "a\u{0}b", "line 3, fields[0].after: not a value that `set` gives"),
        Edit("3.fields[0].after", nil, "line 3, fields[0]: `after` is missing"),
        Edit("3.fields[0].before", "x", "line 3, fields[0].before: \"x\" instead of null"),
        Edit("3.fields[0].rule", "guess", "line 3, fields[0].rule: `guess` is no rule"),
        Edit("3.fields[0].rule", "legacy-fill", "line 3, fields[0].rule: \"legacy-fill\" instead of"),
        Edit("3.fields[0].fromRow", .null, "line 3, fields[0].fromRow: null instead of 3"),
        Edit("3.fields[0]", nil, "line 3, fields: ["),
        Edit("3.fields[1].after", "2199-01-01T00:00:00Z", "line 3, fields[1].after: \"2199-01-01T00:00:00Z\" instead"),
        Edit("5.mergedInto", .integer(5), "line 5, mergedInto: 5 instead of 7"),
        Edit("5.mergedInto", .null, "line 5, advantage: `mergedInto` and `advantage` belong together"),
        Edit("5.advantage", "luck", "line 5, advantage: `luck` is no step"),
        Edit("5.advantage", "row", "line 5, advantage: \"row\" instead of"),
        Edit("5.row", .integer(7), "line 5, row: 7 instead of 3"),
        Edit("5.row", .integer(5), "line 5, row: 5 instead of 3"),
        Edit("5.record", ["modelType": "UM25C"], "line 5: the key `record` has no meaning here"),
        Edit("4.values.macAddress", "A4:C1:38:0B:7E:99", "line 4, mac: not the address in `values`"),
        Edit("4.mac", "A4:C1:38:0B:7E:99", "line 4, mac: not the address in `values`"),
        Edit("4.values.macAddress", nil, "line 4, values: `macAddress` is missing"),
        Edit("4.values.Z_OPT", .integer(1), "line 4, values: the key `Z_OPT` has no meaning here"),
        Edit("4.values.modelType", "UM25C", "line 4, values.modelType: \"UM25C\" instead of"),
        Edit("2.cloudRecord", .null, "line 2, cloudRecord: null instead of"),
        Edit("2.values.createdAt", ["real": "nan"], "line 2, values.createdAt.real: not a number"),
        Edit("2.values.id", "7", "line 2, values.id: not a UUID"),
        Edit("6.key", "NSStoreUUID", "line 6, key: \"NSStoreUUID\" instead of \"cloudStoreRebuildVersion\""),
        Edit("6.after", .integer(4), "line 6, after: 4 instead of 3"),
        Edit("6", nil, "a line of the plan is missing, and it is not of one meter: {\"kind\":\"metadata\""),
        Edit("2", nil, "line 2: other lines of A4:C1:38:0B:7E:21 are missing"),
        Edit("3", nil, "line 2: other lines of A4:C1:38:0B:7E:21 are missing"),
        Edit([("5", nil), ("4", nil)], "line 2: other lines of A4:C1:38:0B:7E:21 are missing"),
        Edit("7.lines", .integer(8), "line 7, lines: 8 instead of 7"),
        Edit("7.lines", nil, "line 7: `lines` is missing"),
        Edit("1.layout.meterName", "blob", "line 1, layout.meterName: `blob` is no kind of field"),
        Edit("1.layout.price", "real", "line 2, values: `price` is missing"),
        Edit("1.fingerprint.tables.ACHANGE.sha256", "00", "line 1, fingerprint.tables.ACHANGE.sha256: not 32 bytes"),
        Edit(
            "1.fingerprint.tables.ACHANGE.rows", .integer(-1), "line 1, fingerprint.tables.ACHANGE.rows: not a number"),
        Edit("+", ["kind": "conflict", "mac": "A4:C1:38:0B:7E:21"], "line 7: `field` is missing"),
        Edit("+", ["kind": "reject", "key": "x"], "line 7: `dictionary` is missing"),
        Edit("+", ["kind": "end", "lines": .integer(7)], "line 8: something follows the line that ends the plan"),
        Edit(
            "+", ["kind": "entry", "key": "A4:C1:38:0B:7E:21", "dictionary": "MeterNames", "value": "x"],
            "line 7: the plan has no such line"),
        Edit(
            "+",
            [
                "kind": "conflict", "mac": "A4:C1:38:0B:7E:21", "field": "meterName", "kept": "Kitchen",
                "keptFromRow": .integer(3), "dropped": .array([["value": "Invented", "row": .integer(7)]]),
            ], "line 7: the plan has no such line"),
        Edit(
            "+",
            [
                "kind": "schema", "action": "createTable", "name": "ZX", "columns": .array([]),
                "statement": "CREATE TABLE ZX ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
            ], "line 7: the plan has no such line"),
        Edit(
            "+",
            [
                "kind": "schema", "action": "createTable", "name": "ZX", "columns": .array([]),
                "statement": "DROP TABLE ZDEVICESETTINGS",
            ], "line 7, statement: not the statement of this change"),
    ]

    @Test("into nonsense is refused, and it is said where:", arguments: rebuildEdits)
    func rebuild(edit: Edit) throws { try expectRefused(edit, PlanBench.rebuilding) }

    /// Lines 2 to 4 have what the dump has. Lines 5 and 6 make new records 8 and 9, line 8 updates row 5, whose record line
    /// 7 has; line 9 leaves the import's mark. Line 10 is a conflict, line 11 what cannot be used.
    static let importEdits: [Edit] = [
        Edit("2.value", "Tent", "line 1, options: the lines of the kinds `entry` and `reject` are not those"),
        Edit("2.key", "0A:1B:2C:3D:4E:61", "line 1, options: the lines of the kinds `entry` and `reject`"),
        Edit("2", nil, "line 1, options: the lines of the kinds `entry` and `reject` are not those"),
        Edit("11", nil, "line 1, options: the lines of the kinds `entry` and `reject` are not those"),
        Edit("11.key", "UM26C", "line 1, options: the lines of the kinds `entry` and `reject` are not those"),
        Edit("11.reason", "ugly", "line 11, reason: `ugly` is no reason"),
        Edit("11.reason", "not-text", "line 11, reason: \"not-text\" instead of \"bad-address\""),
        Edit("1.options.entries", "00", "line 1, options: the lines of the kinds `entry` and `reject`"),
        Edit("1.options.dump", "00", "line 9, after.sha256: "),
        Edit("1.options.onConflict", "keep", "line 7: the plan has no such line"),
        Edit("5.row", .integer(9), "line 5, mac: \"0A:1B:2C:3D:4E:5F\" instead of \"0A:1B:2C:3D:4E:60\""),
        Edit("5.row", .integer(5), "line 5, row: 5 instead of 8"),
        Edit("5.mac", "0A:1B:2C:3D:4E:61", "line 5, mac: "),
        Edit("5.fields[1].after", "0a:1b:2c:3d:4e:5f", "line 5, fields[1].after: "),
        Edit("5.fields[1].after", "0A:1B:2C:3D:4E:61", "line 5, fields[1].after: "),
        Edit("5.fields[1]", nil, "line 5, fields: ["),
        Edit("5.fields[0].after", "00000000-0000-0000-0000-000000000005", "line 5, fields[0].after: "),
        Edit("5.fields[0].before", "00000000-0000-0000-0000-000000000000", "line 5, fields[0]: a field of"),
        Edit("5.fields[0].fromRow", .integer(5), "line 5, fields[0]: a new record takes no row's value"),
        Edit("5.cloudRecord", "x", "line 5, cloudRecord: CloudKit does not know a new record"),
        Edit("8.row", .integer(6), "line 8, row: 6 instead of 5"),
        Edit("8.fields[0].before", "x", "line 8, fields[0].before: \"x\" instead of"),
        Edit("8.fields[0].after", "Lab", "line 8, fields[0].after: the same value as before"),
        Edit("9.after", .integer(3), "line 9, after: 3 instead of"),
        Edit("9.after.sha256", nil, "line 9, after: `sha256` is missing"),
        Edit("9", nil, "a line of the plan is missing, and it is not of one meter"),
        Edit("10.field", "modelType", "line 10, field: \"modelType\" instead of \"meterName\""),
        Edit("10.kept", "Attic", "line 10, kept: \"Attic\" instead of \"Atelier\""),
        Edit("10.dropped[0].value", "Attic", "line 10, dropped[0].value: \"Attic\" instead of"),
        Edit("10.dropped", .array([]), "line 10, dropped: [] instead of"),
        Edit("10", nil, "line 7: other lines of A4:C1:38:0B:7E:99 are missing"),
    ]

    @Test("of an import into nonsense is refused, and it is said where:", arguments: importEdits)
    func importing(edit: Edit) throws { try expectRefused(edit, PlanBench.importing) }

    /// Line 2 drops the index of the constraint, line 3 puts another model in the cache; then come what the metadata says of
    /// the model: hashes, digest, checksum.
    static let migrationEdits: [Edit] = [
        Edit("2", nil, "line 2: {\"kind\":\"schema\",\"action\":\"modelCache\""),
        Edit("3", nil, "a line of the plan is missing, and it is not of one meter"),
        Edit("4", nil, "a line of the plan is missing, and it is not of one meter"),
        Edit("5", nil, "a line of the plan is missing, and it is not of one meter"),
        Edit("5.after", "AAAA", "line 5, after: \"AAAA\" instead of"),
        Edit(
            [
                ("2.name", "Z_DeviceSettings_UNIQUE_id"),
                ("2.statement", "DROP INDEX \"Z_DeviceSettings_UNIQUE_id\""),
            ], "line 2, name: \"Z_DeviceSettings_UNIQUE_id\" instead of"),
        Edit("2.before", "DROP TABLE ZDEVICESETTINGS", "line 2, before: \"DROP TABLE ZDEVICESETTINGS\" instead of"),
        Edit("3.content", "00", "line 3, content: \"00\" instead of"),
        Edit("1.options.restoreMetadata", "yes", "line 1, options: `restoreMetadata` is `yes`"),
        Edit("1.options.model", "CKModel", "line 1, options: the plan was made with a model, which is in no plan"),
        Edit(
            "3",
            [
                "kind": "schema", "action": "addColumn", "table": "Z_METADATA", "column": "ZX", "type": "BLOB",
                "statement": "ALTER TABLE \"Z_METADATA\" ADD COLUMN ZX BLOB",
            ], "line 3"),
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
        try bench.expectRefused(saying: edit.flaw)
    }

    @Test("with a key twice in one object is refused")
    func keyTwice() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        let text = String(decoding: try FileBytes.read(bench.file), as: UTF8.self)
        let doubled = text.replacing("\"entity\":", with: "\"row\":7,\"entity\":", maxReplacements: 1)
        #expect(doubled != text)
        try FileBytes.write(Array(doubled.utf8), to: bench.file)
        try bench.expectRefused(saying: "line 2: no JSON, an object has a duplicate key")
    }

    @Test("of another version of meterfix is refused, whatever else it has")
    func version() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        let lines = try bench.lines.with("1.version", "0.0.9").with("1.totals", .integer(1))
        try bench.write(lines)
        let error = try bench.expectRefused(
            saying: "line 1, version: made by meterfix 0.0.9, and this is meterfix \(Version.current)")
        #expect(error?.hint?.hasPrefix("make a new plan with this version: ") == true)
    }

    @Test("with a line twice is refused, whichever it is")
    func lineTwice() throws {
        for planner in [PlanBench.rebuilding, PlanBench.importing, FirstAidPlanner()] as [any Planner] {
            let bench = try PlanBench(PlanBench.fixture)
            try bench.plan(planner)
            let lines = try bench.lines
            for line in lines.values.dropFirst().dropLast() {
                try bench.write(lines.adding(line))
                try bench.expectRefused(saying: "")
            }
        }
    }

    @Test("so that the lines of two are in one file is refused")
    func joined() throws {
        let nameless = [Meters.healthy, Meters.healthy.with { $0.row = 6 }].map { record in
            record.with {
                $0.macAddress = nil
                $0.id = FixtureUUID(UInt64($0.row)).bytes
            }
        }
        let address = MACAddress.parse(Meters.address)!.0
        let benches = try [Int64(5), 6].map { row in
            let bench = try PlanBench(StoreFixture(records: nameless))
            try bench.plan(SetPlanner(.row(row), name: nil, unit: nil, address: address))
            return bench
        }
        let others = try benches[1].lines.values.dropFirst().dropLast()
        try benches[0].write(others.reduce(try benches[0].lines) { $0.adding($1) })
        try benches[0].expectRefused(saying: "line 4: the plan has no such line")
    }

    @Test("so that a cure clears the lock of a device that is connected is refused")
    func liveLock() throws {
        let records = [
            Meters.healthy.with { $0.connectedByDeviceName = "torn" },
            Meters.pair[0].locked(by: .anasPhone, at: FixtureClock.now - 30),
        ]
        let fixture = StoreFixture(records: records)
        let bench = try PlanBench(fixture)
        try bench.plan(FixPlanner([.lockTorn]))
        let unlocking = try PlanBench(fixture)
        try unlocking.plan(UnlockPlanner(MACAddress.parse(Meters.address)!.0, force: true))
        let lines = try unlocking.lines.values.dropFirst().dropLast().reduce(bench.lines) { $0.adding($1) }
        try bench.write(lines)
        try bench.expectRefused(saying: "the plan has no such line")
        // Neither does a plan of `unlock` that was made by force, and says so no longer.
        try unlocking.write(unlocking.lines.with("1.options.force", nil))
        let error = #expect(throws: StoreError.self) { try unlocking.apply() }
        #expect(error?.kind == .inUse)
    }

    @Test("so that it deletes another record is refused, or asked whether somebody misses that")
    func otherDeletion() throws {
        let records = [Meters.healthy, Meters.healthy.with { $0.row = 6 }].map { record in
            record.with {
                $0.macAddress = nil
                $0.meterName = $0.row == 5 ? "Lab" : nil
                $0.modelType = nil
                $0.tc66TemperatureUnit = nil
                $0.id = FixtureUUID(UInt64($0.row)).bytes
            }
        }
        let bench = try PlanBench(StoreFixture(records: records))
        try bench.plan(DeletePlanner(row: 6, force: false))
        let lines = try bench.lines
        for edits in [["3.row"], ["2.row", "3.row"]] {
            try bench.write(edits.reduce(lines) { $0.with($1, .integer(5)) })
            try bench.expectRefused(saying: "line \(edits[0].prefix(1)): the plan has no such line")
        }
        try bench.write(lines.with("1.options.row", "5"))
        let error = #expect(throws: StoreError.self) { try bench.apply() }
        #expect(
            error?.kind == .unsuitable && error?.message.hasPrefix("row 5 has values that may be nowhere else") == true)
        try bench.write(lines)
        #expect(try bench.apply().outcome == .applied)
    }

    @Test("so that a value is given up in silence, or one that nobody had, is refused")
    func conflicts() throws {
        let fixture = PlanBench.fixture.with {
            $0.extraAttributes = [Attribute("price", .double)]
            $0.records[0].extra["price"] = .real(5)
            $0.records[1].extra["price"] = .real(7)
        }
        let bench = try PlanBench(fixture)
        try bench.plan(PlanBench.rebuilding)
        let lines = try bench.lines
        let number = try #require(lines.number(of: "conflict"))
        try bench.write(lines.with("\(number)", nil))
        try bench.expectRefused(saying: "line 2: other lines of \(Meters.address) are missing")
        for (place, value) in [
            ("dropped[0].value", JSONValue("Invented")), ("dropped[0].row", .integer(5)), ("kept", "No"),
        ] {
            try bench.write(lines.with("\(number).\(place)", value))
            try bench.expectRefused(saying: "line \(number), \(place): ")
        }
    }

    @Test("so that half of a lock moves is refused")
    func torn() throws {
        let moment = FixtureClock.now - 10_000
        let fixture = StoreFixture(
            records: [
                Meters.pair[0].locked(by: .anasPhone, at: moment),
                Meters.pair[1].locked(by: .bogdansMac, at: moment - 500),
            ])
        for planner in [PlanBench.rebuilding, UnlockPlanner(MACAddress.parse(Meters.address)!.0, force: true)]
            as [any Planner]
        {
            let bench = try PlanBench(fixture)
            try bench.plan(planner)
            let lines = try bench.lines
            let line = try #require(lines.number(of: "update"))
            let index = try #require((0..<20).first { lines.at("\(line).fields[\($0)].name") == "connectedExpiryAt" })
            try bench.write(lines.with("\(line).fields[\(index)]", nil))
            try bench.expectRefused(saying: "line \(line), fields: ")
        }
    }
}

extension PlanBench {
    /// Expects the edited plan to be refused as damaged, and the store to stay as it is.
    /// - Parameter flaw: what is said of the plan begins so.
    @discardableResult
    func expectRefused(saying flaw: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> StoreError? {
        let before = try store.snapshot()
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try apply { $0.force = true } }
        #expect(error?.kind == .damaged && error?.path == file, sourceLocation: sourceLocation)
        let start = "not a plan that can be carried out: "
        let message = error?.message ?? "nothing"
        #expect(
            message.hasPrefix(start) && message.dropFirst(start.count).contains(flaw), "\(message)",
            sourceLocation: sourceLocation)
        #expect(try store.snapshot().hasSameBytes(as: before), sourceLocation: sourceLocation)
        return error
    }
}
