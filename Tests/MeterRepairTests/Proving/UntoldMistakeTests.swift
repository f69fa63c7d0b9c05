import CoreDataStore
import GRDB
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import MeterRepair

/// The log of writes sees nearly every mistake first. Here SQLite does not tell of them, so that each other step of the
/// proof has to find by itself what it is there for.
@Suite("the proof before a commit catches what SQLite did not tell of:")
struct UntoldMistakeTests {
    private static let fixture = FaultyPlannerTests.fixture

    private static let importer = ImportPlanner(
        TestStore.values(names: ["D0:5F:B8:26:C3:91": "Boot"]), sha256: "5a", policy: .keep)

    /// The new rows of the history and a written record: whichever column is changed or emptied afterwards.
    @Test(
        "another value in a column of a row that was written",
        arguments: [
            ("ACHANGE", "Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)"),
            ("ACHANGE", "Z_PK = (SELECT MAX(Z_PK) - 1 FROM ACHANGE)"),
            ("ATRANSACTION", "Z_PK = (SELECT MAX(Z_PK) FROM ATRANSACTION)"),
            ("ATRANSACTIONSTRING", "Z_PK = (SELECT MAX(Z_PK) FROM ATRANSACTIONSTRING)"),
            ("ZDEVICESETTINGS", "Z_PK = 7"),
        ])
    func columns(table: String, row: String) throws {
        for (column, value) in try Self.faults(in: SQLName(table)) {
            try Self.expectCaught("UPDATE \(table) SET \(column) = \(value) WHERE \(row)")
        }
    }

    @Test("another value in a column of a new record")
    func insertedColumns() throws {
        for (column, value) in try Self.faults(in: "ZDEVICESETTINGS") {
            let mistake = "UPDATE ZDEVICESETTINGS SET \(column) = \(value) WHERE Z_PK = 8"
            try FaultyPlanner(Self.importer, mistake: mistake, isTold: false)
                .expectCaught(in: Self.fixture, "\(mistake)")
        }
    }

    /// For each column values that it does not have: two numbers, of which one is another one, and NULL where there is
    /// something. (A row without a number cannot be.)
    private static func faults(in table: SQLName) throws -> [(column: String, value: String)] {
        let store = try TestStore(fixture)
        let columns = try #require(store.description().schema.tables[table]).columns.map(\.name.text)
        return columns.flatMap { column in
            [(column, "CASE WHEN \(column) = 77 THEN 78 ELSE 77 END")]
                + (column == "Z_PK" ? [] : [(column, "CASE WHEN \(column) IS NULL THEN 0.5 ELSE NULL END")])
        }
    }

    @Test(
        "rows that came, went or moved, row numbers, the metadata:",
        arguments: [
            "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 5",
            "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 7",
            "INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT) VALUES (9, 2, 1)",
            "UPDATE ZDEVICESETTINGS SET Z_PK = 6 WHERE Z_PK = 7",
            "INSERT INTO ANSCKEVENT (Z_PK) VALUES (99)", "DELETE FROM ZBOOKMARK", "DELETE FROM Z_MODELCACHE",
            "DELETE FROM ACHANGE WHERE Z_PK = 1",
            "DELETE FROM ACHANGE WHERE Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)",
            "INSERT INTO ACHANGE SELECT Z_PK + 1, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, "
                + "ZCOLUMNS FROM ACHANGE ORDER BY Z_PK DESC LIMIT 1; DELETE FROM ACHANGE WHERE Z_PK = 1; "
                + "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'CHANGE'",
            "UPDATE ACHANGE SET ZCHANGETYPE = 0 WHERE Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)",
            "UPDATE ACHANGE SET ZCHANGETYPE = 2, ZCOLUMNS = NULL WHERE Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)",
            "UPDATE ACHANGE SET ZCHANGETYPE = 9, ZCOLUMNS = NULL WHERE ZCHANGETYPE = 2",
            "UPDATE ACHANGE SET ZENTITYPK = ZENTITYPK || 'x' WHERE Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)",
            "UPDATE ATRANSACTION SET ZTIMESTAMP = 1.5 WHERE Z_PK = (SELECT MAX(Z_PK) FROM ATRANSACTION)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 6 WHERE Z_NAME = 'DeviceSettings'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'CHANGE'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_NAME = 'CHANGE'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'TRANSACTION'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_NAME = 'TRANSACTION'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'TRANSACTIONSTRING'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_NAME = 'TRANSACTIONSTRING'",
            "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Bookmarks' WHERE Z_NAME = 'Bookmark'",
            "UPDATE Z_PRIMARYKEY SET Z_SUPER = 2 WHERE Z_NAME = 'Bookmark'",
            "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_NAME = 'CHANGE'",
            "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'TRANSACTIONSTRING'",
            "INSERT INTO Z_PRIMARYKEY VALUES (99, 'x', 0, 0)",
            "UPDATE Z_METADATA SET Z_UUID = 'X'", "UPDATE Z_METADATA SET Z_VERSION = 2",
            "UPDATE Z_METADATA SET Z_PLIST = NULL",
        ])
    func rows(mistake: String) throws { try Self.expectCaught(mistake) }

