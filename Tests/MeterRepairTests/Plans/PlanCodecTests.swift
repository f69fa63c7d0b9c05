import CoreDataStore
import Foundation
import GRDB
import JSON
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import MeterJournal
@testable import MeterRepair

@Suite("a plan in the changes of a backup")
struct PlanCodecTests {
    /// Values that no report shows as they are: dates of any bits, whole ones as integers and as reals, infinity, text
    /// that is not UTF-8 or has a NUL, numbers and blobs where text belongs.
    private static func strange(_ seed: UInt64) -> @Sendable (Database) throws -> Void {
        { database in
            var generator = SeededGenerator(seed: seed)
            let columns = [
                "ZMETERNAME", "ZCREATEDAT", "ZUPDATEDAT", "ZLASTSEENAT", "ZMODELTYPE", "ZID", "ZNOTE", "ZCALIBRATION",
            ]
            for row in try Int64.fetchAll(database, sql: "SELECT Z_PK FROM ZDEVICESETTINGS ORDER BY Z_PK") {
                let column = columns.randomElement(using: &generator)!
                let date = Double.random(in: -3e9...9e9, using: &generator)
                let values: [(any DatabaseValueConvertible)?] = [
                    date, date.rounded(), Int64(date), date * 1e6, 1e-20, Double.infinity, -0.5, Int64.max,
                    "\u{0}a\"\\",
                    "2026-11-21", "🔌\u{FEFF}\u{301}", Data([0xFF, 0, 1]), nil,
                ]
                let value = values.randomElement(using: &generator)!
                try database.execute(
                    sql: "UPDATE ZDEVICESETTINGS SET \(column) = ? WHERE Z_PK = ?", arguments: [value, row])
                if generator.next() % 5 == 0 {
                    try database.execute(
                        sql: "UPDATE ZDEVICESETTINGS SET ZMODELTYPE = CAST(X'41FF42' AS TEXT) WHERE Z_PK = ?",
                        arguments: [row])
                }
            }
        }
    }

    private static func fixture(seed: UInt64) -> StoreFixture {
        StoreFixture(records: RandomStores.records(seed: seed)).with {
            $0.mirror = seed % 3 == 0 ? .none : .current
            $0.lockEncoding = [.flat, .both, .blob][Int(seed % 3)]
            $0.extraAttributes = [Attribute("note", .string), Attribute("calibration", .double)]
            $0.marker = seed % 2 == 0 ? nil : 2
            if seed % 4 == 0 || $0.lockEncoding == .blob {
                return
            }
            $0.damage = strange(seed)
        }
    }

    private func rebuildPlan(_ bench: TestStore, _ policy: WinnerPolicy) throws -> (Plan, InspectedStore) {
        try plan(RebuildPlanner(policy: policy), bench)
    }

    private func plan(_ planner: some Planner, _ bench: TestStore) throws -> (Plan, InspectedStore) {
        let connection = try StoreConnection.untouched(bench.path)
        defer { try? connection.close() }
        return try connection.read { database in
            let store = try InspectedStore(
                StoreRequest(bench.path, now: TestStore.now), files: connection.files, database)
            return (try planner.plan(for: store, database), store)
        }
    }

    /// The plan of these lines.
    private static func plan(
        _ text: String, _ context: JournalContext, saved: [Int64: DeviceSettings]
    ) throws -> Plan {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/\(BackupEntry.changesName)"
        try FileBytes.write(Array(text.utf8), to: path)
        let changes = BackupManifest.Changes(digest: try FileDigest(of: path), context: context)
        return try Plan(BackupEntry(name: ".", in: folder.path).lines(of: changes), records: saved)
    }

    private func expectRoundTrip(_ plan: Plan, _ store: InspectedStore, _ comment: Comment) throws {
        let context = JournalContext(
            layout: try #require(store.settings?.layout), letterCase: store.letterCase)
        func written(_ plan: Plan) -> String { plan.text(context) }
        let text = written(plan)
        let read = try Self.plan(text, context, saved: plan.knownRecords)
        #expect(read.meters == plan.meters && read.cloudDeletions == plan.cloudDeletions, comment)
        #expect(
            read.schemaChanges == plan.schemaChanges && read.metadataChanges == plan.metadataChanges, comment)
        #expect(read.rejects == plan.rejects, comment)
        if plan.summary.deleted > 0 {
            #expect(throws: JournalError.self) { try Self.plan(text, context, saved: [:]) }
        }
        // Equality takes 5 and 5.0 for one; the text does not.
        #expect(written(read) == text, comment)
        #expect(read.storageClasses == plan.storageClasses, comment)
    }

