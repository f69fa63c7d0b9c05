import CoreDataStore
import JSON
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the plan of a cure is refused where an edit makes it something else:")
struct CurePlanTests {
    private func expectRefused(
        _ cure: FixableCheck, _ place: String, _ value: JSONValue?, _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let test = try #require(CureCase.all.first { $0.cure == cure })
        let bench = try PlanBench(test.fixture)
        try bench.plan(FixPlanner([cure]))
        try bench.write(bench.lines.with(place, value))
        try bench.expectRefused(saying: message, sourceLocation: sourceLocation)
    }

    @Test("numbers of Core Data that the store does not need")
    func numbers() throws {
        try expectRefused(.primaryKeyBehind, "2.after", .integer(9), "line 2, after: 9 instead of ")
        try expectRefused(.primaryKeyBehind, "2.number", .integer(2), "line 2, number: 2 instead of ")
        try expectRefused(
            .primaryKeyBehind, "1.command", "migrate", "`ids` is `primary-key-behind`, which `migrate` does not write")
        try expectRefused(
            .entityNumberMismatch, "2.after", .integer(1), "line 2, after: 1 instead of 2")
        try expectRefused(.entityNumberMismatch, "2.row", .integer(3), "line 2, row: 3 instead of 2")
        try expectRefused(.entityNumberMismatch, "2.statement", "DELETE FROM ZDEVICESETTINGS", "not the statement")
    }

    @Test("another id, another unit, and JSON that can be read")
    func records() throws {
        let id = JSONValue.string(FixtureUUID(5).text)
        try expectRefused(.idDuplicate, "3.fields[0].after", id, "line 3, fields[0].after: ")
        try expectRefused(.idMissing, "3.fields[0].after", id, "line 3, fields[0].after: ")
        try expectRefused(.unitUnknown, "3.fields[0].after", "kelvin", "not a value that `set` gives")
        try expectRefused(.metadataBlobMalformed, "3.fields[1].after", "{}", "line 3, fields[1].after: ")
        try expectRefused(.unitUnknown, "3.fields[0].rule", "unreadable", "line 3, fields[0].rule: ")
        try expectRefused(.lockExpired, "3.fields[1]", nil, "line 3, fields: [")
    }

    @Test("a marker in a store that needs a rebuild, and another one")
    func marker() throws {
        try expectRefused(.rebuildMarkerOld, "2.after", .integer(4), "line 2, after: 4 instead of 3")
        // Only a rebuild marks a store that needs one.
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        var lines = try bench.lines
        let marker = try #require(lines.number(of: "metadata"))
        lines.values = [lines.values[0], lines.values[marker - 1], lines.values[lines.values.count - 1]]
        lines = lines.with("1.command", "fix").with("1.options.winner", nil)
            .with("1.options.ids", "rebuild-marker-missing").with("3.lines", .integer(3))
        try bench.write(lines)
        try bench.expectRefused(saying: "line 2: the plan has no such line")
    }
}
