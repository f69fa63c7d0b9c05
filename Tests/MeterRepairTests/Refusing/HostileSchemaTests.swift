import CoreDataStore
import Foundation
import MeterFuzz
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

/// Schemas that somebody made by hand, in ways that SQLite allows and Core Data never uses. Every command that writes
/// either does its work or refuses the store: it never finds out in the middle of a change.
@Suite("a store whose schema was edited by hand")
struct HostileSchemaTests {
    static let fixed = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    static let history = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
    static let mirror = ["ANSCKRECORDMETADATA", "ANSCKEVENT"]
    static let tables = ["ZDEVICESETTINGS"] + fixed + history + mirror

    /// SQL that changes the text of a table's statement.
    private static func statement(of table: String, _ expression: String) -> String {
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = \(expression) WHERE name = '\(table)'"
    }

    private static let edits: [String] = [
        // Names in another letter case.
        "CREATE TRIGGER t AFTER UPDATE ON zdevicesettings BEGIN UPDATE zdevicesettings SET ZMODELTYPE = 'x'; END",
        "CREATE TRIGGER t AFTER DELETE ON ZDeviceSettings BEGIN DELETE FROM Z_metadata; END",
        "CREATE TRIGGER t AFTER INSERT ON achange BEGIN DELETE FROM ACHANGE; END",
        "CREATE TRIGGER t AFTER INSERT ON Atransactionstring BEGIN SELECT nonesuch(); END",
        "CREATE TRIGGER t AFTER UPDATE ON z_primarykey BEGIN UPDATE Z_PRIMARYKEY SET Z_MAX = 0; END",
        "CREATE TRIGGER t AFTER UPDATE ON z_metadata BEGIN DELETE FROM Z_METADATA; END",
        "CREATE UNIQUE INDEX i ON zdevicesettings (zmacaddress, z_pk)",
        // Constraints that Core Data does not know.
        "CREATE UNIQUE INDEX i ON ZDEVICESETTINGS (ZMETERNAME)",
        "CREATE UNIQUE INDEX i ON ZDEVICESETTINGS (COALESCE(ZMETERNAME, 'x'))",
        "CREATE UNIQUE INDEX i ON ZDEVICESETTINGS (ZTC66TEMPERATUREUNIT)",
        "CREATE UNIQUE INDEX i ON ZDEVICESETTINGS (ZUPDATEDAT)",
        "CREATE UNIQUE INDEX i ON ZDEVICESETTINGS (Z_OPT, ZCREATEDAT)",
        "CREATE UNIQUE INDEX i ON ACHANGE (ZTRANSACTIONID)",
        "CREATE UNIQUE INDEX i ON ACHANGE (ZCHANGETYPE, ZENTITYPK)",
        "CREATE UNIQUE INDEX i ON ATRANSACTION (ZAUTHORTS)",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 100 + Z_ENT; CREATE UNIQUE INDEX i ON Z_PRIMARYKEY (Z_MAX)",
        "ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZREQUIRED VARCHAR NOT NULL DEFAULT 'x'",
        "ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZFILLED VARCHAR DEFAULT 'x'",
        "ALTER TABLE ACHANGE ADD COLUMN ZFILLED VARCHAR NOT NULL DEFAULT 'x'",
        statement(of: "ZDEVICESETTINGS", "replace(sql, 'ZMODELTYPE VARCHAR', 'ZMODELTYPE VARCHAR NOT NULL')")
            + "; UPDATE ZDEVICESETTINGS SET ZMODELTYPE = 'x'",
        statement(
            of: "ZDEVICESETTINGS",
            "replace(sql, 'ZMETERNAME VARCHAR', 'ZMETERNAME VARCHAR CHECK (ZMETERNAME <> ''Bench'')')"),
        statement(of: "ZDEVICESETTINGS", "replace(sql, 'Z_OPT INTEGER', 'Z_OPT INTEGER CHECK (Z_OPT < 2)')"),
        statement(
            of: "ZDEVICESETTINGS", "replace(sql, 'ZMETERNAME VARCHAR', 'ZMETERNAME VARCHAR UNIQUE ON CONFLICT REPLACE')"
        ),
        statement(of: "ZDEVICESETTINGS", "replace(sql, 'Z_OPT INTEGER', 'Z_OPT INTEGER CHECK (nonesuch(Z_OPT))')"),
        statement(of: "ACHANGE", "replace(sql, 'ZCOLUMNS BLOB', 'ZCOLUMNS BLOB CHECK (ZCOLUMNS IS NULL)')"),
        statement(of: "ACHANGE", "replace(sql, 'ZENTITYPK INTEGER', 'ZENTITYPK INTEGER UNIQUE ON CONFLICT IGNORE')"),
        statement(of: "Z_METADATA", "replace(sql, 'Z_PLIST BLOB', 'Z_PLIST BLOB CHECK (length(Z_PLIST) < 9)')"),
        statement(of: "Z_PRIMARYKEY", "replace(sql, 'Z_MAX INTEGER', 'Z_MAX INTEGER CHECK (Z_MAX < 8)')"),
        // Columns.
        "ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZLENGTH INTEGER AS (length(ZMETERNAME)) VIRTUAL",
        "ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZCHANGES INTEGER GENERATED ALWAYS AS (Z_OPT + 1) VIRTUAL",
        "ALTER TABLE ZDEVICESETTINGS RENAME COLUMN ZMETERNAME TO zMeterName",
        "ALTER TABLE ZDEVICESETTINGS RENAME COLUMN Z_OPT TO z_opt; ALTER TABLE ACHANGE RENAME COLUMN ZCOLUMNS TO zcolumns",
        "ALTER TABLE Z_METADATA RENAME COLUMN Z_PLIST TO z_plist; ALTER TABLE Z_PRIMARYKEY RENAME COLUMN Z_MAX TO z_Max",
        "ALTER TABLE ZDEVICESETTINGS RENAME COLUMN Z_PK TO z_pk; ALTER TABLE Z_PRIMARYKEY RENAME COLUMN Z_ENT TO z_ent",
        // Search and other indexes that modules keep.
        "CREATE VIRTUAL TABLE names USING fts5(ZMETERNAME, content='ZDEVICESETTINGS', content_rowid='Z_PK');"
            + " INSERT INTO names (names) VALUES ('rebuild')",
        "CREATE VIRTUAL TABLE names USING fts5(zmetername, content=zdevicesettings, content_rowid=z_pk)",
        "CREATE VIRTUAL TABLE names USING fts4(content=\"ZDEVICESETTINGS\", ZMETERNAME)",
        "CREATE VIRTUAL TABLE words USING fts5(a); INSERT INTO words VALUES ('x')",
        "CREATE VIRTUAL TABLE words USING fts5vocab(nonesuch, row)", "CREATE VIRTUAL TABLE pages USING dbstat",
        "PRAGMA writable_schema = ON; INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES"
            + " ('table', 'places', 'places', 0, 'CREATE VIRTUAL TABLE places USING nonesuch(a, b)')",
        // Values.
        "UPDATE Z_PRIMARYKEY SET Z_NAME = CAST(Z_NAME AS BLOB)",
        "UPDATE Z_PRIMARYKEY SET Z_NAME = CAST(Z_NAME AS BLOB) WHERE Z_ENT > 16000",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'DeviceSettings'",
        "UPDATE ZDEVICESETTINGS SET Z_PK = -Z_PK", "UPDATE ZDEVICESETTINGS SET Z_PK = 0 WHERE Z_PK = 3",
        "UPDATE ZDEVICESETTINGS SET Z_PK = -Z_PK; UPDATE Z_PRIMARYKEY SET Z_MAX = -1",
        // Views.
        "CREATE VIEW records AS SELECT * FROM ZDEVICESETTINGS", "CREATE VIEW broken AS SELECT * FROM nonesuch",
        "CREATE TEMP TABLE x (a); CREATE VIEW \"zdevicesettings \" AS SELECT 1",
    ]

