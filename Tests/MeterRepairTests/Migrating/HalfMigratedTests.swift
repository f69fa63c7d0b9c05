import CoreDataStore
import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

/// Whether each of the three places is of v1 or of v2 already.
struct HalfMigratedState: CustomTestStringConvertible, Sendable {
    let model: USBMeterModel.Version?
    let hashes: USBMeterModel.Version
    let hasIndex: Bool

    var testDescription: String {
        "\(model.map { "model \($0)" } ?? "no model"), hashes \(hashes), \(hasIndex ? "index" : "no index")"
    }

    var isHalfWay: Bool { model.map { $0 != hashes } ?? false || (hashes == .v1) != hasIndex }
    var isDone: Bool { (model ?? .v2) == .v2 && hashes == .v2 && !hasIndex }

    var fixture: StoreFixture {
        StoreFixture(hasIndex ? .v1 : .v2, records: [Meters.healthy]).with {
            $0.hashedModel = hashes == .v1 ? USBMeterModel.v1 : USBMeterModel.v2
            $0.cachedModel = model == .v1 ? USBMeterModel.v1 : USBMeterModel.v2
            if model == nil { $0.modelCache = .absent }
        }
    }
}

@Suite("a migration that stopped half-way is completed:", .migrations([.v1ToV2]))
struct HalfMigratedTests {
    static let states: [HalfMigratedState] = [USBMeterModel.Version.v1, .v2, nil].flatMap { model in
        [USBMeterModel.Version.v1, .v2].flatMap { hashes in
            [true, false].map { HalfMigratedState(model: model, hashes: hashes, hasIndex: $0) }
        }
    }

    @Test("model, hashes and index, each of v1 or of v2", arguments: states)
    func completed(_ state: HalfMigratedState) throws {
        let store = try TestStore(state.fixture)
        let rows = try store.text()[table: "ZDEVICESETTINGS"]
        let report = try store.migrate()
        #expect(report.outcome == (state.isDone ? .unchanged : .applied))
        let tells = report.plan.notes.contains { $0.hasPrefix("a migration stopped half-way and is completed: ") }
        #expect(tells == state.isHalfWay)
        let description = try store.description()
        #expect(description.metadata.versionHashes == USBMeterModel.v2.versionHashes())
        let archived = try ManagedObjectModel(archive: ModelArchive.encode(USBMeterModel.v2))
        #expect(description.model?.entities == (state.model == nil ? nil : archived.entities))
        #expect(description.schema.indexes.filter { $0.table == "ZDEVICESETTINGS" && $0.isUnique } == [])
        #expect(try store.text()[table: "ZDEVICESETTINGS"] == rows)
        #expect(try store.migrate().outcome == .unchanged)
        #expect(try !store.findings().contains("model-hash-mismatch"))
    }
}
