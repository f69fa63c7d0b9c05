import CoreDataStore
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

/// Laws over stores that nobody thought of. A failure names its seed.
@Suite("the cures of any store, without a rebuild")
struct CureLawTests {
    private static let seeds = LawSeeds.first(20)
    private static let cures = WholeRepair(except: ["duplicate-mac"])

    static func fixture(seed: UInt64) -> StoreFixture {
        var generator = SeededGenerator(seed: seed &+ 0xC0DE)
        let units = ["F", " °C ", "Fahrenheit", "kelvin", "celsius"]
        let records = RandomStores.records(seed: seed).map { record in
            record.with {
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    $0.tc66TemperatureUnit = units.randomElement(using: &generator)
                }
            }
        }
        return StoreFixture(records: records).with {
            $0.mirror = seed % 3 == 0 ? .none : .current
            $0.lockEncoding = [.flat, .both, .blob][Int(seed % 3)]
            $0.marker = [nil, 2, 3, 4][Int(seed % 4)]
            $0.journalMode = seed % 2 == 0 ? .wal : .delete
        }.damaged(
            seed % 5 == 0
                ? "UPDATE ZDEVICESETTINGS SET Z_ENT = 7 WHERE Z_PK % 3 = 0; UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = 1"
                : "SELECT 1")
    }

    /// What the user typed, by row; a unit by what it means.
    private func typed(_ store: TestStore) throws -> [Int64: [String]] {
        try store.cells().mapValues { row in
            ["ZMACADDRESS", "ZMETERNAME", "ZMODELTYPE", "ZTC66TEMPERATUREUNIT"].map { column in
                let value = row[column] ?? ""
                let text = value.hasPrefix("'") ? String(value.dropFirst().dropLast()) : value
                return column == "ZTC66TEMPERATUREUNIT"
                    ? TemperatureUnit(understanding: text)?.rawValue ?? value : value
            }
        }
    }

    @Test("changes nothing the second time, and nothing that a user typed", arguments: seeds)
    func once(seed: UInt64) throws {
        let store = try TestStore(Self.fixture(seed: seed))
        let before = try typed(store)
        try store.fix(Self.cures)
        let done = try store.text()
        #expect(done.isIntact)
        #expect(try typed(store) == before)
        #expect(try store.fix(Self.cures).outcome == .unchanged)
        #expect(try store.text() == done)
    }

    @Test("leaves what a rebuild then keeps as it was", arguments: seeds)
    func rebuilt(seed: UInt64) throws {
        let (fixed, plain) = (try TestStore(Self.fixture(seed: seed)), try TestStore(Self.fixture(seed: seed)))
        try fixed.fix(Self.cures)
        try fixed.rebuild()
        try plain.rebuild()
        #expect(try typed(fixed) == typed(plain))
    }

    @Test("after a rebuild leaves none of its findings, but for units that nobody understands", arguments: seeds)
    func findings(seed: UInt64) throws {
        let store = try TestStore(Self.fixture(seed: seed))
        try store.rebuild()
        // A lock of that moment is taken for one that is in use.
        let report = try store.fix(WholeRepair(force: true))
        let ids = Set(FixPlanner.idsOfAll)
        let left = report.findings.filter { ids.contains($0.id) }
        #expect(left.allSatisfy { $0.id == "unit-unknown" && $0.message.contains("kelvin") }, "\(left.map(\.message))")
        // One note says of each which it is.
        #expect(report.plan.notes.count { $0.contains("is not understood") } == left.count)
    }
}
