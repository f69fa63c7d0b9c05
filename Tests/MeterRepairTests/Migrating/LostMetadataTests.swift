import CoreDataStore
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@Suite("metadata that was lost")
struct LostMetadataTests {
    private let restoring = MigrationPlanner(restoresMetadata: true)

    @Test("is restored from the model the store carries, and the identity stays", arguments: [true, false])
    func restored(isV1: Bool) throws {
        let fixture = StoreFixture(isV1 ? .v1 : .v2, records: [Meters.healthy]).with { $0.marker = nil }
        let whole = try TestStore(fixture)
        try whole.migrate()
        let store = try TestStore(fixture.with { $0.hasPropertyList = false })
        let rows = try store.text()[table: "ZDEVICESETTINGS"]
        #expect(try cures(store) == ["meterfix migrate --restore-metadata \(store.path)"])
        let report = try store.migrate(restoring)
        #expect(report.outcome == .applied)
        #expect(report.plan.notes.contains { $0.contains("cannot be restored") } == true)
        let metadata = try store.description().metadata
        let expected = try whole.description().metadata
        #expect(metadata.uuid == expected.uuid)
        // The identifiers come from the cached model.
        #expect(metadata.dictionary == expected.dictionary)
        #expect(try store.text()[table: "ZDEVICESETTINGS"] == rows)
        #expect(try !store.findings().contains("metadata-missing"))
        #expect(try store.migrate(restoring).outcome == .unchanged)
        #expect(try store.migrate().outcome == .unchanged)
    }

    @Test("of a part of Core Data's keys brings back that part")
    func partly() throws {
        let fixture = StoreFixture(records: [Meters.healthy]).with { fixture in
            fixture.damage = { database in
                var metadata = try StoreDescription(database).metadata
                for key in ["NSStoreModelVersionHashes", "NSStoreType"] { metadata.dictionary?[key] = nil }
                try metadata.write(to: database)
            }
        }
        let store = try TestStore(fixture)
        try store.migrate(restoring)
        let metadata = try store.description().metadata
        #expect(metadata.versionHashes == USBMeterModel.v2.versionHashes())
        #expect(metadata.dictionary?["cloudStoreRebuildVersion"] == .integer(3))
        #expect(metadata.dictionary?["NSStoreType"] == .string("SQLite"))
    }

    @Test(
        "with the identity, or in two copies, is beyond repair",
        arguments: [
            "DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_UUID = NULL, Z_PLIST = NULL",
            "INSERT INTO Z_METADATA SELECT Z_VERSION + 1, Z_UUID, Z_PLIST FROM Z_METADATA",
        ])
    func beyondRepair(_ sql: String) throws {
        let store = try TestStore(StoreFixture(records: [Meters.healthy]).damaged(sql))
        let error = try store.refusal { try store.migrate(restoring) }
        #expect(error.kind == .unsuitable)
        #expect(error.message.contains("identity is lost"))
        #expect(try cures(store) == ["ask for the store again, or for a backup of it"])
    }

    @Test(
        "is not what a number from 2^63 on makes of it: the app's keys are read, and kept by a change",
        arguments: [1 << 63, UInt64.max])
    func unsignedNumber(number: UInt64) throws {
        let fixture = StoreFixture(.v1, records: [Meters.healthy]).with { fixture in
            fixture.damage = { database in
                var metadata = try StoreDescription(database).metadata
                metadata.dictionary?["quota"] = .array([.unsigned(number), .integer(7)])
                try metadata.write(to: database)
            }
        }
        let store = try TestStore(fixture)
        #expect(try !store.findings().contains("metadata-missing"))
        #expect(try store.migrate(restoring).outcome == .applied)
        #expect(
            try store.description().metadata.dictionary?["quota"] == .array([.unsigned(number), .integer(7)]))
    }

    @Test(
        "is not restored over a property list in which keys of the app may still be",
        arguments: [
            "substr(Z_PLIST, 1, length(Z_PLIST) - 8)", "CAST('bplist' AS BLOB)",
            "CAST('<?xml version=\"1.0\"?><plist><dict><key>a</key><true/></dict></plist>' AS BLOB)",
        ])
    func unread(_ value: String) throws {
        let store = try TestStore(
            StoreFixture(records: [Meters.healthy]).damaged("UPDATE Z_METADATA SET Z_PLIST = \(value)"))
        for planner in [restoring, MigrationPlanner()] {
            let error = try store.refusal { try store.migrate(planner) }
            #expect(error.kind == .unsuitable)
            #expect(error.message.contains("keys of the app may still be in it"))
        }
        #expect(try cures(store) == ["ask for the store again, or for a backup of it"])
    }

    @Test("without a model to go by is left alone")
    func noModel() throws {
        let store = try TestStore(
            StoreFixture(records: [Meters.healthy]).with {
                $0.hasPropertyList = false
                $0.modelCache = .absent
            })
        let error = #expect(throws: StoreError.self) { try store.migrate(restoring) }
        #expect(error?.hint?.contains("--model") == true)
        let command = "meterfix migrate --restore-metadata \(store.path)"
        #expect(try cures(store) == ["add --model with the app's model: \(command)"])
        // With the model it is, and is the cure that `verify --model` names.
        let path = store.folder.path + "/CKModel.mom"
        try FileBytes.write(ModelArchive.encode(USBMeterModel.v2), to: path)
        let model = try ModelFile.read(path)
        var options = VerifyOptions(now: TestStore.now)
        options.model = model
        #expect(
            try Verify.report(store.path, options).findings.first { $0.id == "model-hash-mismatch" }?.cure
                .description
                == "meterfix migrate --restore-metadata --model \(path) \(store.path)")
        #expect(try store.migrate(MigrationPlanner(model: model, restoresMetadata: true)).outcome == .applied)
    }

    private func cures(_ store: TestStore) throws -> [String?] {
        try store.found("metadata-missing").map(\.cure.description)
    }
}
