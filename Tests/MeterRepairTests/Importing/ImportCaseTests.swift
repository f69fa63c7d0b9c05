import CoreDataStore
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the letter case of what an import creates")
struct ImportCaseTests {
    private static let lower = ["a4:c1:38:0b:7e:21": "Kitchen", "d0:5f:b8:26:c3:91": "Camper"]

    private func addresses(_ bench: TestStore) throws -> [[FixtureValue]] {
        try bench.rows("SELECT ZMACADDRESS FROM ZDEVICESETTINGS ORDER BY ZMACADDRESS")
    }

    @Test("is the dump's in a new store, and the report has it too")
    func newStore() throws {
        let bench = try TestStore()
        let planned = try bench.importing(names: Self.lower, creates: true, isDryRun: true)
        #expect(planned.letterCase == .lower)
        let report = try bench.importing(names: Self.lower, creates: true)
        #expect(report.letterCase == .lower && report.plan == planned.plan)
        #expect(try addresses(bench) == [["a4:c1:38:0b:7e:21"], ["d0:5f:b8:26:c3:91"]])
        // Again: nothing is left to do.
        #expect(try bench.importing(names: Self.lower).outcome == .unchanged)
    }

    @Test("is the dump's where no address of the store has a letter, and is told by most addresses of the dump")
    func noRule() throws {
        let record = FixtureRecord(row: 1, macAddress: "00:15:06:00:30:18", meterName: "Lab")
        let bench = try TestStore(StoreFixture(records: [record]))
        try bench.importing(names: Self.lower.merging(["88:4A:18:C7:D1:54": "Desk"]) { $1 })
        #expect(
            try addresses(bench) == [
                ["00:15:06:00:30:18"], ["88:4a:18:c7:d1:54"], ["a4:c1:38:0b:7e:21"], ["d0:5f:b8:26:c3:91"],
            ])
    }

    @Test("is the store's where it has one, and upper where neither tells")
    func rules() throws {
        let upper = FixtureRecord(row: 1, macAddress: "00:15:A6:00:30:18", meterName: "Lab")
        let bench = try TestStore(StoreFixture(records: [upper]))
        try bench.importing(names: ["a4:c1:38:0b:7e:21": "Kitchen"])
        #expect(try addresses(bench) == [["00:15:A6:00:30:18"], ["A4:C1:38:0B:7E:21"]])
        // Only addresses in pairs with colons tell a case.
        let bare = try TestStore()
        try bare.importing(names: ["a4c1380b7e21": "Kitchen"], creates: true)
        #expect(try addresses(bare) == [["A4:C1:38:0B:7E:21"]])
        let even = LegacyValues([
            DumpEntry(dictionary: .meterNames, key: "a4:c1:38:0b:7e:21", value: .text("Kitchen")),
            DumpEntry(dictionary: .meterNames, key: "D0:5F:B8:26:C3:91", value: .text("Camper")),
        ])
        #expect(even.letterCase == .upper)
    }

    @Test("is what was asked for, whatever the dump has")
    func requested() throws {
        let bench = try TestStore()
        var options = ChangeOptions(now: TestStore.now)
        options.letterCase = .upper
        let planner = ImportPlanner(TestStore.values(names: Self.lower), sha256: "5a", policy: .keep)
        _ = try LegacyImport.run(planner, on: bench.path, creates: true, options: options)
        #expect(try addresses(bench) == [["A4:C1:38:0B:7E:21"], ["D0:5F:B8:26:C3:91"]])
    }
}
