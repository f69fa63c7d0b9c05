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
        #expect(try PlanFile.read(bench.file).plan.changes == OrphanFixTests.deletions.map(Change.cloudDelete))
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

    private static let unknown = "the store has no such record metadata without an object"

    @Test(
        "is refused where an edit makes it something else:",
        arguments: [
            .init("2.row", .integer(1), "line 2: \(unknown)"), .init("2.row", .integer(9), "line 2: \(unknown)"),
            .init("2.entity", "DeviceSettings", "line 2: \(unknown)"),
            .init("2.entityNumber", .integer(2), "line 2: \(unknown)"),
            .init("2.cloudRecord", "EIGHT", "line 2: \(unknown)"), .init("2.cloudRecord", .null, "line 2: \(unknown)"),
            .init("2.row", .integer(8), "line 3, row: row 8 of Bookmark is deleted twice"),
            .init("2.row", .integer(0), "line 2, row: row numbers begin at 1"),
            .init("2.mac", "A4:C1:38:0B:7E:21", "line 2, mac: nobody knows the address"),
            .init("2.gone", .bool(false), "line 2, gone: not true"), .init("2.gone", nil, "line 2: "),
            .init("2.entityNumber", nil, "line 2: `entityNumber` is missing"),
            .init("2.mergedInto", .integer(5), "line 2: the key `mergedInto` has no meaning here"),
            .init("1.options.winner", "newest", "line 1, options: the key `winner` has no meaning here"),
            .init(
                [("1.command", "rebuild"), ("1.options.ids", nil)],
                "line 2, kind: `rebuild` plans no delete of what is gone"),
        ] as [EditedPlanTests.Edit])
    func edited(_ edit: EditedPlanTests.Edit) throws {
        let bench = try planned()
        try bench.write(edit.edited(bench.lines))
        let before = try bench.store.snapshot()
        let error = #expect(throws: StoreError.self) { try bench.apply { $0.force = true } }
        #expect(error?.kind == .damaged)
        #expect(error?.message.contains(edit.flaw) == true, "\(error?.message ?? "")")
        #expect(try bench.store.snapshot().hasSameBytes(as: before))
    }

    @Test("does not take a record that is there")
    func otherKinds() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        var lines = try bench.lines
        lines = lines.with("1.command", "fix").with("1.options.winner", nil).with("1.options.ids", "mirror-orphan")
        try bench.write(lines)
        let error = #expect(throws: StoreError.self) { try bench.apply() }
        #expect(error?.message.contains("`fix` decides nothing by `") == true, "\(error?.message ?? "")")
        // Without the update of what is kept, there is the delete.
        let update = try #require(lines.number(of: "update"))
        try bench.write(lines.with("\(update)", nil))
        let deletion = #expect(throws: StoreError.self) { try bench.apply() }
        #expect(deletion?.kind == .damaged)
    }
}
