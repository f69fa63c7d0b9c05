import CoreDataStore
import GRDB
import MeterStore
import MeterTestSupport
import Testing

@Suite("Z_PRIMARYKEY, read")
struct PrimaryKeyReadingTests {
    @Test(
        "may be empty, a view, or not there",
        arguments: [
            "DELETE FROM Z_PRIMARYKEY", "DROP TABLE Z_PRIMARYKEY",
            "ALTER TABLE Z_PRIMARYKEY RENAME COLUMN Z_MAX TO ZM",
            "DROP TABLE Z_PRIMARYKEY; CREATE VIEW Z_PRIMARYKEY AS SELECT 1 AS Z_ENT, 'DeviceSettings' AS Z_NAME, 0 AS "
                + "Z_SUPER, 0 AS Z_MAX",
        ])
    func empty(sql: String) throws {
        try OddStore(sql).read { _, description in
            #expect(description.keys.entries == [])
            #expect(SettingsTable(description) == nil)
        }
    }

    @Test("ends if parents form a circle")
    func circle() throws {
        let store = try OddStore(
            """
            UPDATE Z_PRIMARYKEY SET Z_SUPER = 2 WHERE Z_ENT = 1;
            INSERT INTO Z_PRIMARYKEY VALUES (2, 'B', 3, 0), (3, 'C', 1, 0), (4, 'D', 4, 0), (5, 'E', 3, 0)
            """)
        try store.read { _, description in
            let keys = description.keys
            for entry in keys.entries {
                _ = keys.root(of: entry)
                _ = keys.table(of: entry)
                #expect(keys.family(of: entry).contains(entry))
            }
            let c = try #require(keys["C"])
            #expect(keys.family(of: c).map(\.name).sorted() == ["B", "C", "DeviceSettings", "E"])
            _ = description.entityTables
        }
    }

    @Test("finds children and children's children")
    func families() throws {
        let store = try OddStore(
            "INSERT INTO Z_PRIMARYKEY VALUES (2, 'B', 1, 0), (3, 'C', 2, 0), (4, 'D', 99, 0), (5, 'E', 0, 0)")
        try store.read { _, description in
            let keys = description.keys
            func family(_ name: String) -> [String] { keys[name].map { keys.family(of: $0).map(\.name) } ?? [] }
            #expect(family("DeviceSettings") == ["DeviceSettings", "B", "C"])
            #expect(family("B") == ["B", "C"])
            #expect(family("D") == ["D"])
            #expect(keys["C"].map { keys.table(of: $0) } == "ZDEVICESETTINGS")
            #expect(keys["D"].map { keys.table(of: $0) } == "ZD")
            #expect(SettingsTable(description)?.entityNumbers == [1, 2, 3])
        }
    }

    @Test("has strange values, never a trap")
    func strangeValues() throws {
        let store = try OddStore(
            """
            UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT = 1;
            INSERT INTO Z_PRIMARYKEY VALUES (-9223372036854775808, NULL, 9223372036854775807, -1),
            (9223372036854775807, X'FF00', -9223372036854775808, 'many'), (2, 'DeviceSettings', 0, 1e300)
            """)
        try store.read { _, description in
            #expect(description.keys["DeviceSettings"]?.lastRow == .max)
            #expect(description.entityTables.map(\.numbers) == [[1, 2]])
        }
    }

    @Test("of 5,000 entities, each the parent of the next or each alone, is read at once", .timeLimit(.minutes(10)))
    func many() throws {
        for parent in ["0", "i - 1"] {
            let store = try OddStore(
                """
                WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5001)
                INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, \(parent), 0 FROM n
                """)
            try store.read { _, description in
                let keys = description.keys
                #expect(keys.appEntries.count == 5001)
                #expect(description.entityTables.count == 1)
                #expect(Set(keys.appEntries.map { keys.table(of: $0) }).count == (parent == "0" ? 5001 : 1))
            }
        }
    }
}