    @Test("a row of a table of SQLite's own")
    func internalTable() throws {
        let fixture = Self.fixture.damaged(
            "CREATE TABLE counted (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO counted VALUES (3)")
        try FaultyPlanner().expectDone(in: fixture)
        let mistake = "UPDATE sqlite_sequence SET seq = 9"
        try FaultyPlanner(mistake: mistake, isTold: false).expectCaught(in: fixture, "\(mistake)")
    }

    @Test("a new record that moved away, or goes by another entity's row number")
    func insertion() throws {
        try FaultyPlanner(Self.importer).expectDone(in: Self.fixture)
        for mistake in [
            "UPDATE ZDEVICESETTINGS SET Z_PK = 9 WHERE Z_PK = 8", "UPDATE ZDEVICESETTINGS SET Z_PK = 1 WHERE Z_PK = 8",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_NAME = 'DeviceSettings'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'DeviceSettings'",
        ] {
            try FaultyPlanner(Self.importer, mistake: mistake, isTold: false)
                .expectCaught(in: Self.fixture, "\(mistake)")
        }
    }

    /// With another schema all records are read again, and not only those that were written.
    @Test("a new record that moved away where the schema changes too")
    func insertionBesideColumn() throws {
        var planner = FaultyPlanner(Self.importer)
        planner.spoil = {
            $0.schemaChanges.insert(.addEntity(number: 9, name: "Site", parent: 0), at: 0)
        }
        try planner.expectDone(in: Self.fixture)
        var faulty = FaultyPlanner(
            Self.importer, mistake: "UPDATE ZDEVICESETTINGS SET Z_PK = 9 WHERE Z_PK = 8", isTold: false)
        faulty.spoil = planner.spoil
        try faulty.expectCaught(in: Self.fixture, "a new record that moved away")
    }

    /// Metadata that cannot be read say nothing that could be compared.
    @Test("or did: unreadable metadata that changed where nothing of them was to change")
    func unreadableMetadata() throws {
        let fixture = Self.fixture.with {
            $0.marker = 3
            $0.hasPropertyList = false
        }
        try FaultyPlanner(moment: .history).expectDone(in: fixture)
        for mistake in ["UPDATE Z_METADATA SET Z_PLIST = X'00'", "UPDATE Z_METADATA SET Z_UUID = 'x'"] {
            try FaultyPlanner(mistake: mistake, moment: .history).expectCaught(in: fixture, "\(mistake)")
        }
        try FaultyPlanner(mistake: "UPDATE Z_METADATA SET Z_UUID = 'x'", isTold: false, moment: .history)
            .expectCaught(in: fixture, "the identity")
    }

    private static func expectCaught(_ mistake: String) throws {
        try FaultyPlanner(mistake: mistake, isTold: false).expectCaught(in: fixture, "\(mistake)")
    }
}

