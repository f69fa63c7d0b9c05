import CoreDataStore
import GRDB
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("where no cached model says what refers to a record,")
struct UnknownRelationshipTests {
    /// Row 3 goes, row 7 is kept.
    private static func fixture(_ cache: StoreFixture.ModelCache, referringTo row: Int) -> StoreFixture {
        var reading = Entity("Reading", attributes: [Attribute("volts", .double), Attribute("count", .integer32)])
        reading.relationships = [Relationship("meter", to: "DeviceSettings")]
        return StoreFixture(records: Meters.pair).with {
            $0.extraEntities = [reading]
            $0.modelCache = cache
            $0.damage = {
                try $0.execute(
                    sql: "INSERT INTO ZREADING (Z_PK, Z_ENT, Z_OPT, ZMETER, ZVOLTS) VALUES (1, 2, 1, \(row), 3)")
            }
        }
    }

    @Test(
        "a record that something may refer to is deleted only with --force",
        arguments: [
            StoreFixture.ModelCache.empty, .absent,
        ])
    func refused(cache: StoreFixture.ModelCache) throws {
        let store = try TestStore(Self.fixture(cache, referringTo: 3))
        let before = try store.snapshot()
        let error = #expect(throws: StoreError.self) { try store.rebuild() }
        #expect(error?.kind == .unsuitable)
        #expect(
            error?.message == "deleting row 3 could break a relationship: ZMETER of ZREADING has that number, and "
                + "without a cached model nobody can tell what it means")
        #expect(error?.hint?.contains("--force") == true)
        #expect(try store.snapshot().hasSameBytes(as: before))
        #expect(try store.rebuild(force: true).outcome == .applied)
    }

    @Test("an unreadable model counts as none, and a join table as a reference")
    func join() throws {
        let store = try TestStore(
            Self.fixture(.present, referringTo: 7).with { fixture in
                let damage = fixture.damage
                fixture.damage = {
                    try damage?($0)
                    try $0.execute(
                        sql: """
                            UPDATE Z_MODELCACHE SET Z_CONTENT = X'00';
                            CREATE TABLE Z_2METERS (Z_2READINGS INTEGER, Z_1METERS INTEGER, PRIMARY KEY (Z_2READINGS, Z_1METERS));
                            INSERT INTO Z_2METERS VALUES (1, 3)
                            """)
                }
            })
        let error = #expect(throws: StoreError.self) { try store.rebuild() }
        #expect(error?.message.contains("Z_1METERS of Z_2METERS") == true, "\(error?.message ?? "")")
    }

    @Test("nothing is in the way of what nobody refers to")
    func accepted() throws {
        #expect(try TestStore(Self.fixture(.empty, referringTo: 7)).rebuild().outcome == .applied)
        let alone = StoreFixture(records: Meters.pair).with { $0.modelCache = .absent }
        #expect(try TestStore(alone).rebuild().outcome == .applied)
    }
}