    @Test("of a rebuild comes back equal in every bit", arguments: WinnerPolicy.allCases)
    func rebuildComes(policy: WinnerPolicy) throws {
        var changes = 0
        for seed in UInt64(0)..<16 {
            let (plan, store) = try rebuildPlan(TestStore(Self.fixture(seed: seed)), policy)
            changes += plan.changeCount
            try expectRoundTrip(plan, store, "seed \(seed)")
        }
        #expect(changes > 120)
    }

    @Test("of an import comes back equal in every bit", arguments: ImportConflictPolicy.allCases)
    func importComes(policy: ImportConflictPolicy) throws {
        let rejected: [DumpValue] = [
            .null, .bool(true), .integer(.min), .real(.nan), .real(-0.0), .real(1.5),
            .date(Timestamp(secondsSince2001: .infinity)), .date(Timestamp(secondsSince2001: 0.1)), .data([0, 255]),
            .reference(.max), .list([.text("a"), .list([])]),
            .dictionary([.init("a\u{0}b", .text("é")), .init("", .dictionary([]))]),
        ]
        for seed in UInt64(0)..<8 {
            let records = RandomStores.records(seed: seed)
            var entries = rejected.enumerated().map { index, value in
                DumpEntry(dictionary: .meterNames, key: "0A:1B:2C:3D:4E:\(index + 10)", value: value)
            }
            entries.append(DumpEntry(dictionary: .temperatureUnits, key: "no\u{0}address", value: .text("K")))
            for (index, record) in records.enumerated() {
                guard let address = record.macAddress else { continue }
                entries.append(DumpEntry(dictionary: .meterNames, key: address, value: .text("Name \(index)")))
            }
            let bench = try TestStore(Self.fixture(seed: seed * 4))
            let planner = ImportPlanner(
                LegacyValues(entries), sha256: String(repeating: "5a", count: 32), policy: policy)
            let (plan, store) = try plan(planner, bench)
            #expect(plan.rejects.count >= rejected.count - 1)
            try expectRoundTrip(plan, store, "seed \(seed)")
        }
    }

    @Test("of a change of the schema comes back equal")
    func changeSchema() throws {
        let changes: [SchemaChange] = [
            .dropIndex(
                name: "Z_DeviceSettings_UNIQUE_macAddress", table: "ZDEVICESETTINGS", sql: "CREATE UNIQUE INDEX x"),
            .dropIndex(name: "sqlite_autoindex_1", table: "ZDEVICESETTINGS", sql: nil),
            .dropForeign(.index, name: "a\"b", table: "ZDEVICESETTINGS", sql: "CREATE UNIQUE INDEX x"),
            .dropForeign(.trigger, name: "t", table: "ACHANGE", sql: "CREATE TRIGGER x"),
            .addColumn(table: "ZDEVICESETTINGS", column: "ZLASTSEENAT", declaredType: "TIMESTAMP"),
            .createTable(name: "ZNOTE", columns: [.init(name: "ZTEXT", declaredType: "VARCHAR")]),
            .createIndex(name: "Z_Note_text", table: "ZNOTE", column: "ZTEXT"),
            .addEntity(number: 4, name: "Note", parent: 0), .modelCache(content: [0, 1, 255]),
        ]
        let values: [(String, MetadataChange.Value)] = [
            ("NSStoreModelVersionHashes", .hashes(["date": [1, 2], "sha256": [3]])),
            ("NSStoreModelVersionHashesDigest", .text("Zm9v")), ("NSStoreModelVersionIdentifiers", .texts(["", "2"])),
            ("NSStoreModelVersionHashesVersion", .number(3)), (ZoneFetchMarker.key, .flag(true)),
        ]
        let (_, store) = try rebuildPlan(TestStore(Self.fixture(seed: 0)), .newest)
        let plan = Plan(
            schema: changes,
            metadata: values.map {
                MetadataChange(key: $0, before: $0 == "NSStoreModelVersionHashes" ? nil : $1, after: $1)
            },
            of: StoreSize(records: 3, groups: 1, mirrored: 0))
        try expectRoundTrip(plan, store, "schema")
    }