/// What is proven of a migration: every row is as it was, and the schema is as planned.
@Suite("the proof of a migration catches")
struct MigrationProofTests {
    private static let fixture = StoreFixture(.v1, records: [Meters.healthy]).with {
        $0.extraEntities = [Entity("Bookmark", attributes: [Attribute("title", .string)])]
        $0.damage = { try $0.execute(sql: "INSERT INTO ZBOOKMARK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a')") }
    }

    /// To a model with an attribute and an entity more.
    private static func planner() throws -> MigrationPlanner {
        let folder = try TemporaryFolder()
        var model = fixture.with {
            $0.version = .v2
            $0.extraAttributes = [Attribute("note", .string)]
            $0.extraEntities.append(
                Entity(
                    "Site", attributes: [Attribute("title", .string)],
                    relationships: [Relationship("meter", to: "DeviceSettings")]))
            var lab = Entity("Lab", attributes: [Attribute("floor", .string)])
            lab.superentity = "Site"
            $0.extraEntities.append(lab)
        }.model
        model.versionIdentifiers = ["USB_Meter 7"]
        let path = folder.path + "/CKModel.mom"
        try FileBytes.write(ModelArchive.encode(model), to: path)
        return MigrationPlanner(model: try ModelFile.read(path))
    }

    @Test("nothing where there is no mistake")
    func correct() throws { try FaultyPlanner(Self.planner()).expectDone(in: Self.fixture) }

    @Test(
        "a row that changed, whether SQLite tells of it or not:",
        arguments: [
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'x'", "UPDATE ZDEVICESETTINGS SET Z_OPT = 2",
            "UPDATE ZBOOKMARK SET ZTITLE = 'b'", "UPDATE ACHANGE SET ZENTITYPK = 6", "DELETE FROM ATRANSACTION",
            "INSERT INTO ACHANGE (Z_PK) VALUES (99)", "UPDATE Z_METADATA SET Z_UUID = 'X'",
            "UPDATE Z_MODELCACHE SET Z_CONTENT = X'00'", "INSERT INTO Z_MODELCACHE VALUES (X'00')",
            "INSERT INTO Z_MODELCACHE SELECT * FROM Z_MODELCACHE", "DELETE FROM Z_MODELCACHE",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_NAME = 'Site'",
            "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_NAME = 'Site'",
            "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Site'",
            "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Lab'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'CHANGE'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_MAX = 5",
            "INSERT INTO ZSITE (Z_PK) VALUES (1)",
        ], [true, false])
    func rows(mistake: String, isTold: Bool) throws {
        try FaultyPlanner(Self.planner(), mistake: mistake, isTold: isTold).expectCaught(in: Self.fixture, "\(mistake)")
    }

    @Test(
        "another schema:",
        arguments: [
            "DROP TABLE ZSITE", "DROP INDEX ZSITE_ZMETER_INDEX", "ALTER TABLE ZSITE ADD COLUMN ZNEW",
            "ALTER TABLE ZBOOKMARK ADD COLUMN ZNEW", "CREATE INDEX x ON ZSITE (ZTITLE)", "CREATE TABLE x (a)",
            "DROP INDEX ZSITE_ZMETER_INDEX; CREATE INDEX ZSITE_ZMETER_INDEX ON ZSITE (ZTITLE)",
            "CREATE UNIQUE INDEX Z_DeviceSettings_UNIQUE_macAddress ON ZDEVICESETTINGS (ZMACADDRESS COLLATE BINARY ASC)",
        ])
    func schema(mistake: String) throws {
        try FaultyPlanner(Self.planner(), changeOfSchema: mistake).expectCaught(in: Self.fixture, "\(mistake)")
    }
}

