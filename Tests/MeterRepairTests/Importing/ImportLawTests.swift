import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite struct ImportLawTests {
    /// A dump about half of the meters of `records`, and two meters the store does not know.
    private static func dump(_ records: [FixtureRecord], seed: UInt64) -> (
        names: [String: String], units: [String: String]
    ) {
        var generator = SeededGenerator(seed: seed &+ 77)
        var names = ["0A:1B:2C:3D:4E:5F": "Wohnmobil"]
        var units = ["0a1b2c3d4e60": "celsius"]
        let addresses = Set(records.compactMap { $0.macAddress.flatMap { MACAddress.parse($0)?.address } })
        for address in addresses.sorted() where !address.isPlaceholder {
            let key = address.text(in: .upper)
            if Bool.random(using: &generator) {
                names[key] = ["Lab TC66", "iPad", "Atelier", "Kitchen charger"].randomElement(using: &generator)!
            }
            if Bool.random(using: &generator) {
                units[key] = ["celsius", "fahrenheit"].randomElement(using: &generator)!
            }
        }
        return (names, units)
    }

    private static func fixture(_ records: [FixtureRecord], seed: UInt64) -> StoreFixture {
        StoreFixture(.v2, records: records).with {
            $0.lockEncoding = [.flat, .blob, .both][Int(seed % 3)]
            $0.mirror = [.none, .current, .oldest][Int(seed / 3 % 3)]
            $0.historyToken = RandomStores.historyToken(seed: seed, transactions: records.count)
        }
    }

    /// All rows, but for what the order of two commands may change.
    private static let content = """
        SELECT * FROM ZDEVICESETTINGS ORDER BY ZID, ZMACADDRESS, ZMETERNAME, ZTC66TEMPERATUREUNIT, ZCREATEDAT, Z_PK
        """

    private func content(_ bench: TestStore) throws -> [[FixtureValue]] {
        let columns = try bench.rows("SELECT name FROM pragma_table_info('ZDEVICESETTINGS')").map { $0[0] }
        return try bench.rows(Self.content).map { row in
            zip(columns, row).filter { !["Z_PK", "Z_OPT", "ZUPDATEDAT"].contains($0.0) }.map(\.1)
        }
    }

    @Test("an import and a rebuild come to the same, whichever is first", arguments: ImportConflictPolicy.allCases)
    func importRebuild(policy: ImportConflictPolicy) throws {
        for seed in LawSeeds.first(25) {
            let records = RandomStores.records(seed: seed, meters: 4)
            let (names, units) = Self.dump(records, seed: seed)
            let first = try TestStore(Self.fixture(records, seed: seed))
            try first.importing(names: names, units: units, policy: policy)
            try first.rebuild()
            let second = try TestStore(Self.fixture(records, seed: seed))
            try second.rebuild()
            try second.importing(names: names, units: units, policy: policy)
            let (left, right) = (try content(first), try content(second))
            #expect(left == right, "seed \(seed)")
        }
    }

    @Test("importing twice leaves the files as they are", arguments: ImportConflictPolicy.allCases)
    func importingTwice(policy: ImportConflictPolicy) throws {
        for seed in LawSeeds.first(12) {
            let records = RandomStores.records(seed: seed, meters: 4)
            let (names, units) = Self.dump(records, seed: seed)
            let bench = try TestStore(Self.fixture(records, seed: seed))
            let report = try bench.importing(names: names, units: units, policy: policy)
            #expect(report.outcome == .applied, "seed \(seed)")
            let files = try bench.snapshot().contents
            let again = try bench.importing(names: names, units: units, policy: policy)
            #expect(again.outcome == .unchanged, "seed \(seed)")
            #expect(try bench.snapshot().contents == files, "seed \(seed)")
        }
    }

    @Test("a dry run tells what the real run does, and touches no file", arguments: ImportConflictPolicy.allCases)
    func dryRun(policy: ImportConflictPolicy) throws {
        for seed in LawSeeds.first(8) {
            let records = RandomStores.records(seed: seed, meters: 4)
            let (names, units) = Self.dump(records, seed: seed)
            let bench = try TestStore(Self.fixture(records, seed: seed))
            let files = try bench.snapshot().contents
            let planned = try bench.importing(names: names, units: units, policy: policy, isDryRun: true)
            #expect(try bench.snapshot().contents == files, "seed \(seed)")
            let applied = try bench.importing(names: names, units: units, policy: policy)
            #expect(planned.outcome == .planned)
            #expect(applied.plan == planned.plan, "seed \(seed)")
            #expect(applied.summary == planned.summary, "seed \(seed)")
            #expect(applied.findings == planned.findings, "seed \(seed)")
        }
    }

    @Test("the order of two dumps that do not disagree does not matter")
    func orderTwo() throws {
        for seed in LawSeeds.first(8) {
            let records = RandomStores.records(seed: seed, meters: 4)
            let (names, units) = Self.dump(records, seed: seed)
            let first = try TestStore(Self.fixture(records, seed: seed))
            try first.importing(names: names)
            try first.importing(units: units)
            let second = try TestStore(Self.fixture(records, seed: seed))
            try second.importing(units: units)
            try second.importing(names: names)
            let byAddress = "SELECT ZMACADDRESS, ZMETERNAME, ZTC66TEMPERATUREUNIT FROM ZDEVICESETTINGS ORDER BY 1, 2, 3"
            #expect(try first.rows(byAddress) == second.rows(byAddress), "seed \(seed)")
        }
    }

    @Test("a dump never takes a value from a record of its own")
    func dumpNever() throws {
        for seed in LawSeeds.first(12) {
            // One record a meter: duplicates take the newest value of each other, as a rebuild would.
            var seen: Set<MACAddress> = []
            let records = RandomStores.records(seed: seed, meters: 8).filter { record in
                guard let address = record.macAddress.flatMap({ MACAddress.parse($0)?.address }) else { return true }
                return seen.insert(address).inserted
            }
            let (names, units) = Self.dump(records, seed: seed)
            let bench = try TestStore(Self.fixture(records, seed: seed))
            let select = "SELECT Z_PK, ZMETERNAME, ZTC66TEMPERATUREUNIT, ZMODELTYPE FROM ZDEVICESETTINGS ORDER BY Z_PK"
            let before = try bench.rows(select)
            try bench.importing(names: names, units: units)
            for (old, new) in zip(before, try bench.rows(select)) {
                for (was, value) in zip(old, new) {
                    if case .text(let text) = was, text.contains(where: { !$0.isWhitespace }) {
                        #expect(value == was, "seed \(seed)")
                    }
                }
            }
        }
    }
}
