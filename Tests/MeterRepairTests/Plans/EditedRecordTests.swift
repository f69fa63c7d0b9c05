import CoreDataStore
import JSON
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("a plan that somebody edited so that a record")
struct EditedRecordTests {
    private static let moment = FixtureClock.now - 10_000

    /// Rows 3 and 7 of one meter; 7 is kept, and 3 has the later lock, the later discovery and the earlier creation.
    static let records = [
        Meters.pair[0].locked(by: .anasPhone, at: moment).with {
            $0.lastSeenAt = moment
            $0.lastSeenByDeviceID = "seen-by-3"
            $0.lastSeenByDeviceName = "Three"
            $0.createdAt = FixtureClock.now - 2000.5
            $0.extra["price"] = .real(5)
        },
        Meters.pair[1].locked(by: .anasPhone, at: moment - 500).with {
            $0.lastSeenAt = moment - 500
            $0.lastSeenByDeviceID = "seen-by-7"
            $0.lastSeenByDeviceName = "Seven"
        },
        Meters.healthy,
    ]

    static let fixture = StoreFixture(records: records).with {
        $0.extraAttributes = [Attribute("price", .double)]
        $0.marker = nil
    }

    /// The place of the change of a field, in the first change of a record.
    private static func place(_ name: String, in lines: PlanLines) throws -> String {
        let line = try #require(lines.number(of: "insert") ?? lines.number(of: "update"))
        let index = (0..<30).first { lines.at("\(line).fields[\($0)].name") == .string(name) }
        return "\(line).fields[\(try #require(index, "the plan does not change \(name)"))]"
    }

