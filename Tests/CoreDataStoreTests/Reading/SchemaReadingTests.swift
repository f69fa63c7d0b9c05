import CoreDataStore
import GRDB
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@Suite("tables and columns, read")
struct SchemaReadingTests {
    @Test("may have any name")
    func names() throws {
        let store = try OddStore(
            """
            CREATE TABLE "we""ird; --" ("a""b" INTEGER, "ü" TEXT, "" BLOB, "select" INT, PRIMARY KEY ("a""b"));
            CREATE UNIQUE INDEX "in""dex" ON "we""ird; --" ("ü", lower("select"));
            INSERT INTO "we""ird; --" VALUES (1, 'x', X'00', 5);
            ALTER TABLE ZDEVICESETTINGS ADD COLUMN "ZQUO""TED" VARCHAR; ALTER TABLE ZDEVICESETTINGS ADD COLUMN "Z" INTEGER;
            ALTER TABLE ZDEVICESETTINGS ADD COLUMN "ZÜ" VARCHAR; ALTER TABLE ZDEVICESETTINGS ADD COLUMN "'" VARCHAR;
            UPDATE ZDEVICESETTINGS SET "ZQUO""TED" = 'kept'
            """)
        try store.read { database, description in
            let table = try #require(description.schema.tables["we\"ird; --"])
            #expect(table.columns.map(\.name) == ["a\"b", "ü", "", "select"])
            let index = try #require(description.schema.indexes.first { $0.name == "in\"dex" })
            #expect(index.isUnique)
            #expect(index.columns == ["ü", nil])
            #expect(try TableDigest(of: table.name, database).rows == 1)
            let settings = try #require(SettingsTable(description))
            #expect(settings.columns.contains("ZQUO\"TED"))
            let position = try #require(settings.layout.position(named: "quo\"ted"))
            #expect(try settings.records(of: [4], database)[4]?.values[position] == .text("kept"))
        }
    }

    @Test(
        "have a column that is SQLite's rowid, or none:",
        arguments: [
            ("(a INTEGER PRIMARY KEY, b)", "a"), ("(a, \"b\"\"c\" integer, PRIMARY KEY (\"b\"\"c\" DESC))", "b\"c"),
            ("(a INTEGER PRIMARY KEY DESC)", nil), ("(a INT PRIMARY KEY)", nil), ("(a INTEGER)", nil),
            ("(a INTEGER PRIMARY KEY) WITHOUT ROWID", nil), ("(a INTEGER, b INTEGER, PRIMARY KEY (a, b))", nil),
            ("(a INTEGER UNIQUE, b INTEGER PRIMARY KEY, UNIQUE (b))", "b"),
        ] as [(String, SQLName?)])
    func rowNumber(columns: String, name: SQLName?) throws {
        let row = columns.hasSuffix("ROWID") ? "(a) VALUES (17)" : "(rowid) VALUES (17)"
        try OddStore("CREATE TABLE odd \(columns); INSERT INTO odd \(row)").read { database, description in
            let table = try #require(description.schema.tables["odd"])
            #expect(table.rowNumberColumn == name)
            // SQLite itself answers with the row's number there, and nowhere else.
            guard !columns.hasSuffix("ROWID") else { return }
            for column in table.columns.map(\.name) {
                var value: FieldValue?
                try database.forEachRow("SELECT \(column.quotedIdentifier) FROM odd") { value = FieldValue($0, 0) }
                #expect(value == (column == name ? .integer(17) : .null), "\(column)")
            }
        }
    }

    @Test("without what a record needs have no records")
    func noRecords() throws {
        for sql in [
            "ALTER TABLE ZDEVICESETTINGS RENAME COLUMN ZMACADDRESS TO ZMAC",
            "ALTER TABLE ZDEVICESETTINGS RENAME COLUMN Z_OPT TO ZO",
            "ALTER TABLE ZDEVICESETTINGS RENAME TO YDEVICESETTINGS",
            "ALTER TABLE ZDEVICESETTINGS RENAME TO YD; CREATE VIEW ZDEVICESETTINGS AS SELECT * FROM YD",
        ] {
            try OddStore(sql).read { _, description in #expect(SettingsTable(description) == nil, "\(sql)") }
        }
    }

    @Test("may lack every attribute but the address")
    func oneAttribute() throws {
        let store = try OddStore(
            """
            DROP TABLE ZDEVICESETTINGS; DELETE FROM Z_MODELCACHE;
            CREATE TABLE ZDEVICESETTINGS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZMACADDRESS);
            INSERT INTO ZDEVICESETTINGS VALUES (1, 1, 1, X'4134'), (2, 1, 1, 7), (3, 1, 1, 'a4c1380b7e21'),
            (9223372036854775807, NULL, NULL, CAST(X'FF' AS TEXT)), (-9223372036854775808, 1, 1, 1e300)
            """)
        try store.read { database, description in
            let settings = try #require(SettingsTable(description))
            #expect(settings.layout.fields.map(\.name) == ["macAddress"])
            let records = try settings.records(database)
            let index = AddressIndex(of: records)
            #expect(index.records == 5)
            #expect(index.recordsWithoutUsableAddress == 4)
            #expect(records.count { $0.address == .invalid } == 4)
            #expect(try settings.addressesAlone(database).map(\.address) == records.map(\.address))
        }
    }

    @Test("hold whatever SQLite lets them hold")
    func values() throws {
        let store = try OddStore(
            """
            UPDATE ZDEVICESETTINGS SET ZMETERNAME = X'00FF', ZID = 'not 16 bytes', ZUPDATEDAT = 'now', ZCREATEDAT = X'01',
            ZCONNECTEDAT = 9e999, ZCONNECTEDEXPIRYAT = -9e999, ZLASTSEENAT = 1e300, Z_ENT = 'x', Z_OPT = -1 WHERE Z_PK = 4;
            UPDATE ZDEVICESETTINGS SET ZMETERNAME = CAST(X'610062' AS TEXT), ZMODELTYPE = CAST(X'C328' AS TEXT),
            ZCREATEDAT = 9223372036854775807, ZUPDATEDAT = -9223372036854775808 WHERE Z_PK = 9
            """)
        try store.read { database, description in
            let settings = try #require(SettingsTable(description))
            let records = try settings.records(database)
            #expect(records[0][.meterName] == .blob([0, 255]))
            #expect(records[0].updatedAt == nil)
            #expect(records[1][.meterName] == .text("a\u{0}b"))
            #expect(records[1][.modelType] == .malformedText([0xC3, 0x28]))
            #expect(records[1].updatedAt == nil, "292 billion years ago")
            for policy in [WinnerPolicy.mostComplete, .newest] {
                #expect(
                    (WinnerKey(records[0], policy: policy) < WinnerKey(records[1], policy: policy))
                        != (WinnerKey(records[1], policy: policy) < WinnerKey(records[0], policy: policy)))
            }
        }
    }
}
