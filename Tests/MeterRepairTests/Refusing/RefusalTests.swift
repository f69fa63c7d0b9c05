import CoreDataStore
import Foundation
import GRDB
import MeterFuzz
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("a refusal leaves every file as it was:")
struct RefusalTests {
    private let fixture = StoreFixture(records: Meters.pair)

    @Test(
        "triggers, on records or history, Core Data's or anybody's",
        arguments: ["ZDEVICESETTINGS", "Z_PRIMARYKEY", "Z_METADATA", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"],
        ["Z_DA_DeviceSettings", "somebody's \"own\""])
    func triggers(table: String, name: String) throws {
        let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
        try expectRefusal(
            .unsuitable, saying: "trigger \(name)",
            fixture.damaged("CREATE TRIGGER \(quoted) AFTER INSERT ON \(table) BEGIN SELECT nonesuch(); END"))
    }

    @Test("a store in which nothing can be changed has no command as a cure")
    func noCure() throws {
        let locked = StoreFixture(records: Meters.pair.map { $0.with { $0.connectedByDeviceName = "iPad" } })
        func cures(_ fixture: StoreFixture) throws -> [String] {
            let store = try TestStore(fixture)
            return try store.found("duplicate-mac", "lock-torn", "rebuild-marker-lies").map(\.cure.description)
        }
        #expect(try cures(locked).allSatisfy { $0.hasPrefix("meterfix ") })
        let refused: [(StoreFixture, String)] = [
            (
                locked.damaged("CREATE TRIGGER Z_DA_t AFTER INSERT ON ACHANGE BEGIN SELECT nonesuch(); END"),
                "has the trigger Z_DA_t, which only Core Data can run; this store can only be repaired in the app"
            ),
            (
                locked.damaged("INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (2, 'Special', 1, 0)"),
                "shares its table"
            ),
            (
                locked.with {
                    $0.mirror = .current
                    $0.history = .none
                }, "has no history: the changes cannot reach the cloud; repair the store on a device"
            ),
            (locked.damaged("ALTER TABLE ACHANGE ADD COLUMN ZMORE DEFAULT 5"), "the column ZMORE of ACHANGE"),
        ]
        for (fixture, reason) in refused {
            let said = try cures(fixture)
            #expect(said.count == 4 && said.allSatisfy { $0.contains(reason) }, "\(said)")
        }
    }

    @Test("a trigger on a table that is not written to is no obstacle")
    func foreignTrigger() throws {
        let store = try TestStore(
            fixture.damaged(
                """
                CREATE TABLE other (a); CREATE TRIGGER t AFTER INSERT ON other BEGIN SELECT 1; END
                """))
        #expect(try store.rebuild().outcome == .applied)
    }

    @Test(
        "a table whose key is not SQLite's row number",
        arguments: [
            ("ZDEVICESETTINGS", "Z_PK"), ("Z_PRIMARYKEY", "Z_ENT"), ("Z_METADATA", "Z_VERSION"), ("ACHANGE", "Z_PK"),
            ("ATRANSACTION", "Z_PK"), ("ATRANSACTIONSTRING", "Z_PK"),
        ])
    func foreignKey(table: String, key: String) throws {
        for (type, options) in [("INTEGER", ""), ("INT PRIMARY KEY", ""), ("INTEGER PRIMARY KEY", " WITHOUT ROWID")] {
            let remade = fixture.with {
                $0.damage = { database in
                    let columns = try String.fetchAll(
                        database, sql: "SELECT name || ' ' || type FROM pragma_table_info('\(table)') WHERE pk = 0")
                    try database.execute(
                        sql: """
                            ALTER TABLE \(table) RENAME TO other;
                            CREATE TABLE \(table) (\((["\(key) \(type)"] + columns).joined(separator: ", ")))\(options);
                            INSERT INTO \(table) SELECT * FROM other; DROP TABLE other
                            """)
                }
            }
            try expectRefusal(.unsuitable, saying: "\(key) is not the row number of the table \(table)", remade)
        }
    }

    // Found by Scripts/fuzz: SQLite says of it that it cannot be opened, and that is not for want of a permission.
    @Test("a log of another version")
    func logVersion() throws {
        let store = try TestStore(fixture.with { $0.logPlacement = .rowsInLogOnly })
        var log = try FileBytes.read(store.path + "-wal")
        log[4] = 8
        try FileBytes.write(LogChecksums.renewed(log), to: store.path + "-wal")
        for change in [false, true] {
            var options = ChangeOptions(now: StoreTrial.now)
            options.isDryRun = !change
            let error = #expect(throws: StoreError.self) {
                try ChangeRun.run(RebuildPlanner(policy: .newest), on: store.path, options: options)
            }
            #expect(error?.kind == .damaged)
            #expect(error?.message == "its -wal is damaged: there is no version 137224728 of the format")
        }
    }

