import CoreDataStore
import JSON
import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the plan of first aid")
struct FirstAidPlanTests {
    /// Rows 3 and 7 of one meter; 3 lacks the unit.
    private static let fixture = FirstAidPlannerTests.fixture

    @Test("says that it is, and leaves what first aid would have left", arguments: FirstAidPlannerTests.Place.allCases)
    func applied(place: FirstAidPlannerTests.Place) throws {
        let direct = try TestStore(place.fixture)
        let done = try direct.firstAid()
        let bench = try PlanBench(place.fixture)
        let planned = try bench.plan(FirstAidPlanner())
        // The notes name the store.
        #expect(planned.plan?.changes == done.plan?.changes && planned.summary == done.summary)
        #expect(try bench.lines.at("1.options.inUse") == "true")
        #expect(try bench.lines.at("1.command") == "rebuild")
        let applied = try bench.apply()
        #expect(applied.outcome == .applied && applied.inUse && applied.plan == planned.plan)
        #expect(try bench.store.text() == direct.text())
        #expect(try bench.apply().staleness?.isApplied == true)
    }

    private func expectRefused(
        saying text: String, _ edit: (PlanLines, Int) throws -> PlanLines,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let bench = try PlanBench(Self.fixture)
        try bench.plan(FirstAidPlanner())
        let line = try #require(try bench.lines.number(of: "update"))
        let edited = try edit(bench.lines, line)
        #expect(try edited != bench.lines, sourceLocation: sourceLocation)
        try bench.write(edited)
        try bench.expectRefused(saying: text, sourceLocation: sourceLocation)
    }

    @Test("that moves a clock, overwrites, deletes, or means another record is refused")
    func edited() throws {
        func field(_ name: String, _ before: JSONValue, _ after: JSONValue, rule: String, row: JSONValue) -> JSONValue {
            ["name": .string(name), "before": before, "after": after, "fromRow": row, "rule": .string(rule)]
        }
        try expectRefused(saying: ", fields: [") { lines, line in
            let updatedAt = try #require(lines.at("\(line - 1).values.updatedAt"))
            return lines.with(
                "\(line).fields[1]",
                field("updatedAt", updatedAt, "2026-11-21T12:00:00.000Z", rule: "now", row: .null))
        }
        try expectRefused(saying: ", fields: [") { lines, line in
            lines.with(
                "\(line).fields[1]",
                field("meterName", "Kitchen", "Cellar", rule: "newest-non-empty", row: JSONValue(7)))
        }
        try expectRefused(saying: "the plan has no such line") { lines, line in
            lines.adding([
                "kind": "metadata", "key": "cloudStoreRebuildVersion", "before": .null, "after": JSONValue(3),
            ])
        }
        // A rebuild is not made first aid by saying so, nor the other way round.
        try expectRefused(saying: "line 1, options: `winner` is missing") { lines, _ in
            lines.with("1.options.inUse", nil)
        }
        try expectRefused(saying: "line 3, row: 3 instead of 7") { lines, _ in
            lines.with("1.options.inUse", nil).with("1.options.winner", "newest")
        }
    }

    @Test("that fills a record which the app does not find is refused")
    func otherRecord() throws {
        let bench = try PlanBench(
            StoreFixture(records: [Meters.pair[0], Meters.pair[0].with { $0.row = 4 }, Meters.pair[1]]))
        try bench.plan(FirstAidPlanner())
        let line = try #require(try bench.lines.number(of: "update"))
        try bench.write(
            bench.lines.with("\(line).row", JSONValue(4)).with("\(line - 1).row", JSONValue(4)))
        try bench.expectRefused(saying: "line 2, row: 4 instead of 3")
    }
}
