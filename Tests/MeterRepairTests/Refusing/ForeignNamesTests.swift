import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

/// The names of tables, columns, entities and properties are a customer's text, and stand in our SQL.
@Suite("names that would be SQL if they were not quoted")
struct ForeignNamesTests {
    private static let entity = "Odd \"; DROP TABLE ZDEVICESETTINGS; --' [x]"
    private static let attribute = "note\") VALUES (1); DELETE FROM Z_METADATA; --"
    private static let relationship = "meter\"; UPDATE Z_PRIMARYKEY SET Z_MAX = 0; --"

    private static func column(_ property: String) -> String { SettingsTable.column(property).quotedIdentifier }

    /// Beside the records of a meter, rows 3 and 7: an entity, a table, an attribute of the records and an index with
    /// such names. Row 2 of the entity's table is another entity's.
    private static func fixture(referringTo row: Int) -> StoreFixture {
        let table = column(entity)
        return StoreFixture(records: Meters.pair).with { fixture in
            fixture.mirror = .current
            fixture.cachedModel = ManagedObjectModel(
                entities: USBMeterModel.v2.entities.map { settings in
                    var settings = settings
                    settings.attributes.append(Attribute(attribute, .string))
                    return settings
                } + [
                    Entity(
                        entity, attributes: [Attribute(attribute, .string)],
                        relationships: [Relationship(relationship, to: SettingsTable.entityName)])
                ])
            fixture.damage = { database in
                try database.execute(
                    sql: """
                        CREATE TABLE \(table) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
                        \(column(relationship)) INTEGER, \(column(attribute)) VARCHAR);
                        INSERT INTO \(table) VALUES (1, 2, 1, \(row), 'one'), (2, 9, 1, 7, 'two');
                        ALTER TABLE ZDEVICESETTINGS ADD COLUMN \(column(attribute)) VARCHAR;
                        UPDATE ZDEVICESETTINGS SET \(column(attribute)) = 'kept' WHERE Z_PK = 3;
                        CREATE INDEX \((entity + " i").quotedIdentifier) ON \(table) (\(column(attribute)))
                        """)
                try database.execute(
                    sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (2, ?, 0, 0)",
                    arguments: [entity])
                try database.execute(
                    sql: "INSERT INTO ANSCKRECORDMETADATA (Z_PK, ZENTITYID, ZENTITYPK) VALUES (99, 2, 50)")
            }
        }
    }

    @Test("are looked up, counted and checked")
    func looked() throws {
        let store = try TestStore(Self.fixture(referringTo: 7))
        let status = try StatusReport.of(store.path, now: TestStore.now)
        #expect(status.model.entities.first { $0.name == Self.entity }?.rows == 1)
        let findings = try store.found()
        for id in ["primary-key-behind", "entity-number-mismatch", "mirror-orphan"] {
            #expect(findings.contains { $0.id == id && $0.entity == Self.entity }, "\(id)")
        }
    }

    @Test("are followed if a record that would be deleted is referred to")
    func referredTo() throws {
        let store = try TestStore(Self.fixture(referringTo: 3))
        let error = #expect(throws: StoreError.self) { try store.rebuild() }
        #expect(error?.kind == .unsuitable)
        #expect(error?.message.contains("row 1 of \(Self.entity) refers to row 3") == true)
    }

    @Test("are written to, told of when their rows move, and brought back")
    func changed() throws {
        let store = try TestStore(Self.fixture(referringTo: 7))
        let before = try store.files()
        let report = try store.rebuild { $0.makesBackup = true }
        #expect(report.summary.deleted == 1)
        #expect(try store.column(Self.column(Self.attribute)) == ["7: 'kept'"])
        let table = Self.column(Self.entity)
        #expect(try store.column(Self.column(Self.attribute), of: table) == ["1: 'one'", "2: 'two'"])
        try store.execute("UPDATE \(table) SET \(Self.column(Self.attribute)) = 'moved' WHERE Z_PK = 2")
        let stale = try store.undo()
        let moved = try #require(stale.moved)
        #expect(moved.map(\.table) == [SettingsTable.column(Self.entity).text])
        #expect(moved.map(\.row) == [2])
        #expect(moved[0].fields.map(\.field.name) == [SettingsTable.column(Self.attribute).text])
        #expect(moved[0].fields.map(\.after) == [.text("moved")])
        #expect(try store.undo { $0.force = true }.outcome == .applied)
        #expect(try store.files() == before)
    }

    @Test("are dropped, when an index of schema v1 has one")
    func migrated() throws {
        let index = "Z\"; DROP TABLE Z_METADATA; --".quotedIdentifier
        let store = try TestStore(
            StoreFixture(.v1, records: [Meters.healthy]).damaged(
                """
                DROP INDEX Z_DeviceSettings_UNIQUE_macAddress;
                CREATE UNIQUE INDEX \(index) ON ZDEVICESETTINGS (ZMACADDRESS)
                """))
        #expect(try store.migrate().outcome == .applied)
        let indexes = try StoreText.read(store.path) { try StoreDescription($0).schema.indexes }
        #expect(!indexes.contains { $0.table == "ZDEVICESETTINGS" })
        #expect(try store.text()[table: "Z_METADATA"].count == 1)
    }

    /// To Swift these are one name, to SQLite two.
    @Test("or that differ only in how an accent is encoded are not mistaken for each other")
    func canonicallyEquivalent() throws {
        let (composed, decomposed) = ("Z\u{C9}", "ZE\u{301}")
        let store = try TestStore(
            StoreFixture(records: Meters.pair).damaged(
                """
                CREATE TABLE other ("\(composed)", "\(decomposed)"); INSERT INTO other VALUES (1, 2);
                CREATE TABLE "\(composed)" (a); CREATE TABLE "\(decomposed)" (a);
                ALTER TABLE ZDEVICESETTINGS ADD COLUMN "\(composed)" VARCHAR;
                ALTER TABLE ZDEVICESETTINGS ADD COLUMN "\(decomposed)" VARCHAR;
                UPDATE ZDEVICESETTINGS SET "\(composed)" = 'c', "\(decomposed)" = 'd' WHERE Z_PK = 7
                """))
        try store.rebuild { $0.makesBackup = true }
        #expect(try store.column("\"\(composed)\" || \"\(decomposed)\"") == ["7: 'cd'"])
        try store.execute("UPDATE other SET \"\(decomposed)\" = 3; INSERT INTO \"\(composed)\" VALUES (5)")
        let stale = try store.undo()
        #expect(stale.outcome == .stale)
        let changed = stale.moved?.first { $0.table == "other" }
        #expect(changed?.fields.map(\.after) == [.integer(3)])
        #expect(changed?.fields.map(\.field.name.unicodeScalars.count) == [3])
    }

    @Test("of tables without row numbers are known, however that is written")
    func withoutRowNumbers() throws {
        for words in ["WITHOUT ROWID", "without /* row */ \n rowid", "WITHOUT ROWID -- not at the end"] {
            let store = try TestStore(
                StoreFixture(records: Meters.pair).damaged(
                    "CREATE TABLE strange (\"rowid\"\"\" PRIMARY KEY, b) \(words)\n; INSERT INTO strange VALUES (1, 2)")
            )
            try store.rebuild { $0.makesBackup = true }
            try store.execute("UPDATE strange SET b = 3")
            #expect(try store.undo().outcome == .stale, "\(words)")
            #expect(try store.undo { $0.force = true }.outcome == .applied, "\(words)")
        }
    }
}
