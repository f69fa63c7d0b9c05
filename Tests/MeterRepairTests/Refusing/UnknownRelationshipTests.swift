import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterRepair
import MeterStore
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
        arguments: [StoreFixture.ModelCache.empty, .absent])
    func refused(cache: StoreFixture.ModelCache) throws {
        let store = try TestStore(Self.fixture(cache, referringTo: 3))
        let error = try store.refusal { try store.rebuild() }
        #expect(error.kind == .unsuitable)
        #expect(
            error.message == "deleting row 3 could break a relationship: ZMETER of ZREADING has that number, and "
                + "no cached model tells what it means")
        #expect(
            error.hint == "name the app's model with --model PATH, or use --force if that column is no relationship")
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

    private static let strange = [
        "CREATE TABLE app (id INTEGER PRIMARY KEY, meter INTEGER REFERENCES ZDEVICESETTINGS (Z_PK)); INSERT INTO app VALUES (1, 3)",
        "CREATE TABLE app (meter INTEGER REFERENCES zdevicesettings); INSERT INTO app VALUES (3)",
        "CREATE TABLE ZNOTES (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZMETER INTEGER); "
            + "INSERT INTO ZNOTES VALUES (1, 9, 1, 3); INSERT INTO Z_PRIMARYKEY VALUES (9, 'Notes', 0, 1)",
    ]

    @Test(
        "nor of a table that it does not have, or a key that somebody declared, is deleted either", arguments: strange)
    func unknownTable(_ sql: String) throws {
        let fixture = StoreFixture(records: Meters.pair).with { $0.damage = { try $0.execute(sql: sql) } }
        let store = try TestStore(fixture)
        let error = try store.refusal { try store.rebuild() }
        #expect(error.kind == .unsuitable && error.message.contains("deleting row 3 could break a relationship"))
        #expect(try store.rebuild(force: true).outcome == .applied)
        let free = try TestStore(
            StoreFixture(records: Meters.pair).with {
                $0.damage = { try $0.execute(sql: sql.replacing(", 3)", with: ", 7)").replacing("(3)", with: "(7)")) }
            })
        #expect(try free.rebuild().outcome == .applied)
    }

    private static func file(_ model: ManagedObjectModel, beside store: TestStore) throws -> ModelFile {
        let path = store.folder.path + "/CKModel.mom"
        try FileBytes.write(ModelArchive.encode(model), to: path)
        return try ModelFile.read(path)
    }

    @Test("a model that is given tells what is a relationship", arguments: [StoreFixture.ModelCache.empty, .absent])
    func given(cache: StoreFixture.ModelCache) throws {
        let related = Self.fixture(cache, referringTo: 3)
        let store = try TestStore(related)
        let model = try Self.file(related.model, beside: store)
        let error = try store.refusal { try store.rebuild { $0.model = model } }
        #expect(error.kind == .unsuitable)
        #expect(error.message == "deleting would break a relationship: row 1 of Reading refers to row 3")
        try FileManager.default.removeItem(atPath: model.path)

        let counted = Self.fixture(cache, referringTo: 7).with { fixture in
            let damage = fixture.damage
            fixture.damage = {
                try damage?($0)
                try $0.execute(sql: "UPDATE ZREADING SET ZCOUNT = 3")
            }
        }
        let free = try TestStore(counted)
        #expect(throws: StoreError.self) { try free.rebuild() }
        let given = try Self.file(counted.model, beside: free)
        #expect(try free.rebuild { $0.model = given }.outcome == .applied)
    }

    @Test("a model that is given gives the history the same bits as a cached one")
    func bits() throws {
        let attributes = [Attribute("aisle", .string), Attribute("Zone", .boolean)]
        func histories(_ cache: StoreFixture.ModelCache, isGiven: Bool) throws -> [String] {
            let fixture = StoreFixture(records: Meters.pair).with {
                $0.extraAttributes = attributes
                $0.modelCache = cache
            }
            let store = try TestStore(fixture)
            let model = isGiven ? try Self.file(fixture.model, beside: store) : nil
            #expect(try store.rebuild { $0.model = model }.outcome == .applied)
            return try store.text()[table: "ACHANGE"]
        }
        let cached = try histories(.present, isGiven: false)
        #expect(!cached.isEmpty)
        #expect(try histories(.absent, isGiven: true) == cached)
        #expect(throws: StoreError.self) { try histories(.absent, isGiven: false) }
    }

    @Test("a model that is not the store's is refused, also beside a cached one")
    func other() throws {
        for cache in [StoreFixture.ModelCache.present, .absent] {
            let store = try TestStore(Self.fixture(cache, referringTo: 7))
            let model = try Self.file(USBMeterModel.v1, beside: store)
            let error = try store.refusal { try store.rebuild { $0.model = model } }
            #expect(error.kind == .unsuitable)
            #expect(error.message.hasPrefix("the model \(model.path) is not the store's: "))
            #expect(error.hint?.hasPrefix("`meterfix verify --model ") == true, "\(error.hint ?? "")")
            try FileManager.default.removeItem(atPath: model.path)
        }
    }

    @Test("nothing is in the way of what nobody refers to")
    func accepted() throws {
        #expect(try TestStore(Self.fixture(.empty, referringTo: 7)).rebuild().outcome == .applied)
        let alone = StoreFixture(records: Meters.pair).with { $0.modelCache = .absent }
        #expect(try TestStore(alone).rebuild().outcome == .applied)
    }
}
