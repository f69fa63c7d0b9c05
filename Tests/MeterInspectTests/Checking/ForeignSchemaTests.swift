import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@Suite("a schema that another tool changed")
struct ForeignSchemaTests {
    @Test("is told with what it stops and what helps:", arguments: cases)
    func found(_ test: CheckCase) throws { try test.run() }

    private static let plain = StoreFixture(records: [Meters.healthy])
    private static let nobody = "→ use a copy from before another tool recreated the table"

    private static func damaged(_ sql: String, finds rows: [[Int64]], _ words: String...) -> CheckCase {
        CheckCase(sql, plain.damaged(sql), finds: rows, words: words)
    }

    /// SQL that makes the table of the records again, with an address that is declared so.
    private static func remade(_ address: String) -> String {
        """
        DROP TABLE ZDEVICESETTINGS; CREATE TABLE ZDEVICESETTINGS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER,
        Z_OPT INTEGER, ZMACADDRESS VARCHAR \(address))
        """
    }

    private static let cases = CheckCase.of([
        "foreign-index": [
            CheckCase("none", plain.with { $0.mirror = .current }, finds: []),
            CheckCase("schema v1", StoreFixture(.v1, records: [Meters.healthy]), finds: []),
            damaged(
                "CREATE UNIQUE INDEX a ON ZDEVICESETTINGS (ZMACADDRESS)", finds: [[]],
                "has the unique index a (ZMACADDRESS): a second record of a meter", "→ meterfix fix foreign-index"),
            damaged(
                "CREATE UNIQUE INDEX Z_DeviceSettings_UNIQUE_macAddress ON ZDEVICESETTINGS (ZMACADDRESS)",
                finds: [[]], "→ meterfix fix foreign-index"),
            damaged(
                "CREATE UNIQUE INDEX a ON ZDEVICESETTINGS (upper(zmacaddress))", finds: [[]],
                "a second record of a meter"),
            damaged("CREATE UNIQUE INDEX a ON ZDEVICESETTINGS (ZMETERNAME)", finds: [[]], "may be refused"),
            damaged("CREATE UNIQUE INDEX a ON ACHANGE (ZCOLUMNS, ZENTITYPK)", finds: [[]], "may be refused"),
            damaged("CREATE UNIQUE INDEX a ON ZDEVICESETTINGS (ZMACADDRESS, Z_PK)", finds: [[]], "forbids nothing"),
            damaged("CREATE INDEX a ON ZDEVICESETTINGS (ZMACADDRESS)", finds: []),
            damaged("CREATE TABLE x (a UNIQUE)", finds: []),
            damaged(remade("UNIQUE"), finds: [[]], "sqlite_autoindex_ZDEVICESETTINGS_1 (ZMACADDRESS)", nobody),
        ],
        "foreign-trigger": [
            damaged("CREATE TRIGGER Z_DA_x AFTER UPDATE ON ZDEVICESETTINGS BEGIN SELECT 1; END", finds: []),
            damaged("CREATE TRIGGER x AFTER UPDATE ON ZDEVICESETTINGS BEGIN SELECT NSCoreDataX(); END", finds: []),
            damaged("CREATE TABLE x (a); CREATE TRIGGER t AFTER UPDATE ON x BEGIN SELECT 1; END", finds: []),
            damaged(
                "CREATE TRIGGER t AFTER UPDATE ON ZDEVICESETTINGS BEGIN SELECT 1; END", finds: [[]],
                "ZDEVICESETTINGS has the trigger t", "→ meterfix fix foreign-trigger"),
            damaged(StoreFixture.fullTextIndex, finds: []),
            damaged(
                StoreFixture.fullTextTriggers, finds: [[], [], []],
                "ZDEVICESETTINGS has the trigger Z_DeviceSettings_fullText_INSERT: it needs the table "
                    + "Z_DeviceSettings_fullText, which is missing, so nothing can be saved",
                "→ meterfix fix foreign-trigger"),
            damaged("CREATE VIEW v AS SELECT * FROM ZDEVICESETTINGS", finds: []),
            damaged(
                "CREATE VIEW v AS SELECT * FROM gone", finds: [[]],
                "the view v needs the table gone, which is missing", "DROP VIEW \"v\""),
        ],
        "foreign-column": [
            CheckCase("none", plain.with { $0.mirror = .current }, finds: []),
            damaged("ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZX VARCHAR", finds: []),
            damaged("CREATE TABLE x (a NOT NULL CHECK (a > 1))", finds: []),
            damaged(
                "ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZX VARCHAR NOT NULL DEFAULT 'x'", finds: [[]],
                "ZX of ZDEVICESETTINGS is declared NOT NULL", nobody),
            damaged(
                "ALTER TABLE ACHANGE ADD COLUMN ZX CHECK (ZX IS NULL)", finds: [[]], "ACHANGE is declared with a CHECK"),
            damaged(
                """
                ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZX AS (length(ZMETERNAME));
                ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZY AS (1)
                """, finds: [[]], "ZX and ZY of ZDEVICESETTINGS"),
            damaged(
                StoreFixture.autoincrement("ZDEVICESETTINGS"), finds: [[]], "is declared AUTOINCREMENT: no command adds"
            ),
        ],
    ])

    @Test("is an error where it stops the app or a repair, and otherwise a warning")
    func severities() throws {
        for (sql, check, isError) in [
            ("CREATE UNIQUE INDEX a ON ZDEVICESETTINGS (ZID)", "foreign-index", true),
            ("CREATE UNIQUE INDEX a ON ZDEVICESETTINGS (ZID, Z_PK)", "foreign-index", false),
            ("CREATE TRIGGER t AFTER INSERT ON ACHANGE BEGIN SELECT 1; END", "foreign-trigger", true),
            ("CREATE TRIGGER Z_DA_t AFTER INSERT ON ACHANGE BEGIN DELETE FROM gone; END", "foreign-trigger", true),
            (
                "CREATE TABLE x (a); CREATE TRIGGER t AFTER INSERT ON x BEGIN DELETE FROM gone; END", "foreign-trigger",
                false
            ),
            ("CREATE VIEW v AS SELECT * FROM gone", "foreign-trigger", false),
            (StoreFixture.autoincrement("ZDEVICESETTINGS"), "foreign-column", false),
            (StoreFixture.autoincrement("ATRANSACTION"), "foreign-column", true),
        ] {
            let severities = try TestStore(Self.plain.damaged(sql)).found(check).map(\.severity)
            #expect(severities == [isError ? .error : .warning], "\(sql)")
        }
    }

    @Test("by an index alone is of the version of its model, and no constraint of it")
    func version() throws {
        for name in ["one_per_meter", "Z_DeviceSettings_UNIQUE_macAddress"] {
            let sql = "CREATE UNIQUE INDEX \(name) ON ZDEVICESETTINGS (ZMACADDRESS)"
            let store = try TestStore(Self.plain.damaged(sql))
            #expect(try store.found("uniqueness-constraint").isEmpty)
            #expect(try Verify.report(store.path, VerifyOptions(now: TestStore.now)).schemaVersion == 2)
        }
    }
}