    @Test("is written line by line, one change on each")
    func writtenInLines() throws {
        let layout = RecordLayout(fields: [.init(name: "macAddress", kind: .text)])
        let plan = Plan(
            meters: (Int64(1)...50).map { row in
                let change = FieldChange(
                    field: layout.fields[0], before: .null, after: .text("x"), donor: nil, rule: .newRecord)
                return MeterPlan(
                    MACAddress(bits: UInt64(row)), [.insert(RecordInsertion(row: row, fields: [change]))])
            }, of: StoreSize(records: 0, groups: 0, mirrored: 0))
        let context = JournalContext(layout: layout, letterCase: .upper)
        var lines: [[UInt8]] = []
        plan.forEachJournalLine(context) { lines.append($0) }
        #expect(try lines.map { try JSONValue(parsing: $0)["row"]?.number } == (1...50).map { Double($0) })
        #expect(lines.allSatisfy { $0.firstIndex(of: UInt8(ascii: "\n")) == $0.count - 1 })
    }

    @Test("is refused where it changes one row twice, in whatever way")
    func twice() throws {
        let layout = RecordLayout(fields: [.init(name: "macAddress", kind: .text)])
        let record = DeviceSettings(row: 4, layout: layout, values: [.text("x")])
        let change = FieldChange(
            field: layout.fields[0], before: .null, after: .text("y"), donor: nil, rule: .newRecord)
        let kinds: [RecordChange] = [
            .update(RecordUpdate(of: record, [change])), .insert(RecordInsertion(row: 4, fields: [change])),
            .delete(RecordDeletion(record)),
        ]
        let context = JournalContext(layout: layout, letterCase: .upper)
        func read(_ records: [RecordChange]) throws -> Plan {
            let plan = Plan(meters: [MeterPlan(nil, records)], of: StoreSize(records: 0, groups: 0, mirrored: 0))
            return try Self.plan(
                plan.text(context), context, saved: [4: record])
        }
        for one in kinds {
            #expect(try read([one]).meters.map(\.records) == [[one]])
            for other in kinds { #expect(throws: JournalError.self) { try read([one, other]) } }
        }
    }

    @Test("brings no SQL of its own")
    func bringsNo() throws {
        for change in [
            SchemaChange.createTable(name: "ZA (x); DROP TABLE ZDEVICESETTINGS; --", columns: []),
            .createTable(name: "ZA", columns: [.init(name: "ZB", declaredType: "VARCHAR DEFAULT 'x'")]),
            .createIndex(name: "ZA", table: "ZB", column: "ZC); DROP TABLE ZB; --"),
            .addColumn(table: "ZA", column: "1", declaredType: "BLOB"),
        ] {
            let plan = Plan(
                schema: [change], of: StoreSize(records: 0, groups: 0, mirrored: 0))
            let context = JournalContext(
                layout: RecordLayout(fields: [.init(name: "macAddress", kind: .text)]), letterCase: .upper)
            let text = plan.text(context)
            let error = #expect(throws: StoreError.self) { try Self.plan(text, context, saved: [:]) }
            #expect(error?.kind == .damaged)
        }
    }
}

extension Plan {
    fileprivate func text(_ context: JournalContext) -> String {
        var text: [UInt8] = []
        forEachJournalLine(context) { text += $0 }
        return String(decoding: text, as: UTF8.self)
    }

    /// The records that are in it.
    fileprivate var knownRecords: [Int64: DeviceSettings] {
        var records: [Int64: DeviceSettings] = [:]
        for record in meters.flatMap({ $0.deletions.map(\.record) + [$0.winner].compactMap(\.self) }) {
            records[record.row] = record
        }
        return records
    }

    /// How SQLite stores each value of it.
    fileprivate var storageClasses: [String] {
        func name(_ value: FieldValue) -> String {
            switch value {
            case .null: "null"
            case .integer: "integer"
            case .real(let number): "real \(number.bitPattern)"
            case .text, .malformedText: "text"
            case .blob: "blob"
            }
        }
        let survivors = meters.compactMap(\.winner).flatMap { $0.values.map(name) }
        return survivors
            + recordChanges.flatMap { change -> [String] in
                switch change {
                case .update(let update): update.fields.flatMap { [name($0.before), name($0.after)] }
                case .delete(let deletion): deletion.record.values.map(name)
                case .insert(let insertion): insertion.fields.map { name($0.after) }
                }
            }
    }
}
