import CoreDataStore
import Foundation
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterInspect

@Suite("a store of an unknown model")
struct UnknownModelTests {
    /// The version hash is that of an attribute whose name no column tells.
    private static let fixture = StoreFixture(records: Meters.pair + [Meters.healthy]).with {
        $0.extraAttributes = [Attribute("deviceColor", .string)]
        $0.modelCache = .empty
    }
    private static let address = MACAddress.parse(Meters.address)!.address

    @Test("is refused by every command that changes records, in a dry run, too")
    func refused() throws {
        let store = try TestStore(Self.fixture)
        func expectRefusal(_ planner: some Planner) throws {
            for isDryRun in [true, false] {
                var options = ChangeOptions(now: TestStore.now)
                (options.isDryRun, options.force) = (isDryRun, true)
                let error = try store.refusal { try ChangeRun.run(planner, on: store.path, options: options) }
                #expect(error.kind == .unsuitable && error.message.contains("the store has an unknown model"))
            }
        }
        try expectRefusal(RebuildPlanner(policy: .mostComplete))
        try expectRefusal(FirstAidPlanner())
        try expectRefusal(SetPlanner(Self.address, name: "Desk", unit: nil))
        try expectRefusal(UnlockPlanner(Self.address, force: true))
        try expectRefusal(FixPlanner([.unitUnknown]))
        try expectRefusal(DeletePlanner(row: 5, force: true))
        let values = LegacyValues([DumpEntry(dictionary: .meterNames, key: Meters.address, value: .text("Attic"))])
        try expectRefusal(ImportPlanner(values, sha256: String(repeating: "0", count: 64), policy: .keep))
    }

    @Test("takes what changes no record, and a rebuild with its model")
    func accepted() throws {
        let marked = try TestStore(
            Self.fixture.with {
                $0.records = [Meters.healthy]
                $0.marker = 2
            })
        var options = ChangeOptions(now: TestStore.now)
        options.makesBackup = false
        #expect(
            try ChangeRun.run(FixPlanner([.rebuildMarkerOld]), on: marked.path, options: options).outcome == .applied)
        let store = try TestStore(Self.fixture)
        let path = store.folder.path + "/CKModel.mom"
        try FileBytes.write(ModelArchive.encode(Self.fixture.model), to: path)
        let model = try ModelFile.read(path)
        #expect(try store.rebuild { $0.model = model }.outcome == .applied)
    }

    @Test("has no cure by a command for what only a change of records cures")
    func cure() throws {
        let store = try TestStore(Self.fixture)
        let finding = try #require(store.found("duplicate-mac").first)
        #expect(finding.cure.description.hasPrefix("the store has an unknown model"))
        #expect(finding.firstAid == nil)
    }

    @Test("is one whose hash does not fit its columns: without extra attributes, or with a cached model, it is known")
    func known() throws {
        for fixture in [
            Self.fixture.with { $0.extraAttributes = [] }, Self.fixture.with { $0.modelCache = .present },
            Self.fixture.with { $0.lockEncoding = .blob }.with { $0.extraAttributes = [] },
        ] { #expect(try TestStore(fixture).rebuild().outcome == .applied) }
    }
}

@Suite("what meterfix does not know of a model")
struct UnknownPartsTests {
    private static let fixture = StoreFixture(records: Meters.pair).with {
        $0.extraAttributes = [Attribute("pinnedAt", .date), Attribute("deviceColor", .string)]
        $0.extraEntities = [Entity("ChargeSession", attributes: [Attribute("startedAt", .date)])]
    }

    @Test("is named by status and verify, and before a rebuild that deletes records")
    func named() throws {
        let store = try TestStore(Self.fixture)
        let status = try StatusReport.of(store.path, now: TestStore.now)
        let parts = UnknownParts(attributes: ["deviceColor", "pinnedAt"], entities: ["ChargeSession"])
        #expect(status.model.schemaVersion == 2 && status.model.unknown == parts)
        #expect(parts.phrase == "2 attributes and 1 entity that meterfix does not know")
        #expect(
            parts.sentences == [
                "deviceColor and pinnedAt: in a merge, the record that is kept keeps its own value, only NULL is filled, "
                    + "and a value that is discarded is listed as a conflict",
                "ChargeSession: no command changes its rows",
            ])
        #expect(try Verify.report(store.path, VerifyOptions(now: TestStore.now)).unknownParts == parts)
        let note: Sentence = "the model has \(parts.phrase): \(parts.sentences.joined(separator: "; "))"
        #expect(try store.rebuild { $0.isDryRun = true }.plan.notes.contains(note) == true)
        #expect(try store.rebuild().plan.notes.contains(note) == true)
        #expect(try store.rebuild().plan.notes.contains(note) == false)
    }

    @Test(
        "is nothing in the app's own versions, with each encoding of lock and last seen, with a model and without one")
    func none() throws {
        for encoding in [USBMeterModel.LockEncoding.flat, .blob, .blobWithBinaryDiscovery, .both] {
            for cache in [StoreFixture.ModelCache.present, .absent] {
                let store = try TestStore(
                    StoreFixture(records: Meters.pair).with {
                        $0.lockEncoding = encoding
                        $0.modelCache = cache
                    })
                #expect(try StatusReport.of(store.path, now: TestStore.now).model.unknown.isEmpty)
                #expect(try store.rebuild().outcome == .applied)
            }
        }
    }
}
