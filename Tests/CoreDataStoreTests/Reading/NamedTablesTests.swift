import MeterTestSupport
import Testing

@testable import CoreDataStore

@Suite("The tables that a statement names")
struct NamedTablesTests {
    private static func trigger(_ body: String) -> String {
        "CREATE TRIGGER t AFTER UPDATE OF ZID, ZNAME ON ZA FOR EACH ROW WHEN NEW.ZID NOT NULL BEGIN \(body); END"
    }

    static let statements: [(sql: String, names: [String])] = [
        (
            trigger("UPDATE ZB SET A = (SELECT COUNT(*) FROM ZC WHERE ZC.A = NEW.A) WHERE Z_PK = NEW.Z_PK"),
            ["ZB", "ZC"]
        ),
        (
            trigger("INSERT INTO ZB (rowid, a) VALUES (NEW.Z_PK, NEW.a); DELETE FROM ZC WHERE rowid = OLD.Z_PK"),
            ["ZB", "ZC"]
        ),
        (trigger("UPDATE OR IGNORE [z b] SET a = 1; INSERT OR REPLACE INTO \"z \"\"c\" VALUES (1)"), ["z b", "z \"c"]),
        (trigger("INSERT INTO ZB VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2"), ["ZB"]),
        (trigger("SELECT RAISE(IGNORE) WHERE NEW.a IS NOT DISTINCT FROM OLD.a AND NEW.b IN ZB"), ["ZB"]),
        (
            trigger("SELECT \"from\" -- FROM ZX\n FROM ZB /* , ZX */ AS b, ZC c LEFT JOIN ZD USING (a, b), ZE"),
            [
                "ZB", "ZC", "ZD", "ZE",
            ]
        ),
        ("CREATE VIEW v(a, b) AS SELECT a, b FROM (SELECT 1, 2 FROM ZB), (ZC, ZD) ORDER BY a, b", ["ZB", "ZC", "ZD"]),
        (
            "CREATE VIEW v AS WITH RECURSIVE x(n) AS (SELECT 1 UNION SELECT n + 1 FROM x, ZB), y AS (SELECT 1) "
                + "SELECT n FROM x, y, main.ZC", ["ZB", "ZC"]
        ),
        ("CREATE VIEW v AS SELECT value FROM json_each('[1]'), pragma_table_info('ZB')", []),
        ("CREATE VIEW v AS SELECT 'FROM ZB', x'00' FROM ZC WHERE a IN (1, 2)", ["ZC"]),
        ("", []), ("CREATE TRIGGER", []), (trigger("DELETE FROM"), []), ("FROM ((((", []), ("WITH", []),
        ("' FROM a", []),
    ]

    @Test("are those of a query or a change, and neither columns, functions nor its own names", arguments: statements)
    func names(_ sql: String, _ names: [String]) {
        #expect(NamedTables(in: sql).names.map(\.text) == names)
    }

    @Test("are missing where the schema has neither a table nor a view of the name")
    func missing() throws {
        let folder = try TemporaryFolder()
        let path = try folder.store(
            StoreFixture().damaged(
                """
                CREATE TRIGGER whole AFTER INSERT ON ACHANGE BEGIN INSERT INTO zdevicesettings (Z_PK) VALUES (1);
                SELECT 1 FROM own, sqlite_master; END;
                CREATE VIEW own AS SELECT * FROM Z_METADATA; CREATE VIEW torn AS SELECT * FROM own, gone;
                CREATE TRIGGER torn_too AFTER INSERT ON ACHANGE BEGIN DELETE FROM gone; END;
                \(StoreFixture.fullTextIndex)
                """))
        let schema = try StoreConnection.look(at: path) { _, database in try StoreSchema(database) }
        let missing = (schema.triggers + schema.views).filter { schema.missingTable(for: $0) != nil }
        #expect(missing.map(\.name.text) == ["torn_too", "torn"])
    }
}