    @Test("is changed or refused:", arguments: edits)
    func edited(sql: String) throws { try attempt(sql) }

    @Test("so that a table has another name, or other properties, is changed or refused:", arguments: tables)
    func remade(table: String) throws {
        try attempt("ALTER TABLE \(table) RENAME TO other; ALTER TABLE other RENAME TO \(table.lowercased())")
        let columns = try Self.columns(of: table)
        for (names, types, options) in [
            (columns.map { $0.name.lowercased() }, columns.map(\.type), ""),
            (columns.map(\.name), columns.map { ["INTEGER", "BLOB"].contains($0.type) ? $0.type : "TEXT" }, " STRICT"),
            (columns.map(\.name), columns.map { $0.type == "INTEGER" ? "INTEGER" : "ANY" }, " STRICT"),
            (columns.map(\.name), columns.map { $0.type + " NOT NULL DEFAULT 0" }, ""),
        ] {
            let list = zip(names, types).enumerated().map { index, column in
                "\(column.0) \(column.1)" + (index == 0 && names.count > 1 ? " PRIMARY KEY" : "")
            }
            try attempt(
                """
                ALTER TABLE \(table) RENAME TO other; CREATE TABLE \(table) (\(list.joined(separator: ", ")))\(options);
                INSERT OR IGNORE INTO \(table) SELECT * FROM other; DROP TABLE other
                """)
        }
    }

