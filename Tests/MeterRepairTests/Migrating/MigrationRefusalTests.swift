import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@Suite("a migration is refused, and every file stays as it was:", .migrations([.v1ToV2]))
struct MigrationRefusalTests {
    struct Refused: CustomTestStringConvertible {
        let testDescription: String
        let kind: StoreError.Kind
        let says: String
        let fixture: StoreFixture
    }

    private static let v1 = StoreFixture(.v1, records: [Meters.healthy])

    private static func editingMetadata(
        _ edit: @escaping @Sendable (inout [String: PropertyList]) -> Void
    ) -> StoreFixture {
        v1.with { fixture in
            fixture.damage = { database in
                var metadata = try StoreDescription(database).metadata
                edit(&metadata.dictionary!)
                try metadata.write(to: database)
            }
        }
    }

    static let cases: [Refused] = [
        Refused(
            testDescription: "a model with an attribute that the hashes do not know", kind: .unsuitable,
            says: "the version hashes of DeviceSettings are not those of any version",
            fixture: v1.with { $0.cachedModel = $0.with { $0.extraAttributes = [Attribute("note", .string)] }.model }),
        Refused(
            testDescription: "hashes of another entity", kind: .unsuitable, says: "the version hashes of Site",
            fixture: v1.with { fixture in
                fixture.extraEntities = [Entity("Site", attributes: [Attribute("title", .string)])]
                fixture.hashedModel = USBMeterModel.model(
                    .v1, extraEntities: [Entity("Site", attributes: [Attribute("title", .string, isOptional: false)])])
            }),
        Refused(
            testDescription: "an address that is required and not unique", kind: .unsuitable,
            says: "in its model macAddress is required and nothing is unique",
            fixture: v1.with { fixture in
                var entity = USBMeterModel.v1.entities[0]
                entity.uniquenessConstraints = []
                let model = ManagedObjectModel(entities: [entity])
                fixture.cachedModel = model
                fixture.hashedModel = model
            }),
        Refused(
            testDescription: "an address that is unique together with another attribute", kind: .unsuitable,
            says: "unique index Z_DeviceSettings_UNIQUE_mine",
            fixture: v1.damaged(
                "CREATE UNIQUE INDEX Z_DeviceSettings_UNIQUE_mine ON ZDEVICESETTINGS (ZMACADDRESS, ZMETERNAME)")),
        Refused(
            testDescription: "a newer version of the app", kind: .unsuitable,
            says: "newer version of the app's model, 'USB_Meter 3'",
            fixture: editingMetadata { $0["NSStoreModelVersionIdentifiers"] = .array([.string("USB_Meter 3")]) }),
        Refused(
            testDescription: "version hashes of another kind", kind: .unsuitable, says: "scheme 4",
            fixture: editingMetadata { $0["NSStoreModelVersionHashesVersion"] = .integer(4) }),
        Refused(
            testDescription: "a model that cannot be read", kind: .unsuitable,
            says: "the cached model cannot be worked with",
            fixture: v1.damaged("UPDATE Z_MODELCACHE SET Z_CONTENT = X'0102'")),
        Refused(
            testDescription: "no model, and hashes that are not those of the columns", kind: .unsuitable,
            says: "carries no model",
            fixture: v1.with {
                $0.modelCache = .absent
                $0.hashedModel = $0.with { $0.extraAttributes = [Attribute("note", .string)] }.model
            }),
        Refused(
            testDescription: "derived attributes, kept up by a trigger", kind: .unsuitable,
            says: "has the trigger Z_DA_",
            fixture: v1.damaged("CREATE TRIGGER Z_DA_x AFTER UPDATE ON ZDEVICESETTINGS BEGIN SELECT nonesuch(); END")),
        Refused(
            testDescription: "a derived attribute", kind: .unsuitable,
            says: "hash of DeviceSettings cannot be computed",
            fixture: v1.with {
                var entity = USBMeterModel.v1.entities[0]
                var derived = Attribute("shortName", .string)
                derived.isDerived = true
                entity.attributes.append(derived)
                $0.cachedModel = ManagedObjectModel(entities: [entity])
            }),
        Refused(
            testDescription: "metadata that is lost", kind: .unsuitable, says: "the store's metadata is lost",
            fixture: v1.with { $0.hasPropertyList = false }),
        Refused(
            testDescription: "metadata without hashes", kind: .unsuitable, says: "it has no version hashes",
            fixture: editingMetadata { $0["NSStoreModelVersionHashes"] = nil }),
        Refused(
            testDescription: "damage", kind: .damaged, says: "integrity check fails",
            fixture: v1.damaged(
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET rootpage = 4 WHERE name = 'ACHANGE_ZTRANSACTIONID_INDEX';
                PRAGMA writable_schema = OFF
                """)),
        Refused(
            testDescription: "no DeviceSettings", kind: .unsuitable, says: "without DeviceSettings",
            fixture: v1.damaged("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Other' WHERE Z_ENT = 1")),
    ]

    @Test("a store that is not as any version of the app leaves it", arguments: cases)
    func refusals(_ refused: Refused) throws {
        for placement in [StoreFixture.LogPlacement.checkpointed, .rowsInLogOnly] {
            let store = try TestStore(refused.fixture.with { $0.logPlacement = placement })
            for isDryRun in [true, false] {
                let error = try store.refusal {
                    try store.migrate {
                        $0.isDryRun = isDryRun
                        $0.makesBackup = true
                    }
                }
                #expect(error.kind == refused.kind)
                #expect(error.message.contains(refused.says), "\(error.message)")
                #expect(error.hint != nil)
            }
            // What is refused is no cure.
            guard refused.kind == .unsuitable else { continue }
            let cures = try store.found().map(\.cure.description)
            #expect(!cures.contains("meterfix migrate \(store.path)"))
        }
    }
}