    private func expectRefused(
        _ planner: some Planner, _ fixture: StoreFixture = Self.fixture, saying text: String,
        _ edit: (PlanLines) throws -> PlanLines, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let bench = try PlanBench(fixture)
        try bench.plan(planner)
        let edited = try edit(bench.lines)
        #expect(try edited != bench.lines, sourceLocation: sourceLocation)
        try bench.write(edited)
        let before = try bench.store.snapshot()
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try bench.apply() }
        #expect(error?.kind == .damaged, sourceLocation: sourceLocation)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "nothing")", sourceLocation: sourceLocation)
        #expect(try bench.store.snapshot().hasSameBytes(as: before), sourceLocation: sourceLocation)
    }

    @Test("is as the planner has it is applied")
    func unedited() throws {
        let bench = try PlanBench(Self.fixture)
        try bench.plan(PlanBench.rebuilding)
        for name in ["connectedAt", "lastSeenAt", "createdAt", "price", "updatedAt"] {
            _ = try Self.place(name, in: bench.lines)
        }
        #expect(try bench.apply().outcome == .applied)
    }

    @Test(
        "has half a lock, or half a discovery, is refused",
        arguments: ["connectedAt", "connectedExpiryAt", "lastSeenAt", "lastSeenByDeviceID", "lastSeenByDeviceName"])
    func torn(field: String) throws {
        for value in [nil, JSONValue.null] {
            try expectRefused(PlanBench.rebuilding, saying: "from one record, and `\(field)` is not the one of row 3") {
                let place = try Self.place(field, in: $0)
                return value == nil ? $0.with(place, nil) : $0.with(place + ".after", value)
            }
        }
    }

    @Test("that has a torn lock already is left with it is applied")
    func tornBefore() throws {
        let torn = Self.fixture.with {
            $0.records[0].connectedAt = nil
            $0.records[0].connectedExpiryAt = nil
            $0.records[0].connectedByDeviceID = nil
            $0.records[0].connectedByDeviceName = nil
            $0.records[1].connectedExpiryAt = nil
        }
        let bench = try PlanBench(torn)
        try bench.plan(PlanBench.rebuilding)
        #expect(try bench.apply().findings.all.contains { $0.id == "lock-torn" })
    }

    @Test("has another creation date than a record of the meter, or keeps its clock, is refused")
    func dates() throws {
        try expectRefused(PlanBench.rebuilding, saying: "`createdAt` is not the one of row 3") {
            $0.with(try Self.place("createdAt", in: $0) + ".after", "1999-01-01T00:00:00Z")
        }
        try expectRefused(PlanBench.rebuilding, saying: "moves its `updatedAt`, and row 7's would stay") {
            $0.with(try Self.place("updatedAt", in: $0), nil)
        }
        try expectRefused(PlanBench.rebuilding, saying: "`updatedAt` is neither the moment at which the plan was made")
        {
            $0.with(try Self.place("updatedAt", in: $0) + ".after", "2199-01-01T00:00:00Z")
        }
    }

    @Test(
        "has one of two values of an attribute that meterfix does not know is applied where a conflict names the other")
    func unknownConflict() throws {
        let fixture = Self.fixture.with { $0.records[1].extra["price"] = .real(7) }
        let bench = try PlanBench(fixture)
        try bench.plan(PlanBench.rebuilding)
        let index = try #require(
            try bench.lines.values.firstIndex { $0["kind"] == "conflict" && $0["field"] == "price" })
        #expect(
            try bench.apply().plan?.conflicts.first { $0.field.name == "price" }?.dropped.map(\.value) == [.real(5)])
        #expect(try bench.store.column("ZPRICE") == ["5: NULL", "7: 7.0"])

        try expectRefused(
            PlanBench.rebuilding, fixture, saying: "would be lost: row 7 does not take it, and no conflict"
        ) {
            $0.with("\(index + 1)", nil)
        }
    }

    @Test("loses an attribute that meterfix does not know is refused")
    func unknownAttribute() throws {
        let bench = try PlanBench(Self.fixture)
        try bench.plan(PlanBench.rebuilding)
        try bench.write(try bench.lines.with(Self.place("price", in: bench.lines), nil))
        let error = #expect(throws: StoreError.self) { try bench.apply() }
        #expect(
            error?.message
                == "not a plan that can be carried out: line 5: `price` of row 3 would be lost: row 7 has none "
                + "and does not take it")
    }

    @Test("takes the value of another meter's is refused")
    func otherMeter() throws {
        try expectRefused(PlanBench.rebuilding, saying: "row 5, whose value is taken, is not a record of this meter") {
            $0.with(try Self.place("meterName", in: $0) + ".fromRow", .integer(5))
        }
    }

    @Test("is unlocked but for a part is refused")
    func unlocked() throws {
        let locked = StoreFixture(records: [Meters.healthy.locked(by: .anasPhone, at: Self.moment)])
        let address = MACAddress.parse(Meters.healthy.macAddress!)!.0
        try expectRefused(
            UnlockPlanner(address, force: true), locked,
            saying: "a lock is cleared as a whole, and `connectedExpiryAt` of row 5 would stay"
        ) { $0.with(try Self.place("connectedExpiryAt", in: $0), nil) }
    }

    @Test(
        "is new and not as a new one begins is refused:",
        arguments: [
            ("id", "a new record without `id`"), ("createdAt", "a new record without `createdAt`"),
            ("updatedAt", "a new record without `updatedAt`"),
        ])
    func new(field: String, message: String) throws {
        try expectRefused(PlanBench.importing, PlanBench.fixture, saying: "line 2: \(message)") {
            $0.with(try Self.place(field, in: $0), nil)
        }
        try expectRefused(
            PlanBench.importing, PlanBench.fixture,
            saying: "line 2: `\(field)` is not what a new record begins with"
        ) {
            $0.with(
                try Self.place(field, in: $0) + ".after",
                field == "id" ? "00000000-0000-0000-0000-000000000005" : "1999-01-01T00:00:00Z")
        }
    }

    @Test("has a unit that nobody chose is refused")
    func unit() throws {
        let planner = ImportPlanner(
            ImportBench.values(names: [:], units: [Meters.healthy.macAddress!: "celsius"]),
            sha256: String(repeating: "5a", count: 32),
            policy: .keep)
        try expectRefused(
            planner, PlanBench.fixture,
            saying:
                "line 3: `tc66TemperatureUnit` would be a temperature unit that is neither celsius nor fahrenheit"
        ) { $0.with(try Self.place("tc66TemperatureUnit", in: $0) + ".after", "kelvin") }
    }

    @Test("keeps another value than a conflict says is refused")
    func conflict() throws {
        let keeping = ImportPlanner(
            ImportBench.values(names: [Meters.healthy.macAddress!: "Atelier", "0A:1B:2C:3D:4E:5F": "Garage"]),
            sha256: String(repeating: "5a", count: 32), policy: .keep)
        for planner in [PlanBench.importing, keeping] {
            try expectRefused(
                planner, PlanBench.fixture, saying: ", kept: no record of this meter has this value after"
            ) { $0.with("\(try #require($0.number(of: "conflict"))).kept", "Attic") }
        }
        try expectRefused(PlanBench.importing, PlanBench.fixture, saying: ", dropped: the row has another") {
            $0.with("\(try #require($0.number(of: "conflict"))).dropped[0].value", "Attic")
        }
    }
}