/// The proof of the schema by itself, with a plan and with what was done instead.
@Suite("the proof of a schema")
struct SchemaProofTests {
    private static let fixture = StoreFixture(.v1, records: [Meters.healthy])
    private static let index = "Z_DeviceSettings_UNIQUE_macAddress"
    private static let addNote = SchemaChange.addColumn(
        table: "ZDEVICESETTINGS", column: "ZNOTE", declaredType: "VARCHAR")
    private static let addRank = SchemaChange.addColumn(
        table: "ZDEVICESETTINGS", column: "ZRANK", declaredType: "INTEGER")
    private static let dropIndex = SchemaChange.dropIndex(name: index, table: "ZDEVICESETTINGS", sql: nil)
    private static let cache = SchemaChange.modelCache(content: [1, 2])
    private static let alter = "ALTER TABLE ZDEVICESETTINGS ADD COLUMN "

    /// - Returns: whether the proof holds after `sql` was executed in the place of `changes`.
    private func holds(_ changes: [SchemaChange], _ sql: String) throws -> Bool {
        let store = try TestStore(Self.fixture)
        let files = try StoreFiles(path: store.path)
        return try StoreText.read(store.path) { database in
            func session() throws -> Session {
                Session(
                    try InspectedStore(StoreRequest(store.path, now: TestStore.now), files: files, database), database)
            }
            let plan = Plan(
                schema: changes, of: StoreSize(records: 1, groups: 0, mirrored: 0))
            let proof = try SchemaProof(before: plan, in: session())
            try database.execute(sql: sql)
            do {
                try proof.check(session())
                return true
            } catch is ProofError {
                return false
            }
        }
    }

    @Test("holds where what was planned was done")
    func done() throws {
        #expect(try holds([], "SELECT 1"))
        #expect(try holds([Self.addNote], Self.alter + "ZNOTE VARCHAR"))
        #expect(
            try holds([Self.addNote, Self.addRank], Self.alter + "ZNOTE VARCHAR; " + Self.alter + "ZRANK INTEGER"))
        #expect(try holds([Self.dropIndex], "DROP INDEX \(Self.index)"))
        #expect(try holds([Self.cache], "UPDATE Z_MODELCACHE SET Z_CONTENT = X'0102'"))
    }

    @Test("does not hold where a column is missing, is another one, or is one too many")
    func columns() throws {
        for sql in [
            "SELECT 1", Self.alter + "ZNOTES VARCHAR", Self.alter + "ZNOTE INTEGER",
            Self.alter + "ZNOTE VARCHAR; " + Self.alter + "ZRANK INTEGER",
            "ALTER TABLE ZDEVICESETTINGS RENAME COLUMN ZMETERNAME TO ZNAME; " + Self.alter + "ZNOTE VARCHAR",
        ] { #expect(try !holds([Self.addNote], sql), "\(sql)") }
        #expect(
            try !holds([Self.addNote, Self.addRank], Self.alter + "ZRANK INTEGER; " + Self.alter + "ZNOTE VARCHAR"))
    }

    @Test("does not hold where an index is still there, or another one went")
    func indexes() throws {
        #expect(try !holds([Self.dropIndex], "SELECT 1"))
        #expect(try !holds([Self.dropIndex], "DROP INDEX ACHANGE_ZTRANSACTIONID_INDEX"))
        #expect(try !holds([], "DROP INDEX \(Self.index)"))
        #expect(try !holds([], "CREATE VIEW x AS SELECT 1"))
    }

    @Test("does not hold where an index is another table's")
    func indexOfAnotherTable() throws {
        let entry = "UPDATE sqlite_master SET tbl_name = 'ACHANGE' WHERE name = '\(Self.index)'"
        #expect(try !holds([], "PRAGMA writable_schema = ON; \(entry)"))
    }

    @Test("does not hold where the cached model is another one, or is there twice")
    func cachedModel() throws {
        for sql in [
            "SELECT 1", "DELETE FROM Z_MODELCACHE",
            "UPDATE Z_MODELCACHE SET Z_CONTENT = X'0102'; INSERT INTO Z_MODELCACHE VALUES (X'00')",
        ] { #expect(try !holds([Self.cache], sql), "\(sql)") }
    }
}
