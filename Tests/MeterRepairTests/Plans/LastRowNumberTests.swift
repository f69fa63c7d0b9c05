import CoreDataStore
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("where the largest row number was handed out")
struct LastRowNumberTests {
    private static let maximum = "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'DeviceSettings'"
    private static let lastButOne =
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775806 WHERE Z_NAME = 'DeviceSettings'"

    private static func importing(_ names: [String: String]) -> ImportPlanner {
        ImportPlanner(
            TestStore.values(names: names), sha256: String(repeating: "5a", count: 32), policy: .replace)
    }

    private static let newMeter = "0A:1B:2C:3D:4E:5F"

    @Test("what makes no record is done")
    func plan() throws {
        for planner in [PlanBench.rebuilding as any Planner, Self.importing([Meters.healthy.macAddress!: "Atelier"])] {
            let store = try TestStore(PlanBench.fixture)
            try store.execute(Self.maximum)
            #expect(try ChangeRun.run(planner, on: store.path, options: PlanBench.options).outcome == .applied)
        }
    }

    @Test("no record is made")
    func insertion() throws {
        let store = try TestStore(PlanBench.fixture)
        try store.execute(Self.maximum)
        let error = #expect(throws: StoreError.self) {
            try ChangeRun.run(
                Self.importing([Self.newMeter: "Garage"]), on: store.path, options: PlanBench.options)
        }
        #expect(error?.kind == .unsuitable && error?.message == "no row number is left for a new record")
    }

    @Test("but one, the last is handed out to a new record, and to one that comes back")
    func last() throws {
        let store = try TestStore(PlanBench.fixture)
        try store.rebuild { $0.makesBackup = true }
        try store.execute(Self.lastButOne)
        let restored = try RestoreRecord.run(
            MACAddress.parse(Meters.address)!.0, on: store.path, row: 3, entry: nil, options: PlanBench.options)
        #expect(restored.summary.inserted == 1)
        #expect(try store.column("ZMETERNAME").last == "9223372036854775807: 'Kitchen'")

        let other = try TestStore(PlanBench.fixture)
        try other.execute(Self.lastButOne)
        let report = try ChangeRun.run(
            Self.importing([Self.newMeter: "Garage"]), on: other.path, options: PlanBench.options)
        #expect(report.summary.inserted == 1)
        #expect(try other.column("ZMETERNAME").last == "9223372036854775807: 'Garage'")
    }
}
