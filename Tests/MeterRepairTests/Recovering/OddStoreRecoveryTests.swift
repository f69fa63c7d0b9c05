import CoreDataStore
import GRDB
import MeterInspect
import MeterRepair
import MeterTestSupport
import Testing

/// Stores that another tool has made anew, or that hold more than Core Data puts into them.
@Suite("Recovering a sound store of an odd kind")
struct OddStoreRecoveryTests {
    private static func vacuumed(_ pragma: String) -> String { "PRAGMA journal_mode = DELETE; \(pragma); VACUUM" }

    static let kinds = [
        vacuumed("PRAGMA page_size = 512"), vacuumed("PRAGMA page_size = 1024"), vacuumed("PRAGMA page_size = 32768"),
        vacuumed("PRAGMA page_size = 65536"), vacuumed("PRAGMA auto_vacuum = 0"), vacuumed("PRAGMA auto_vacuum = 1"),
        "CREATE TABLE extra (n INTEGER PRIMARY KEY, t TEXT, b BLOB) STRICT; INSERT INTO extra VALUES (3, 'x', x'00')",
        """
        CREATE TABLE extra (a INTEGER, b INTEGER AS (a * 2) VIRTUAL, c INTEGER AS (a * 3) STORED, d TEXT);
        INSERT INTO extra (a, d) VALUES (1, 'x'), (2, 'y')
        """,
        "CREATE TABLE extra (a TEXT PRIMARY KEY, b REAL DEFAULT 2.5); INSERT INTO extra (a) VALUES ('x'), ('y')",
    ]

    @Test("gives every row of every table, and says that nothing was damaged", arguments: kinds)
    func whole(sql: String) throws {
        let store = try TestStore(StoreFixture(records: RandomStores.records(seed: 7, meters: 30)))
        try store.execute(sql)
        var truth = try TableContents(of: store.path).tables
        let output = store.folder.path + "/new.sqlite"
        let report = try Recovery.run(store.path, to: output, now: TestStore.now)
        #expect(report.salvage.isIntact && report.salvage.isWhole)
        var found = try TableContents(of: output).tables
        // The new store has a mark there.
        #expect(found["Z_METADATA"]?.count == 1)
        truth["Z_METADATA"] = nil
        found["Z_METADATA"] = nil
        #expect(found == truth)
    }

    @Test("is no advice where it finds nothing itself")
    func noAdvice() throws {
        let folder = try TemporaryFolder()
        try FileBytes.write([UInt8](repeating: 7, count: 5_000), to: folder.path + "/CKModel.sqlite")
        let (path, output) = (folder.path + "/CKModel.sqlite", folder.path + "/new.sqlite")
        let looked = #expect(throws: StoreError.self) { try Verify.report(path, VerifyOptions(now: TestStore.now)) }
        #expect(looked?.hint?.contains("`meterfix recover` saves what can be read") == true)
        let tried = #expect(throws: StoreError.self) { try Recovery.run(path, to: output, now: TestStore.now) }
        #expect(tried?.message == looked?.message && tried?.hint?.contains("recover") == false)
    }

    @Test("names what it does not read: a table without row numbers, a virtual table")
    func leftOut() throws {
        for (sql, name) in [
            (
                "CREATE TABLE extra (k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID; INSERT INTO extra VALUES ('a', 'b')",
                "extra"
            ),
            ("CREATE VIRTUAL TABLE found USING fts5(text); INSERT INTO found VALUES ('Bench')", "found"),
            ("CREATE VIRTUAL TABLE place USING rtree(id, a, b); INSERT INTO place VALUES (1, 2, 3)", "place"),
        ] {
            let store = try TestStore(StoreFixture(records: [FixtureRecord(row: 1, macAddress: "A4:C1:38:5A:00:01")]))
            try store.execute(sql)
            let output = store.folder.path + "/new.sqlite"
            let report = try Recovery.run(store.path, to: output, now: TestStore.now)
            #expect(report.salvage.leftOut.count == 1 && report.salvage.leftOut[0].contains(name))
            #expect(report.salvage.problem == nil && report.salvage.broken.isEmpty)
            let found = try StoreText.read(output) {
                try String.fetchAll($0, sql: "SELECT ZMACADDRESS FROM ZDEVICESETTINGS")
            }
            #expect(found == ["A4:C1:38:5A:00:01"])
        }
    }

    @Test("leaves out what names a table that it leaves out, so that the app can save in the new store")
    func dependents() throws {
        let fixture = StoreFixture(records: SampleRecords.mirrored(SampleRecords.household)).with {
            $0.mirror = .current
        }
        let store = try TestStore(
            fixture.damaged(
                """
                CREATE TABLE keyed (k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID; CREATE INDEX by_value ON keyed (v);
                CREATE VIEW pairs AS SELECT * FROM keyed; CREATE VIEW more_pairs AS SELECT * FROM pairs;
                CREATE TRIGGER on_pairs INSTEAD OF INSERT ON pairs BEGIN SELECT 1; END;
                CREATE VIEW meters AS SELECT * FROM ZDEVICESETTINGS;
                CREATE TRIGGER kept AFTER UPDATE ON ACHANGE BEGIN SELECT * FROM meters; END;
                \(StoreFixture.fullTextIndex)
                """))
        let output = store.folder.path + "/new.sqlite"
        let report = try Recovery.run(store.path, to: output, now: TestStore.now)
        let index = "Z_DeviceSettings_fullText"
        for name in ["keyed", "by_value", "pairs", "more_pairs", "on_pairs", index]
            + ["INSERT", "DELETE", "UPDATE"].map({ "\(index)_\($0)" })
        {
            #expect(report.salvage.leftOut.contains { $0.contains(" \(name),") || $0.hasSuffix(" \(name)") }, "\(name)")
        }
        #expect(report.salvage.leftOut.count == 9)
        let made = try StoreText.read(output) {
            try String.fetchAll(
                $0, sql: "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY name")
        }
        #expect(made == ["kept", "meters"])
        try DatabaseQueue.script(
            at: output,
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'x'; DELETE FROM ZDEVICESETTINGS; INSERT INTO ZDEVICESETTINGS (Z_PK) VALUES (1)"
        )
    }
}
