import CoreDataStore
import JSON
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the plan of a cure is refused where an edit makes it something else:")
struct CurePlanTests {
    private func expectRefused(
        _ cure: Cure, _ place: String, _ value: JSONValue?, _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let test = try #require(CureCase.all.first { $0.cure == cure })
        let bench = try PlanBench(test.fixture)
        try bench.plan(FixPlanner([cure]))
        try bench.write(bench.lines.with(place, value))
        let before = try bench.store.snapshot()
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            try bench.apply { $0.force = true }
        }
        #expect(
            error?.kind == .damaged && error?.message.contains(message) == true, "\(error?.message ?? "")",
            sourceLocation: sourceLocation)
        #expect(try bench.store.snapshot().hasSameBytes(as: before), sourceLocation: sourceLocation)
    }

    @Test("numbers of Core Data that the store does not need")
    func numbers() throws {
        try expectRefused(.primaryKeyBehind, "2.after", .integer(9), "needs no such last row number")
        try expectRefused(.primaryKeyBehind, "2.number", .integer(2), "needs no such last row number")
        try expectRefused(.primaryKeyBehind, "1.command", "migrate", "")
        try expectRefused(
            .entityNumberMismatch, "2.after", .integer(1), "no such row with the number of another entity")
        try expectRefused(.entityNumberMismatch, "2.row", .integer(3), "no such row with the number of another entity")
        try expectRefused(.entityNumberMismatch, "2.statement", "DELETE FROM ZDEVICESETTINGS", "not the statement")
    }

    @Test("another id, another unit, and JSON that can be read")
    func records() throws {
        let id = JSONValue.string(FixtureUUID(5).text)
        try expectRefused(.idDuplicate, "3.fields[0].after", id, "is not one that follows from the record")
        try expectRefused(.idMissing, "3.fields[0].after", id, "is not one that follows from the record")
        try expectRefused(.unitUnknown, "3.fields[0].after", "celsius", "not the unit that was there")
        try expectRefused(.metadataBlobMalformed, "3.fields[1].after", "{}", "`unreadable` only clears")
        try expectRefused(.unitUnknown, "3.fields[0].rule", "unreadable", "does not decide `tc66TemperatureUnit`")
        try expectRefused(.lockExpired, "3.fields[1]", nil, "a lock is cleared as a whole")
    }

    @Test("a marker in a store that needs a rebuild, and another one")
    func marker() throws {
        try expectRefused(.rebuildMarkerOld, "2.after", .integer(4), "no command puts this under")
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        var lines = try bench.lines
        let marker = try #require(lines.number(of: "metadata"))
        let (head, end) = (lines.values[0], lines.values[lines.values.count - 1])
        lines.values = [head, lines.values[marker - 1], end]
        lines = lines.with("1.command", "fix").with("1.options.winner", nil).with(
            "1.options.ids", "rebuild-marker-missing"
        )
        .with("3.lines", .integer(3))
        try bench.write(lines)
        let error = #expect(throws: StoreError.self) { try bench.apply { $0.force = true } }
        #expect(
            error?.message.contains("only a rebuild marks a store that needs one") == true, "\(error?.message ?? "")")
    }
}
