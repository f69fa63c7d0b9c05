import CoreDataStore
import GRDB
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the proof before a commit catches")
struct FaultyPlannerTests {
    static let fixture = PlanBench.fixture

    /// - Parameter change: type, entity and row.
    private static func oneMoreChange(_ change: String, _ columns: String) -> String {
        """
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) SELECT MAX(Z_PK) + 1,
        16001, \(change), MAX(ZTRANSACTIONID), \(columns) FROM ACHANGE;
        UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'CHANGE'
        """
    }

    @Test(
        "what nobody planned:",
        arguments: [
            "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 5",
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Lab ' WHERE Z_PK = 5",
            "UPDATE ZDEVICESETTINGS SET Z_OPT = 2 WHERE Z_PK = 5",
            "UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 7",
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Cellar' WHERE Z_PK = 7",
            "UPDATE ZDEVICESETTINGS SET ZMODELTYPE = 'UM25C' WHERE Z_PK = 7",
            "UPDATE ZDEVICESETTINGS SET Z_ENT = 1 WHERE Z_PK = 7",
            "INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT) VALUES (9, 2, 1)",
            "UPDATE ZBOOKMARK SET ZTITLE = 'b'",
            "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1",
            "INSERT INTO ANSCKEVENT (Z_PK) VALUES (99)",
            "DELETE FROM ACHANGE WHERE Z_PK = 1",
            "DELETE FROM ATRANSACTION WHERE Z_PK = 1",
            "UPDATE ACHANGE SET ZENTITYPK = 9 WHERE Z_PK = 1",
            "UPDATE ATRANSACTION SET ZTIMESTAMP = 1 WHERE Z_PK = 1",
            "UPDATE ATRANSACTIONSTRING SET ZNAME = 'x' WHERE Z_PK = 1",
            // One change too many, as it should be but for what it tells of.
            oneMoreChange("0, 2, 99", "NULL"), oneMoreChange("1, 2, 5", "X'0010'"), oneMoreChange("2, 2, 5", "NULL"),
            oneMoreChange("9, 2, 5", "NULL"),
            // And one transaction, one string.
            """
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS) SELECT Z_PK + 1,
            Z_ENT, ZTIMESTAMP, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS FROM ATRANSACTION ORDER BY Z_PK DESC LIMIT 1;
            UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'TRANSACTION'
            """,
            """
            INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) SELECT MAX(Z_PK) + 1, 16003, 'x' FROM ATRANSACTIONSTRING;
            UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'TRANSACTIONSTRING'
            """,
            "INSERT INTO ACHANGE (Z_PK) VALUES (-5)",
            "INSERT INTO ATRANSACTION (Z_PK) VALUES (-5)",
            "INSERT INTO ATRANSACTIONSTRING (Z_PK) VALUES (-5)",
            "DELETE FROM ACHANGE WHERE Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)",
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE) VALUES (900, 16001, 1)",
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT) VALUES (900, 16002)",
            "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (900, 16003, 'x')",
            "UPDATE ACHANGE SET ZCHANGETYPE = 2 WHERE Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)",
            "UPDATE ACHANGE SET ZENTITYPK = 5 WHERE Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)",
            "UPDATE ACHANGE SET ZENTITY = 1 WHERE Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)",
            "UPDATE ACHANGE SET ZCOLUMNS = NULL WHERE Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)",
            "UPDATE ACHANGE SET ZTRANSACTIONID = 1 WHERE Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)",
            "UPDATE ATRANSACTION SET ZTIMESTAMP = 1.5 WHERE Z_PK = (SELECT MAX(Z_PK) FROM ATRANSACTION)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 6 WHERE Z_NAME = 'DeviceSettings'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 8 WHERE Z_NAME = 'DeviceSettings'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'CHANGE'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_NAME = 'CHANGE'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'TRANSACTIONSTRING'",
            "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'TRANSACTION'",
            "UPDATE Z_METADATA SET Z_UUID = 'X'",
            "UPDATE Z_METADATA SET Z_VERSION = 2",
            "UPDATE Z_METADATA SET Z_PLIST = NULL",
            "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID) VALUES (2, 'X')",
            "DELETE FROM Z_MODELCACHE",
            // What SQLite does not tell of: a table emptied, rows that a REPLACE removes.
            "DELETE FROM ZBOOKMARK",
            "DELETE FROM ANSCKRECORDMETADATA",
            "INSERT OR REPLACE INTO ZBOOKMARK SELECT * FROM ZBOOKMARK",
            "UPDATE OR REPLACE ZBOOKMARK SET Z_PK = 2",
            "UPDATE ZDEVICESETTINGS SET Z_PK = 6 WHERE Z_PK = 5",
            "UPDATE OR REPLACE ZDEVICESETTINGS SET Z_PK = 7 WHERE Z_PK = 5",
            "INSERT OR REPLACE INTO ZDEVICESETTINGS SELECT * FROM ZDEVICESETTINGS WHERE Z_PK = 7",
        ])
    func rows(mistake: String) throws { try expectCaught(FaultyPlanner(mistake: mistake), "\(mistake)") }

    @Test(
        "what nobody planned, in a table WITHOUT ROWID:",
        arguments: ["UPDATE ZNOTE SET TEXT = 'b'", "INSERT INTO ZNOTE VALUES ('b', 'c')", "DELETE FROM ZNOTE", nil])
    func unnumberedRows(mistake: String?) throws {
        let store = try TestStore(
            Self.fixture.with {
                $0.damage = {
                    try $0.execute(
                        sql: """
                            CREATE TABLE ZNOTE (NAME TEXT PRIMARY KEY, TEXT TEXT) WITHOUT ROWID;
                            INSERT INTO ZNOTE VALUES ('a', 'a')
                            """)
                }
            })
        let planner = FaultyPlanner(mistake: mistake)
        guard mistake != nil else {
            #expect(try ChangeRun.run(planner, on: store.path, options: options).outcome == .applied)
            return
        }
        let error = #expect(throws: StoreError.self) { try ChangeRun.run(planner, on: store.path, options: options) }
        #expect(error?.kind == .internalFault)
    }

    @Test(
        "another schema:",
        arguments: [
            "DROP INDEX ACHANGE_ZTRANSACTIONID_INDEX", "CREATE INDEX fast ON ZDEVICESETTINGS (ZMACADDRESS)",
            "ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZNEW VARCHAR", "DROP TABLE Z_MODELCACHE",
            "CREATE TABLE other (a)", "CREATE VIEW other AS SELECT 1",
        ])
    func schema(mistake: String) throws { try expectCaught(FaultyPlanner(changeOfSchema: mistake), "\(mistake)") }

    @Test("an update of a row that is not there, and a deletion")
    func missingRows() throws {
        for change in 0...1 {
            var planner = FaultyPlanner()
            planner.spoil = { plan in
                plan.changeRecords { old in
                    switch old {
                    case .update(let update) where change == 0:
                        .update(
                            RecordUpdate(
                                row: 99, cloudRecord: nil,
                                layout: RecordLayout(fields: update.fields.map(\.field)), fields: update.fields))
                    case .delete(let deletion) where change == 1:
                        .delete(
                            RecordDeletion(
                                DeviceSettings(
                                    row: 98, layout: deletion.record.layout, values: deletion.record.values),
                                by: deletion.advantage))
                    default: old
                    }
                }
            }
            try expectCaught(planner, "\(change)")
        }
    }

    @Test("a plan that does not do all there is to do")
    func unfinished() throws {
        var planner = FaultyPlanner()
        planner.spoil = { plan in
            plan.changeRecords { if case .delete = $0 { nil } else { $0 } }
        }
        try expectCaught(planner, "half of a plan")
    }

    @Test("nothing where there is no mistake")
    func correct() throws {
        let store = try TestStore(Self.fixture)
        #expect(try ChangeRun.run(FaultyPlanner(), on: store.path, options: options).outcome == .applied)
    }

    private var options: ChangeOptions { ChangeOptions(now: TestStore.now) }

    private func expectCaught(
        _ planner: FaultyPlanner<RebuildPlanner>, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try planner.expectCaught(in: Self.fixture, comment, sourceLocation: sourceLocation)
    }
}
