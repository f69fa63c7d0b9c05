import CoreDataStore
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterInspect

/// A version of the app's model that there is not, as the next one might be.
extension Migration {
    fileprivate static let note = Attribute("batchNote", .string)
    fileprivate static let v2ToV3 = Migration(
        id: "v2-v3", summary: "a note of the batch", from: 2, to: 3,
        revisions: [.addAttribute(entity: "DeviceSettings", note)])
}

/// It is one value, registered, and nothing else.
@Suite("a version to come is one migration more:", .migrations([.v1ToV2, .v2ToV3]))
struct LaterVersionTests {
    private static let model = USBMeterModel.model(.v2, extraAttributes: [Migration.note])

    private static func version(of store: TestStore) throws -> [Int?] {
        [
            try StatusReport.of(store.path, now: TestStore.now).model.schemaVersion,
            try Verify.report(store.path, VerifyOptions(now: TestStore.now)).schemaVersion,
        ]
    }

    static let stores: [(name: String, fixture: StoreFixture, version: Int)] = [
        ("v1", StoreFixture(.v1, records: [Meters.healthy]), 1), ("v2", StoreFixture(records: Meters.pair), 2),
        (
            "v2 with all rows in the log", StoreFixture(records: Meters.pair).with { $0.logPlacement = .rowsInLogOnly },
            2
        ),
        ("v2 without a model", StoreFixture(records: Meters.pair).with { $0.modelCache = .absent }, 2),
        ("v1 without a model", StoreFixture(.v1, records: [Meters.healthy]).with { $0.modelCache = .empty }, 1),
        ("v2 with the log of the mirror", StoreFixture(records: Meters.pair).with { $0.mirror = .current }, 2),
        (
            "v2 with the log of the mirror, stopped after the column",
            StoreFixture(records: Meters.pair).with {
                $0.mirror = .current
                $0.extraAttributes = [Migration.note]
                $0.cachedModel = USBMeterModel.v2
                $0.hashedModel = USBMeterModel.v2
            }, 3
        ),
        (
            "v2, stopped after the column",
            StoreFixture(records: Meters.pair).with {
                $0.extraAttributes = [Migration.note]
                $0.cachedModel = USBMeterModel.v2
                $0.hashedModel = USBMeterModel.v2
            }, 3
        ),
    ]

    @Test("status, verify and migrate know it", arguments: stores.indices)
    func migrated(_ index: Int) throws {
        let (name, fixture, version) = Self.stores[index]
        let store = try TestStore(fixture)
        #expect(try Self.version(of: store) == [version, version], "\(name)")
        let report = try store.migrate(MigrationPlanner())
        #expect(report.outcome == .applied && report.schemaVersion == 3, "\(name)")
        #expect(try Self.version(of: store) == [3, 3], "\(name)")
        let after = try store.description()
        #expect(after.schema.tables["ZDEVICESETTINGS"]?.has("ZBATCHNOTE") == true, "\(name)")
        #expect(after.metadata.versionHashes == Self.model.versionHashes(), "\(name)")
        // Newer devices may have sent notes already.
        let marker = after.metadata.dictionary?[ZoneFetchMarker.key]
        #expect(marker == (fixture.mirror == .none ? nil : .bool(true)), "\(name)")
        if fixture.modelCache == .present {
            let archived = try ManagedObjectModel(archive: ModelArchive.encode(Self.model))
            #expect(after.model?.entities == archived.entities, "\(name)")
        }
        #expect(try store.column("ZMETERNAME").count == fixture.records.count)
        #expect(try store.migrate(MigrationPlanner()).outcome == .unchanged, "\(name)")
        #expect(try !store.findings().contains("model-hash-mismatch"), "\(name)")
    }

    @Test("what stopped half-way is said, with the column")
    func halfWay() throws {
        let store = try TestStore(Self.stores[Self.stores.count - 1].fixture)
        let notes = try store.migrate(MigrationPlanner()).plan.notes
        #expect(
            notes.contains(
                "a migration stopped half-way and is completed: the cached model is version 2, the version hashes are "
                    + "of version 2 and the column of batchNote is there"))
    }

    @Test("rebuild works on it before and after, and says a value it has of the new attribute")
    func rebuilt() throws {
        let store = try TestStore(StoreFixture(records: Meters.pair))
        try store.migrate(MigrationPlanner())
        try store.execute(
            "UPDATE ZDEVICESETTINGS SET ZBATCHNOTE = 'one' WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZDEVICESETTINGS)")
        let report = try store.rebuild()
        #expect(report.outcome == .applied && report.schemaVersion == 3)
        #expect(try store.column("ZBATCHNOTE") == ["7: 'one'"])
    }

    @Test("a new store is made with it")
    func created() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/CKModel.sqlite"
        let planner = ImportPlanner(
            TestStore.values(names: ["A4:C1:38:0B:7E:99": "Lab"]), sha256: "5a", policy: .keep)
        let report = try LegacyImport.run(
            planner, on: path, creates: true, options: ChangeOptions(now: TestStore.now))
        #expect(report.createdStore && report.schemaVersion == 3)
        let description = try StoreText.read(path) { try StoreDescription($0) }
        #expect(description.metadata.modelIdentifiers == ["USB_Meter 3"])
        #expect(description.metadata.versionHashes == Self.model.versionHashes())
    }

    @Test("a store of a version after it is left alone")
    func beyond() throws {
        let store = try TestStore(StoreFixture(records: Meters.pair))
        let later = ManagedObjectModel(entities: Self.model.entities, versionIdentifiers: ["USB_Meter 4"])
        let file = store.folder.path + "/CKModel.mom"
        try FileBytes.write(ModelArchive.encode(later), to: file)
        try store.migrate(MigrationPlanner(model: ModelFile.read(file)))
        #expect(try Self.version(of: store) == [nil, nil])
        #expect(throws: StoreError.self) { try store.migrate(MigrationPlanner()) }
    }

    @Test("the migrations lead from the first version to the second as stores have it")
    func known() throws {
        let model = try [Migration.v1ToV2].latestModel()
        #expect(model.entities == USBMeterModel.v2.entities)
        #expect(model.versionIdentifiers == USBMeterModel.v2.versionIdentifiers)
    }
}
