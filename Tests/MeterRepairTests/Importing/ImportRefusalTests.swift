import CoreDataStore
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("an import is refused, and every file stays as it was:")
struct ImportRefusalTests {
    struct Refused: CustomTestStringConvertible {
        let testDescription: String
        let kind: StoreError.Kind
        let says: String
        let fixture: StoreFixture
    }

    private static let fixture = StoreFixture(records: [Meters.healthy])

    static let cases = [
        Refused(
            testDescription: "an older store that has no place for the units", kind: .unsuitable,
            says: "DeviceSettings has no attribute tc66TemperatureUnit here, and the dump has 1 values",
            fixture: fixture.with { older in
                older.modelCache = .absent
                var entity = older.model.entities[0]
                entity.attributes.removeAll { $0.name == "tc66TemperatureUnit" }
                older.hashedModel = ManagedObjectModel(entities: [entity])
            }
            .damaged("ALTER TABLE ZDEVICESETTINGS DROP COLUMN ZTC66TEMPERATUREUNIT")),
        Refused(
            testDescription: "a mirrored store without history", kind: .unsuitable, says: "has no history",
            fixture: fixture.with {
                $0.mirror = .current
                $0.history = .none
            }),
        Refused(
            testDescription: "a history in an unknown format", kind: .unsuitable,
            says: "history tables have a format that meterfix does not know",
            fixture: fixture.damaged("DROP TABLE ATRANSACTION")),
        Refused(
            testDescription: "row numbers at their end", kind: .unsuitable, says: "no row number is left",
            fixture: fixture.damaged(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = \(Int64.max) WHERE Z_NAME = 'DeviceSettings'")),
        Refused(
            testDescription: "one row number left for two records", kind: .unsuitable, says: "no row number is left",
            fixture: fixture.damaged(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = \(Int64.max - 1) WHERE Z_NAME = 'DeviceSettings'")),
        Refused(
            testDescription: "a child entity", kind: .unsuitable, says: "shares its table",
            fixture: fixture.damaged(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (2, 'Special', 1, 0)")),
    ]

    @Test("with and without a log beside the store", arguments: cases)
    func refusals(_ refused: Refused) throws {
        let values = TestStore.values(
            names: ["D0:5F:B8:26:C3:91": "Wohnmobil", "D0:5F:B8:26:C3:92": "Boot"],
            units: ["D0:5F:B8:26:C3:91": "celsius"])
        for placement in [StoreFixture.LogPlacement.checkpointed, .rowsInLogOnly] {
            let store = try TestStore(refused.fixture.with { $0.logPlacement = placement })
            for isDryRun in [true, false] {
                var options = ChangeOptions(now: TestStore.now)
                options.isDryRun = isDryRun
                let error = try store.refusal {
                    try LegacyImport.run(
                        ImportPlanner(values, sha256: "5a", policy: .keep), on: store.path, creates: false,
                        options: options)
                }
                #expect(error.kind == refused.kind)
                #expect(error.message.contains(refused.says), "\(error.message)")
            }
        }
    }
}
