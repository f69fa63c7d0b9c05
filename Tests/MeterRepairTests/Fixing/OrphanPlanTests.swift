import CoreDataStore
import JSON
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the plan of a delete in CloudKit only")
struct OrphanPlanTests {
    private static let planner = FixPlanner([.mirrorOrphan])

    private func planned() throws -> PlanBench {
        let bench = try PlanBench(.orphans)
        #expect(try bench.plan(Self.planner).outcome == .planned)
        return bench
    }

    @Test("is carried out as the command itself would have done it, once")
    func applied() throws {
        let direct = try TestStore(.orphans)
        try OrphanFixTests.fix(direct)
        let bench = try planned()
        #expect(try PlanFile.read(bench.file).lines == OrphanFixTests.deletions.map { .change(.cloudDelete($0)) })
        #expect(try bench.apply { $0.isDryRun = true }.outcome == .planned)
        let report = try bench.apply()
        #expect(report.outcome == .applied && report.plan?.cloud.deletes == 3)
        #expect(try bench.store.text() == direct.text())
        let again = try bench.apply()
        #expect(again.outcome == .stale && again.staleness?.isApplied == true)
    }

    @Test("says of each record what it is and that it is gone")
    func line() throws {
        let lines = try planned().lines
        #expect(lines.values.count == 5)
        #expect(lines.at("1.options.ids") == "mirror-orphan")
        #expect(
            lines.values[2].text(pretty: false)
                == #"{"kind":"delete","entity":"Bookmark","entityNumber":1,"row":8,"mac":null,"cloudRecord":null,"gone":true}"#
        )
    }

    @Test(
        "is refused by a store that has changed since:",
        arguments: [
            "INSERT INTO ZBOOKMARK (Z_PK, Z_ENT, Z_OPT) VALUES (7, 1, 1)",
            "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 7",
        ])
    func stale(sql: String) throws {
        let bench = try planned()
        try bench.store.execute(sql)
        let report = try bench.apply { $0.force = true }
        #expect(report.outcome == .stale && report.staleness?.isApplied == false)
    }

    @Test("may be made shorter")
    func shorter() throws {
        let bench = try planned()
        try bench.write(bench.lines.with("3", nil).with("2", nil))
        #expect(try bench.apply().plan?.changes == [.cloudDelete(OrphanFixTests.deletions[2])])
        #expect(try OrphanFixTests.lastTransaction(bench.store) == ["2 2 6 NULL"])
    }

    @Test(
        "is refused where an edit makes it something else:",
        arguments: [
            .init("2.row", .integer(1), "line 2, row: 1 instead of "),
            .init("2.row", .integer(9), "line 2, row: 9 instead of "),
            .init("2.entity", "DeviceSettings", "line 2, entity: \"DeviceSettings\" instead of \"Bookmark\""),
            .init("2.entityNumber", .integer(2), "line 2, entityNumber: 2 instead of 1"),
            .init("2.cloudRecord", "EIGHT", "line 2, cloudRecord: \"EIGHT\" instead of "),
            .init("2.cloudRecord", .null, "line 2, cloudRecord: null instead of "),
            .init("2.row", .integer(8), "line 2, cloudRecord: \"SEVEN\" instead of null"),
            .init("2.row", .integer(0), "line 2, row: row numbers begin at 1"),
            .init("2.mac", "A4:C1:38:0B:7E:21", "line 2, mac: nobody knows the address"),
            .init("2.gone", .bool(false), "line 2, gone: not true"), .init("2.gone", nil, "line 2: "),
            .init("2.entityNumber", nil, "line 2: `entityNumber` is missing"),
            .init("2.mergedInto", .integer(5), "line 2: the key `mergedInto` has no meaning here"),
            .init("1.options.winner", "newest", "line 1, options: `winner` is `newest`"),
            .init("1.options.ids", "lock-torn", "line 2: the plan has no such line"),
            .init("1.options.ids", "sore-throat", "line 1, options: `sore-throat` is no finding that fix knows"),
            .init("1.command", "rebuild", "line 1, options: `winner` is missing"),
        ] as [EditedPlanTests.Edit])
    func edited(_ edit: EditedPlanTests.Edit) throws {
        let bench = try planned()
        try bench.write(edit.edited(bench.lines))
        try bench.expectRefused(saying: edit.flaw)
    }
}