    /// What is wrong is said before anything is written, and in terms of the store.
    static let reasons: [(sql: String, message: String)] = [
        (
            "CREATE TRIGGER t AFTER UPDATE ON zdevicesettings BEGIN SELECT nonesuch(); END",
            "the table zdevicesettings has the trigger t, which another tool made and which would run with the change"
        ),
        (
            "CREATE VIRTUAL TABLE names USING fts5(ZMETERNAME, content='zdevicesettings', content_rowid='Z_PK')",
            "the search index names covers the table ZDEVICESETTINGS and would miss a change"
        ),
        (
            "ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZREQUIRED VARCHAR NOT NULL DEFAULT 'x'",
            "the column ZREQUIRED of ZDEVICESETTINGS is declared NOT NULL or with a DEFAULT, and a new row has no "
                + "value for it"
        ),
        (
            "CREATE UNIQUE INDEX i ON ZDEVICESETTINGS (Z_ENT)",
            "a constraint of the store forbids this change: UNIQUE constraint failed: ZDEVICESETTINGS.Z_ENT"
        ),
        (
            "UPDATE ZDEVICESETTINGS SET ZCREATEDAT = NULL; "
                + statement(of: "ZDEVICESETTINGS", "replace(sql, 'ZCREATEDAT TIMESTAMP', 'ZCREATEDAT TEXT')"),
            "the column ZCREATEDAT of ZDEVICESETTINGS is declared with a type that would store another value than the "
                + "planned one"
        ),
        (
            "UPDATE ZDEVICESETTINGS SET Z_PK = -5 WHERE Z_PK = 5",
            "ZDEVICESETTINGS has a record with the row number -5, but Core Data's row numbers begin at 1"
        ),
    ]

    @Test("is refused with the reason where an import would go wrong:", arguments: reasons)
    func reason(sql: String, message: String) throws {
        let planner = ImportPlanner(
            TestStore.values(names: ["0A:1B:2C:3D:4E:5F": "Garage", Meters.healthy.macAddress!: "Atelier"]),
            sha256: "5a", policy: .replace)
        let store = try TestStore(StoreFixture(records: [Meters.healthy]).damaged(sql))
        let error = try store.refusal {
            try LegacyImport.run(
                planner, on: store.path, creates: false, options: ChangeOptions(now: TestStore.now))
        }
        #expect(error.kind == .unsuitable)
        #expect(error.message == message)
    }

    @Test("so that names are in another letter case is repaired like any other")
    func letters() throws {
        let plain = try TestStore(StoreFixture(records: Meters.pair))
        let edited = try TestStore(
            StoreFixture(records: Meters.pair).damaged(
                """
                ALTER TABLE ZDEVICESETTINGS RENAME TO other; ALTER TABLE other RENAME TO zDeviceSettings;
                ALTER TABLE ZDEVICESETTINGS RENAME COLUMN ZMETERNAME TO zmetername;
                ALTER TABLE ACHANGE RENAME COLUMN ZCOLUMNS TO zcolumns
                """))
        for store in [plain, edited] { #expect(try store.rebuild { $0.makesBackup = true }.outcome == .applied) }
        for (column, table) in [
            ("ZMETERNAME", "ZDEVICESETTINGS"), ("Z_OPT", "ZDEVICESETTINGS"), ("ZCOLUMNS", "ACHANGE"),
        ] {
            #expect(try edited.column(column, of: table) == plain.column(column, of: table))
        }
        try edited.execute("UPDATE zDEVICESETTINGS SET zmeterNAME = 'moved'")
        #expect(try edited.undo().moved?.first?.fields.map(\.field.name) == ["zmetername"])
        #expect(try edited.undo { $0.force = true }.outcome == .applied)
    }

    private static func columns(of table: String) throws -> [(name: String, type: String)] {
        let store = try TestStore(StoreTrial.fixture)
        return try withExtendedLifetime(store) {
            try StoreText.read(store.path) { database in
                try StoreDescription(database).schema.tables[SQLName(table)]?.columns
                    .map { ($0.name.text, $0.declaredType) } ?? []
            }
        }
    }

    /// Status and verify, and each command that changes something on a store of its own, with an undo and a redo.
    private func attempt(_ sql: String) throws {
        let store = try TestStore(StoreTrial.fixture.damaged(sql))
        let files = try ["", "-wal"].filter { FileManager.default.fileExists(atPath: store.path + $0) }
            .map { (suffix: $0, bytes: try FileBytes.read(store.path + $0)) }
        let trial = StoreTrial(path: store.path, in: store.folder)
        for number in [0, 1] { try trial.run(only: number) }
        for number in try trial.changesAndUndos() {
            let folder = try TemporaryFolder()
            let path = folder.path + "/CKModel.sqlite"
            for file in files { try FileBytes.write(file.bytes, to: path + file.suffix) }
            try StoreTrial(path: path, in: folder).run(only: number)
        }
    }
}
