import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterInspect

@Suite("a migration from v1 to v2", .migrations([.v1ToV2]))
struct MigrationTests {
    struct Variant: CustomTestStringConvertible {
        let testDescription: String
        let fixture: StoreFixture

        init(_ name: String, _ change: (inout StoreFixture) -> Void) {
            testDescription = name
            // Two spellings of one address are legal in v1.
            let respelled = Meters.healthy.with {
                $0.row = 9
                $0.macAddress = "a4-c1-38-0b-7e-99"
            }
            fixture = StoreFixture(.v1, records: [Meters.pair[1], Meters.healthy, respelled]).with(change)
        }
    }

    static let variants: [Variant] = [
        Variant("as it comes") { _ in },
        Variant("without history") { $0.history = .none },
        Variant("with the history of macOS 10.13") { $0.history = .withoutStrings },
        Variant("mirrored") { $0.mirror = .current },
        Variant("mirrored by the oldest systems, without history") {
            $0.mirror = .oldest
            $0.history = .none
        },
        Variant("with all rows in the log") { $0.logPlacement = .rowsInLogOnly },
        Variant("with a rollback journal") { $0.journalMode = .delete },
        Variant("with lock and discovery as blobs") { $0.lockEncoding = .blobWithBinaryDiscovery },
        Variant("with attributes of another version") {
            $0.extraAttributes = [
                Attribute("note", .string), Attribute("photo", .binary), Attribute("rank", .integer16),
            ]
        },
        Variant("with other entities, related and inherited") {
            var site = Entity("Site", attributes: [Attribute("title", .string, isOptional: false)])
            site.uniquenessConstraints = [["title"]]
            var reading = Entity("Reading", superentity: "Site", attributes: [Attribute("volts", .double)])
            reading.relationships = [Relationship("meter", to: "DeviceSettings")]
            $0.extraEntities = [site, reading]
        },
        Variant("with a model that has a hash modifier") { fixture in
            var site = Entity("Site", attributes: [Attribute("title", .string)])
            site.versionHashModifier = "2"
            fixture.extraEntities = [site]
        },
        Variant("with a hash modifier that its model has as an object") { fixture in
            var site = Entity("Site", attributes: [Attribute("title", .string)])
            site.versionHashModifier = "2"
            fixture.extraEntities = [site]
            fixture.damage = { database in
                let schema = try StoreSchema(database)
                let cache = try StoredModel.content(database, schema: schema).inflated(limit: 1 << 20)
                let rewritten = try ArchivedText.object.rewriting(PropertyList(binary: cache)).binaryPropertyList()
                try database.execute(
                    sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = ?",
                    arguments: [Data(try rewritten.deflated())])
            }
        },
        Variant("without a model of its own") { $0.modelCache = .empty },
        Variant("without a table for its model") { $0.modelCache = .absent },
        Variant("without a model of its own, with blobs") {
            $0.modelCache = .absent
            $0.lockEncoding = .blobWithBinaryDiscovery
        },
    ]

    @Test("changes the schema, the model and the hashes, and nothing else", arguments: variants)
    func whole(_ variant: Variant) throws {
        let store = try TestStore(variant.fixture)
        #expect(try !store.findings().contains("model-hash-mismatch"))
        let before = try store.text()
        let metadataBefore = try store.description().metadata
        let report = try store.migrate()
        #expect(report.outcome == .applied)
        #expect(report.schemaVersion == 2)
        #expect(report.summary.unchanged == 3)

        let after = try store.text()
        #expect(after.isIntact)
        let index = "CREATE UNIQUE INDEX Z_DeviceSettings_UNIQUE_macAddress"
        #expect(Set(after.statements) == Set(before.statements.filter { !$0.hasPrefix(index) }))
        #expect(before.statements.count == after.statements.count + 1)
        for table in before.tables.keys where table != "Z_METADATA" && table != "Z_MODELCACHE" {
            #expect(after[table: table] == before[table: table], "\(table)")
        }
        #expect(Set(after.tables.keys) == Set(before.tables.keys))

        // What Core Data would look at when it opens the store.
        let expected = variant.fixture.with { $0.version = .v2 }.model
        let description = try store.description()
        let hashes = expected.versionHashes()
        #expect(description.metadata.versionHashes == hashes)
        #expect(description.metadata.versionHashesDigest == hashes.versionHashesDigest)
        #expect(description.metadata.versionChecksum == hashes.versionChecksum)
        #expect(description.metadata.uuid == metadataBefore.uuid)
        #expect(description.metadata.modelIdentifiers == metadataBefore.modelIdentifiers)
        let own = { (metadata: StoreMetadata) in
            metadata.dictionary?.filter { !$0.key.hasPrefix("NSStoreModelVersion") }
        }
        #expect(own(description.metadata) == own(metadataBefore))
        if variant.fixture.modelCache == .present {
            #expect(
                try description.model?.entities == ManagedObjectModel(archive: ModelArchive.encode(expected)).entities)
            #expect(HashComparison(of: try #require(description.model), with: hashes).differing.isEmpty)
        } else {
            #expect(description.model == nil)
        }
        let findings = try store.findings()
        #expect(!findings.contains("uniqueness-constraint") && !findings.contains("model-hash-mismatch"))

