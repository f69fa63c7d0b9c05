import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the proof of a cure catches")
struct CureProofTests {
    private static let entityNumbers = CureCase.damaged(
        """
        UPDATE ZDEVICESETTINGS SET Z_ENT = 7 WHERE Z_PK = 2;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'DeviceSettings'
        """, CureCase.plain.with { $0.marker = 2 })

    @Test(
        "a mistake beside the entity numbers and the row numbers, whether SQLite tells of it or not:",
        arguments: [true, false],
        [
            "UPDATE ZDEVICESETTINGS SET Z_ENT = 1 WHERE Z_PK = 2",
            "UPDATE ZDEVICESETTINGS SET Z_ENT = 1 WHERE Z_PK = 3",
            "UPDATE ZDEVICESETTINGS SET Z_OPT = 9 WHERE Z_PK = 2", "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 2",
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'x' WHERE Z_PK = 2",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'DeviceSettings'",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Bookmark'",
            "UPDATE ZBOOKMARK SET ZTITLE = 'b'", "UPDATE ZBOOKMARK SET Z_ENT = 7",
        ])
    func numbers(isTold: Bool, mistake: String) throws {
        let planner = FixPlanner([.primaryKeyBehind, .entityNumberMismatch, .rebuildMarkerOld])
        try FaultyPlanner(planner, mistake: mistake, isTold: isTold)
            .expectCaught(in: Self.entityNumbers, "\(mistake)")
    }

    @Test("an entity number that is left out, or one too many", arguments: [0, 1])
    func plans(_ kind: Int) throws {
        var planner = FaultyPlanner(FixPlanner([.entityNumberMismatch, .rebuildMarkerOld]))
        planner.spoil = { plan in
            if kind == 0 {
                plan.schemaChanges = []
            } else {
                plan.schemaChanges.append(.entityNumber(table: "ZDEVICESETTINGS", row: 77, before: 7, after: 2))
            }
        }
        try planner.expectCaught(in: Self.entityNumbers, "\(kind)")
    }

    @Test(
        "in a record that gets a new id and another entity number:",
        arguments: [
            "UPDATE ZDEVICESETTINGS SET Z_ENT = 7 WHERE Z_PK = 4",
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'x' WHERE Z_PK = 4",
            "UPDATE ZDEVICESETTINGS SET ZID = X'00' WHERE Z_PK = 4",
            "UPDATE ZDEVICESETTINGS SET Z_ENT = 7 WHERE Z_PK = 1",
        ])
    func both(mistake: String) throws {
        let fixture = CureCase.damaged(
            "UPDATE ZDEVICESETTINGS SET Z_ENT = 7 WHERE Z_PK IN (3, 4)",
            CureCase.changed(4) { $0.id = SampleRecords.household[1].id })
        let planner = FixPlanner([.entityNumberMismatch, .idDuplicate])
        for isTold in [true, false] {
            try FaultyPlanner(planner, mistake: mistake, isTold: isTold, moment: .history)
                .expectCaught(in: fixture, "\(mistake)")
        }
        try FaultyPlanner(planner, moment: .history).expectDone(in: fixture)
    }
}