    @Test("a table that is listed by one name and made by another")
    func twoNames() throws {
        let sql = """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, 'Z_METADATA', 'z_METADATA') WHERE name = 'Z_METADATA'
            """
        try expectRefusal(
            .damaged, saying: "the statement that created the table Z_METADATA gives it another name",
            fixture.damaged(sql)
        )
    }

    @Test("a parent entity, or a child entity")
    func inheritance() throws {
        try expectRefusal(
            .unsuitable, saying: "shares its table",
            fixture.damaged("INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (2, 'Special', 1, 0)"))
    }

    @Test("another object that refers to a record that would go")
    func relationship() throws {
        var owner = Entity("Reading", attributes: [Attribute("volts", .double)])
        owner.relationships = [Relationship("meter", to: "DeviceSettings")]
        let related = fixture.with {
            $0.extraEntities = [owner]
            $0.damage = {
                try $0.execute(
                    sql: "INSERT INTO ZREADING (Z_PK, Z_ENT, Z_OPT, ZMETER, ZVOLTS) VALUES (1, 2, 1, 3, 5.1)")
            }
        }
        try expectRefusal(.unsuitable, saying: "row 1 of Reading refers to row 3", related)
        // It may refer to the record that is kept.
        let kept = try TestStore(related)
        try kept.execute("UPDATE ZREADING SET ZMETER = 7")
        #expect(try kept.rebuild().outcome == .applied)
        #expect(try kept.column("ZMETER", of: "ZREADING") == ["1: 7"])
    }

    @Test("a mirror without history, unless forced")
    func mirrorWithoutHistory() throws {
        let mirrored = fixture.with {
            $0.mirror = .current
            $0.history = .none
        }
        try expectRefusal(.unsuitable, saying: "--force", hintOnly: true, mirrored)
        let forced = try TestStore(mirrored)
        let report = try forced.rebuild(force: true)
        #expect(report.outcome == .applied)
        #expect(report.warnings.count { $0.contains("cannot reach the cloud") } == 1)
        #expect(try forced.text().tables["ACHANGE"] == nil)
    }

    @Test("a history in an unknown format")
    func unknownHistory() throws {
        for sql in [
            "DROP TABLE ATRANSACTION", "ALTER TABLE ACHANGE RENAME COLUMN ZCOLUMNS TO ZCOLS",
            "ALTER TABLE ATRANSACTION RENAME COLUMN ZTIMESTAMP TO ZTIME",
        ] {
            try expectRefusal(
                .unsuitable, saying: "history tables have a format that meterfix does not know", fixture.damaged(sql))
        }
    }

    @Test("no table of changes, but one of transactions")
    func halfHistory() throws {
        try expectRefusal(.unsuitable, saying: "history", fixture.damaged("DROP TABLE ACHANGE"))
    }

    @Test("damage that SQLite's integrity check finds")
    func damaged() throws {
        try expectRefusal(
            .damaged, saying: "integrity check fails",
            fixture.damaged(
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET rootpage = 4 WHERE name = 'ACHANGE_ZTRANSACTIONID_INDEX';
                PRAGMA writable_schema = OFF
                """))
    }

    @Test("a file that was cut off")
    func truncated() throws {
        let store = try TestStore(fixture)
        let bytes = try FileBytes.read(store.path)
        for length in [0, 1, 99, 100, 4095, 4096, 8192, bytes.count - 1] {
            try FileBytes.write(Array(bytes.prefix(length)), to: store.path)
            try expectRefusal(.damaged, saying: "", store)
        }
    }

    @Test("a file that may not be written to", .enabled(if: geteuid() != 0, "root may write to everything"))
    func readOnly() throws {
        let store = try TestStore(fixture)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store.path)
        try expectRefusal(.permissionDenied, saying: "", store)
    }

    private func expectRefusal(
        _ kind: StoreError.Kind, saying text: String, hintOnly: Bool = false, _ fixture: StoreFixture,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for placement in [StoreFixture.LogPlacement.checkpointed, .rowsInLogOnly] {
            let store = try TestStore(fixture.with { $0.logPlacement = placement })
            try expectRefusal(kind, saying: text, hintOnly: hintOnly, store, sourceLocation: sourceLocation)
        }
    }

    private func expectRefusal(
        _ kind: StoreError.Kind, saying text: String, hintOnly: Bool = false, _ store: TestStore,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try store.snapshot()
        // A dry run works on a copy, which may be written to.
        for isDryRun in kind == .permissionDenied ? [false] : [true, false] {
            let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
                try store.rebuild {
                    $0.makesBackup = true
                    $0.isDryRun = isDryRun
                }
            }
            let said = hintOnly ? error?.hint : error?.message
            #expect(error?.kind == kind, "\(said ?? "")", sourceLocation: sourceLocation)
            #expect(text.isEmpty || said?.contains(text) == true, "\(said ?? "")", sourceLocation: sourceLocation)
        }
        let touched = try store.snapshot().differences(from: before, withFolder: false)
        #expect(touched == [], sourceLocation: sourceLocation)
    }
}
