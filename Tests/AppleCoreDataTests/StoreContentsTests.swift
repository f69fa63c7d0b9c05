import CoreDataStore
import MeterStore
import MeterTestSupport
import Testing

@Suite("a comparison of two stores, table by table")
struct StoreContentsTests {
    private static let fixture = StoreFixture(
        .v1,
        records: [
            FixtureRecord(row: 1, macAddress: "A4:C1:38:0B:7E:21", meterName: "Kitchen"),
            FixtureRecord(row: 2, macAddress: "A4:C1:38:0B:7E:22"),
        ])

    private static let winter = ManagedObjectModel(
        entities: USBMeterModel.v1.entities, versionIdentifiers: ["Winter"])

    private static func contents(_ fixture: StoreFixture) throws -> StoreContents {
        let folder = try TemporaryFolder()
        return try StoreContents(of: folder.store(fixture))
    }

    @Test("finds nothing between stores that say the same, however they are laid out")
    func same() throws {
        let store = try Self.contents(Self.fixture)
        #expect(store.tables.count == 7)
        #expect(store.tables["ZDEVICESETTINGS"]?.rows[1]?["ZMETERNAME"] == "Kitchen")
        #expect(store.indexes["Z_DeviceSettings_UNIQUE_macAddress"]?.isUnique == true)
        #expect(store.model == USBMeterModel.v1.inOrder)
        let other = try Self.contents(
            Self.fixture.with { $0.logPlacement = .rowsInLogOnly }.damaged("PRAGMA user_version = 7"))
        #expect(store.differences(from: other, tolerating: []) == [])
    }

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fixture: StoreFixture
        /// The beginning of what is said of it.
        let says: String
        var tolerance: StoreContents.Tolerance?
        /// The store it is compared with.
        var base = StoreContentsTests.fixture
    }

    static let changes = [
        Change(
            testDescription: "a value",
            fixture: fixture.damaged("UPDATE ZDEVICESETTINGS SET Z_OPT = 2 WHERE Z_PK = 2"),
            says: "ZDEVICESETTINGS, row 2: "),
        Change(
            testDescription: "a row more", fixture: fixture.damaged("DELETE FROM ACHANGE WHERE Z_PK = 2"),
            says: "ACHANGE, row 2 is new"),
        Change(
            testDescription: "an index more",
            fixture: fixture.damaged("DROP INDEX Z_DeviceSettings_UNIQUE_macAddress"),
            says: "index Z_DeviceSettings_UNIQUE_macAddress is new"),
        Change(
            testDescription: "a trigger less",
            fixture: fixture.damaged("CREATE TRIGGER a AFTER DELETE ON ACHANGE BEGIN SELECT 1; END"),
            says: "trigger a is missing"),
        Change(
            testDescription: "a table less", fixture: fixture.damaged("CREATE TABLE ZSITE (Z_PK INTEGER PRIMARY KEY)"),
            says: "table ZSITE is missing"),
        Change(
            testDescription: "a column less", fixture: fixture.damaged("ALTER TABLE ACHANGE ADD COLUMN ZNOTE VARCHAR"),
            says: "table ACHANGE: "),
        Change(
            testDescription: "another model", fixture: fixture.with { $0.cachedModel = USBMeterModel.v2 },
            says: "the models differ"),
        Change(
            testDescription: "other version hashes", fixture: fixture.with { $0.hashedModel = USBMeterModel.v2 },
            says: "metadata NSStoreModelVersionChecksumKey: "),
        Change(
            testDescription: "another UUID", fixture: fixture.with { $0.storeUUID = FixtureUUID(4).text },
            says: "UUID: ", tolerance: .storeUUID),
        Change(
            testDescription: "a key of the metadata more", fixture: fixture.with { $0.marker = nil },
            says: "metadata cloudStoreRebuildVersion is new", tolerance: .otherMetadataKeys),
        Change(
            testDescription: "another name of the version",
            fixture: fixture.with {
                $0.hashedModel = winter
                $0.cachedModel = winter
            }, says: "metadata NSStoreModelVersionIdentifiers: ",
            tolerance: .versionIdentifiers),
        Change(
            testDescription: "another text of a statement",
            fixture: fixture.damaged(
                "ALTER TABLE ZDEVICESETTINGS RENAME TO a; ALTER TABLE a RENAME TO ZDEVICESETTINGS"),
            says: "index Z_DeviceSettings_UNIQUE_macAddress: ", tolerance: .statementText),
        Change(
            testDescription: "a number of history that was handed out",
            fixture: fixture.damaged("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16001"),
            says: "Z_PRIMARYKEY, row 16001 is new"),
        Change(
            testDescription: "a number of history that was not handed out",
            fixture: StoreFixture(.v1).damaged("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000"),
            says: "Z_PRIMARYKEY, row 16001 is new", tolerance: .unusedHistoryNumbers,
            base: StoreFixture(.v1)),
    ]

    @Test("names what differs, and tolerates what it is told to and nothing else", arguments: changes)
    func differing(_ change: Change) throws {
        let (store, other) = (try Self.contents(change.base), try Self.contents(change.fixture))
        for tolerances in [[], Set(StoreContents.Tolerance.allCases)] {
            let differences = store.differences(from: other, tolerating: tolerances)
            if let tolerance = change.tolerance, tolerances.contains(tolerance) {
                #expect(differences == [])
            } else {
                #expect(differences.first?.hasPrefix(change.says) == true, "\(differences)")
            }
        }
    }

    @Test("tolerates another version of Core Data")
    func frameworkVersion() throws {
        let store = try Self.contents(Self.fixture)
        var other = store
        other.metadata["NSPersistenceFrameworkVersion"] = .integer(1526)
        #expect(store.differences(from: other, tolerating: [.frameworkVersion]) == [])
        #expect(
            store.differences(from: other, tolerating: []) == [
                "metadata NSPersistenceFrameworkVersion: integer(1344) instead of integer(1526)"
            ])
    }

    @Test("tells a migrated store from the one before by what the migration changes")
    func migrated() throws {
        let sample = try #require(SampleShelf.sample("check-uniqueness-constraint"))
        let copy = try SampleCopy(sample)
        let before = try StoreContents(of: copy.path)
        let migrated = try #require(try PreparedSample(sample, .migrated))
        let after = try StoreContents(of: migrated.copy.path)
        let words = after.differences(from: before, tolerating: []).map { $0.prefix { $0 != ":" } }
        #expect(
            words == [
                "metadata NSStoreModelVersionChecksumKey", "metadata NSStoreModelVersionHashes",
                "metadata NSStoreModelVersionHashesDigest", "the models differ",
                "index Z_DeviceSettings_UNIQUE_macAddress is missing",
            ])
    }
}
