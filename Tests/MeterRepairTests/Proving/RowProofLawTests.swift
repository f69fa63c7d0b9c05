import CoreDataStore
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

/// `after == plan applied to before`, over stores and plans that nobody thought of. A failure names its seed.
@Suite("the equation of rows, for any store and its plan")
struct RowProofLawTests {
    private static func fixture(_ seed: UInt64) -> StoreFixture {
        StoreFixture(records: RandomStores.records(seed: seed)).with {
            $0.marker = nil
            $0.mirror = seed % 3 == 0 ? .none : .current
            $0.lockEncoding = [.flat, .both, .blob][Int(seed % 3)]
        }
    }

    @Test("notices one value of one row, whichever it is, that SQLite does not tell of", arguments: LawSeeds.first(12))
    func oneValue(seed: UInt64) throws {
        let fixture = Self.fixture(seed)
        let store = try TestStore(fixture)
        guard try store.rebuild({ $0.isDryRun = true }).outcome == .planned else { return }
        var generator = SeededGenerator(seed: seed)
        let columns = try #require(store.description().schema.tables["ZDEVICESETTINGS"]).columns.map(\.name)
            .filter { $0 != "Z_PK" }
        for _ in 1...4 {
            let column = try #require(columns.randomElement(using: &generator))
            let place = Int.random(in: 0..<fixture.records.count, using: &generator)
            let rows = "FROM ZDEVICESETTINGS ORDER BY Z_PK"
            let mistake = """
                UPDATE ZDEVICESETTINGS SET \(column) = CASE WHEN \(column) IS NULL THEN 0.5 ELSE NULL END WHERE Z_PK =
                (SELECT Z_PK \(rows) LIMIT 1 OFFSET \(place) % (SELECT COUNT(*) FROM ZDEVICESETTINGS))
                """
            try FaultyPlanner(mistake: mistake, isTold: false).expectCaught(in: fixture, "seed \(seed): \(mistake)")
        }
    }

    @Test("notices that a row is missing, or one is there too many", arguments: LawSeeds.first(6))
    func oneRow(seed: UInt64) throws {
        let fixture = Self.fixture(seed)
        guard try TestStore(fixture).rebuild({ $0.isDryRun = true }).outcome == .planned else { return }
        for mistake in [
            "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZDEVICESETTINGS)",
            "INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT) SELECT MAX(Z_PK) + 1, MAX(Z_ENT), 1 FROM ZDEVICESETTINGS",
        ] {
            try FaultyPlanner(mistake: mistake, isTold: false).expectCaught(in: fixture, "seed \(seed): \(mistake)")
        }
    }
}
