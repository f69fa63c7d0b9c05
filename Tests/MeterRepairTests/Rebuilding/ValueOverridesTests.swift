import CoreDataStore
import JSON
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import MeterRepair

@Suite("a rebuild that keeps what a person chose")
struct ValueOverridesTests {
    private static let mac = MACAddress.parse(Meters.address)!.address

    /// Two records of one meter with two names and two units, and a third name in the log; and another meter.
    private static let fixture = PlanBench.fixture.with {
        $0.records[0].updatedAt = FixtureClock.now - 700.5
        $0.records[0].tc66TemperatureUnit = "fahrenheit"
        $0.records[1].meterName = " Lab bench "
        $0.records[1].updatedAt = FixtureClock.now - 800.5
        $0.savedInLog = [
            .update(7, ["meterName": "Attic"], at: FixtureClock.now - 790.5),
            .update(7, ["meterName": " Lab bench "], at: FixtureClock.now - 780.5),
        ]
    }

    private func chosen(
        _ store: TestStore, names: [String] = [], units: [String] = []
    ) throws -> ValueOverrides {
        let requests =
            names.map { ValueOverrideArgument($0, as: .meterName) }
            + units.map { ValueOverrideArgument($0, as: .tc66TemperatureUnit) }
        return try ValueOverrides(
            requests.map { try #require($0) }, in: store.path, folder: nil, now: TestStore.now)
    }

    private func error(_ store: TestStore, names: [String] = [], units: [String] = []) -> StoreError? {
        #expect(throws: StoreError.self) { try chosen(store, names: names, units: units) }
    }

    @Test("keeps it, byte for byte, in one change with its proof and its history; a second run changes nothing")
    func kept() throws {
        let store = try TestStore(Self.fixture)
        let asked = try chosen(store, names: ["\(Meters.address)=Lab bench"], units: ["Kitchen=celsius"])
        #expect(asked[Self.mac, .meterName] == .text(" Lab bench "))
        let planner = RebuildPlanner(policy: .mostComplete, choosing: asked)
        let report = try ChangeRun.run(planner, on: store.path, options: PlanBench.options)
        #expect(report.outcome == .applied && report.summary.conflicts == 2)
        #expect(try store.column("ZMETERNAME") == ["5: 'Lab'", "7: ' Lab bench '"])
        #expect(try store.column("ZTC66TEMPERATUREUNIT")[1] == "7: 'celsius'")
        #expect(try ChangeRun.run(planner, on: store.path, options: PlanBench.options).outcome == .unchanged)
    }

    @Test("takes a value that only the past has, and looking for it leaves no trace")
    func past() throws {
        let store = try TestStore(Self.fixture)
        let asked = try store.looking { try chosen(store, names: ["\(Meters.address.lowercased())=Attic"]) }
        _ = try ChangeRun.run(
            RebuildPlanner(policy: .newest, choosing: asked), on: store.path, options: PlanBench.options)
        #expect(try store.column("ZMETERNAME").joined().contains("'Attic'"))
    }

    @Test("names the values there are where nothing says that a record had it")
    func neverHad() throws {
        let store = try TestStore(Self.fixture)
        let name = try #require(error(store, names: ["\(Meters.address)=Garage"]))
        #expect(name.kind == .unsuitable && name.message.contains("\"Garage\""))
        #expect(
            name.hint?.contains("\"Kitchen\" (row 3)") == true && name.hint?.contains("\" Lab bench \" (row 7)") == true
        )
        #expect(error(store, units: ["\(Meters.address)=kelvin"])?.hint?.contains("\"fahrenheit\" (row 3)") == true)
        #expect(
            error(store, names: ["\(Meters.address)=Kitchen", "\(Meters.address)=Attic"])?.message.contains("both")
                == true)
        #expect(error(store, names: ["00:00:00:00:00:01=Kitchen"])?.kind == .unsuitable)
        #expect(error(store, names: ["Nobody=Kitchen"])?.message.contains("no meter is named") == true)
    }

    @Test("chooses only among several records: of one, what it has is kept and set gives another value")
    func oneRecord() throws {
        let store = try TestStore(
            StoreFixture(records: [Meters.healthy]).with {
                $0.savedInLog = [.update(5, ["meterName": "Attic"], at: FixtureClock.now - 5.5)]
            })
        let mac = try #require(Meters.healthy.macAddress)
        #expect(try chosen(store, names: ["\(mac)=Attic"]).all.count == 1)
        let refusal = try #require(error(store, names: ["\(mac)=Lab"]))
        #expect(refusal.hint?.contains("meterfix set \(mac) --name Lab") == true)
    }

    @Test("is read from the words as they are typed", arguments: ["", "x", "=x", "x=", " =x", "x= "])
    func words(_ words: String) {
        #expect(ValueOverrideArgument(words, as: .meterName) == nil)
        #expect(ValueOverrideArgument("A=B=C", as: .meterName)?.text == "B=C")
    }

    @Test("makes another plan than without it, and the same as without it where it is what is kept anyway")
    func plan() throws {
        let store = try TestStore(Self.fixture)
        func fingerprint(_ names: [String], _ units: [String] = []) throws -> PlanFingerprint? {
            var options = PlanBench.options
            options.isDryRun = true
            let asked = try chosen(store, names: names, units: units)
            return try ChangeRun.run(
                RebuildPlanner(policy: .mostComplete, choosing: asked), on: store.path, options: options
            ).fingerprint
        }
        let plain = try fingerprint([])
        #expect(try fingerprint(["\(Meters.address)=Attic"]) != plain)
        #expect(try fingerprint([], ["\(Meters.address)=celsius"]) != plain)
        #expect(try fingerprint([], ["\(Meters.address)=fahrenheit"]) == plain)
    }

    @Test("is what set and lost name for a meter with several records")
    func named() throws {
        let store = try TestStore(Self.fixture)
        func hint(_ name: String) -> String? {
            #expect(throws: StoreError.self) {
                try ChangeRun.run(
                    SetPlanner(Self.mac, name: name, unit: nil), on: store.path, options: PlanBench.options)
            }?.hint
        }
        #expect(hint("Lab bench")?.contains("meterfix rebuild --keep '\(Meters.address)= Lab bench '") == true)
        #expect(hint("New")?.contains("--keep \(Meters.address)=NAME") == true)
        let lost = try FormerValues.of(store.path, all: false, folder: nil, now: TestStore.now)
        let attic = try #require(lost.values.first { $0.value == .text("Attic") })
        #expect(lost.command(for: attic)?.words == "rebuild --keep \(Meters.address)=Attic")
    }

    @Test("is offered with each dropped value of a dry run, in the JSON too")
    func offered() throws {
        let store = try TestStore(Self.fixture)
        var options = PlanBench.options
        options.isDryRun = true
        var report = try ChangeRun.run(PlanBench.rebuilding, on: store.path, options: options)
        report.rebuildRequest = RebuildRequest()
        let json = try JSONValue(parsing: Array(report.text(pretty: false).utf8))
        let name = json.at("conflicts[0].field") == "meterName" ? 0 : 1
        let command = json.at("conflicts[\(name)].dropped[0].command")?.string
        #expect(command?.hasPrefix("meterfix rebuild --keep ") == true)
    }
}
