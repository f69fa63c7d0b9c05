import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the proof of a delete in CloudKit only catches")
struct OrphanProofTests {
    private static let planner = FixPlanner([.mirrorOrphan])
    private static let last = "Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)"

    /// - Parameter change: type, entity and row.
    private static func oneMore(_ change: String) -> String {
        """
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) SELECT MAX(Z_PK) + 1, 16001,
        \(change), MAX(ZTRANSACTIONID) FROM ACHANGE;
        UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_NAME = 'CHANGE'
        """
    }

    @Test(
        "a history that says something else, whether SQLite tells of it or not:", arguments: [true, false],
        [
            "UPDATE ACHANGE SET ZENTITY = 1 WHERE \(last)", "UPDATE ACHANGE SET ZENTITY = NULL WHERE \(last)",
            "UPDATE ACHANGE SET ZENTITY = 'x' WHERE \(last)", "UPDATE ACHANGE SET ZENTITYPK = 5 WHERE \(last)",
            "UPDATE ACHANGE SET ZENTITYPK = 7 WHERE \(last)", "UPDATE ACHANGE SET ZCHANGETYPE = 1 WHERE \(last)",
            "UPDATE ACHANGE SET ZCHANGETYPE = 0 WHERE \(last)", "UPDATE ACHANGE SET ZCHANGETYPE = 9 WHERE \(last)",
            "UPDATE ACHANGE SET ZCOLUMNS = X'00' WHERE \(last)", "UPDATE ACHANGE SET ZTRANSACTIONID = 1 WHERE \(last)",
            "DELETE FROM ACHANGE WHERE \(last)", oneMore("2, 2, 5"), oneMore("2, 1, 1"), oneMore("2, 2, 6"),
            oneMore("2, NULL, 6"), oneMore("1, 1, 1"), oneMore("0, 2, 9"),
        ])
    func history(isTold: Bool, mistake: String) throws {
        try expectCaught(FaultyPlanner(Self.planner, mistake: mistake, isTold: isTold, moment: .history), "\(mistake)")
    }

    @Test(
        "a change beside the history:",
        arguments: [
            "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 5", "UPDATE ZDEVICESETTINGS SET Z_OPT = 2",
            "DELETE FROM ZBOOKMARK WHERE Z_PK = 1", "UPDATE ZBOOKMARK SET ZTITLE = 'b'",
            "DELETE FROM ANSCKRECORDMETADATA WHERE Z_PK = 91",
            "UPDATE ANSCKRECORDMETADATA SET ZNEEDSCLOUDDELETE = 1 WHERE Z_PK = 91",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Bookmark'", "DELETE FROM Z_MODELCACHE",
        ])
    func elsewhere(mistake: String) throws {
        try expectCaught(FaultyPlanner(Self.planner, mistake: mistake, moment: .history), "\(mistake)")
    }

    @Test("a plan that leaves one out, or deletes what is there")
    func plans() throws {
        var planner = FaultyPlanner(Self.planner, moment: .history)
        planner.spoil = { $0.cloudDeletions.removeLast() }
        try expectCaught(planner, "one less")
        for (entity, number, row) in [("Bookmark", 1, 1), ("DeviceSettings", 2, 5)] as [(String, Int64, Int64)] {
            planner.spoil = {
                $0.cloudDeletions.append(
                    CloudDeletion(entity: entity, entityNumber: number, row: row, cloudRecord: nil))
            }
            try expectCaught(planner, "\(entity)")
        }
    }

    @Test("nothing where there is no mistake, in any order of the plan")
    func correct() throws {
        var planner = FaultyPlanner(Self.planner, moment: .history)
        planner.spoil = { $0.cloudDeletions.reverse() }
        try planner.expectDone(in: .orphans)
    }

    private func expectCaught(
        _ planner: FaultyPlanner<FixPlanner>, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try planner.expectCaught(in: .orphans, comment, sourceLocation: sourceLocation)
    }
}