        // Again there is nothing to do, and no byte changes.
        let files = try store.snapshot()
        #expect(try store.migrate().outcome == .unchanged)
        #expect(try store.snapshot().hasSameBytes(as: files))
    }

    @Test("proves that every row is the same, table by table", arguments: variants)
    func proof(_ variant: Variant) throws {
        let store = try TestStore(variant.fixture)
        let before = try store.text()
        let report = try store.migrate { $0.isDryRun = true }
        #expect(report.outcome == .planned)
        let apart: Set<String> = ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"]
        #expect(Set(report.tables.map(\.name)).union(apart).isSuperset(of: before.tables.keys))
        for table in report.tables {
            #expect(table.rows == before[table: table.name].count, "\(table.name)")
            #expect(table.before == table.after)
        }
    }

    @Test("writes nothing in a dry run, and then does what the dry run said", arguments: variants)
    func dryRun(_ variant: Variant) throws {
        let store = try TestStore(variant.fixture)
        let files = try store.snapshot()
        let planned = try store.migrate { $0.isDryRun = true }
        #expect(try store.snapshot().differences(from: files) == [])
        let applied = try store.migrate()
        #expect(planned.plan == applied.plan)
        #expect(planned.tables == applied.tables)
        #expect(planned.findings == applied.findings)
    }

    @Test("says how many meters have several records, and what to run next")
    func duplicates() throws {
        let report = try TestStore(Self.variants[0].fixture).migrate()
        #expect(report.plan.notes.contains { $0.contains("1 meter has several records") } == true)
        #expect(report.plan.notes.contains { $0.contains("meterfix rebuild") } == true)
        #expect(report.findings.contains { $0.id == "duplicate-mac" })
    }

    @Test("says which required values are missing")
    func missingValues() throws {
        let fixture = Self.variants[0].fixture
        let store = try TestStore(fixture.damaged("UPDATE ZDEVICESETTINGS SET ZMACADDRESS = NULL WHERE Z_PK = 7"))
        let report = try store.migrate()
        #expect(
            report.plan.notes.contains("1 row of DeviceSettings has no macAddress, which the model requires") == true)
    }

    @Test("leaves a v2 store alone")
    func nothingToDo() throws {
        for change: (inout StoreFixture) -> Void in [
            { _ in }, { $0.modelCache = .absent }, { $0.logPlacement = .rowsInLogOnly }, { $0.mirror = .current },
        ] {
            let store = try TestStore(StoreFixture(records: [Meters.healthy]).with(change))
            let files = try store.snapshot()
            #expect(try store.migrate().outcome == .unchanged)
            #expect(try store.snapshot().hasSameBytes(as: files))
        }
    }

    @Test("adds a column that the model has and the table lacks")
    func missingColumn() throws {
        let fixture = Self.variants[0].fixture.with { $0.extraAttributes = [Attribute("note", .string)] }
        let store = try TestStore(fixture.damaged("ALTER TABLE ZDEVICESETTINGS DROP COLUMN ZNOTE"))
        let before = try store.text()
        let report = try store.migrate()
        #expect(
            report.plan.schemaChanges.contains(
                .addColumn(table: "ZDEVICESETTINGS", column: "ZNOTE", declaredType: "VARCHAR")) == true)
        let after = try store.text()
        #expect(after[table: "ZDEVICESETTINGS"] == before[table: "ZDEVICESETTINGS"].map { $0 + ",NULL" })
        #expect(after.isIntact)
        #expect(try store.migrate().outcome == .unchanged)
    }

    @Test("and a rebuild commute on the rows")
    func commutes() throws {
        let fixture = Self.variants[0].fixture
        let one = try TestStore(fixture)
        try one.migrate()
        try one.rebuild()
        let other = try TestStore(fixture)
        try other.rebuild()
        try other.migrate()
        for table in ["ZDEVICESETTINGS", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "Z_PRIMARYKEY"] {
            #expect(try one.text()[table: table] == other.text()[table: table])
        }
        #expect(try one.description().metadata.dictionary == other.description().metadata.dictionary)
    }
}

@Suite("the migrations that meterfix knows")
struct ShippedMigrationTests {
    @Test("are frozen values: a shipped one never changes")
    func frozen() {
        #expect(
            Migration.all.prefix(1) == [
                Migration(
                    id: "v1-v2", summary: "macAddress is no longer unique, and optional", from: 1, to: 2,
                    revisions: [
                        .dropUniquenessConstraint(entity: "DeviceSettings", attributes: ["macAddress"]),
                        .makeOptional(entity: "DeviceSettings", attribute: "macAddress"),
                    ])
            ])
        for (first, second) in zip(Migration.all, Migration.all.dropFirst()) { #expect(first.to == second.from) }
        #expect(Set(Migration.all.map(\.id)).count == Migration.all.count)
    }
}
