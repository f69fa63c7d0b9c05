#if canImport(CoreData)
    import CoreData
    import CoreDataStore
    import Foundation
    import MeterModel
    import MeterRepair
    import MeterStore
    import MeterTestSupport
    import Testing

    /// Where the model is from that a store is opened with.
    enum ModelOrigin: String, CaseIterable, CustomTestStringConvertible, Sendable {
        case description = "a model made in code"
        case cache = "the model in Z_MODELCACHE"
        /// With macOS 26.4 and its SDK.
        case coreData = "the model that Core Data itself takes from Z_MODELCACHE"

        var testDescription: String { rawValue }

        /// The model to open a sample with.
        /// - Returns: nil where the store carries no model, or not the one it is to be opened with.
        func model(of prepared: PreparedSample) throws -> (
            model: NSManagedObjectModel, description: ManagedObjectModel
        )? {
            let description = try prepared.copy.description()
            guard let model = prepared.model.model(for: description) else {
                throw AppleFailure("there is no model to open \(prepared.copy.path) with")
            }
            switch self {
            case .description: return (AppleModel.make(model), model)
            case .cache:
                guard prepared.model == .cached else { return nil }
                let content = try StoreText.read(prepared.copy.path) { database in
                    try StoredModel.content(database, schema: description.schema)
                }
                let archive = try content.inflated(limit: 1 << 25)
                return (try AppleModel.unarchived(archive), model)
            case .coreData:
                guard prepared.model == .cached else { return nil }
                return try AppleModel.cached(in: prepared.copy.path).map { ($0, model) }
            }
        }
    }

    extension PreparedSample {
        /// The sample in Core Data's hands.
        /// - Returns: nil where `origin` has no model for it.
        func open(with origin: ModelOrigin) throws -> AppleStore? {
            let tracksHistory = try copy.description().history != nil
            guard let (model, description) = try origin.model(of: self) else { return nil }
            return try AppleStore(
                copy.name, in: copy.folder, model, describedAs: description, tracksHistory: tracksHistory)
        }
    }

    @Suite("Core Data opens")
    struct OpeningTests {
        @Test(
            "the samples, and has the objects that meterfix reads", arguments: SampleShelf.samples, ModelOrigin.allCases
        )
        func objects(_ sample: Sample, _ origin: ModelOrigin) throws {
            for preparation in Preparation.allCases {
                guard let prepared = try PreparedSample(sample, preparation) else { continue }
                let expected = try ReadRecords(in: prepared.copy.path)
                let text = try StoreText(of: prepared.copy.path)
                let description = try prepared.copy.description()
                guard let store = try prepared.open(with: origin) else { continue }
                if let expected {
                    let differences = try store.records().differences(from: expected)
                    #expect(differences == [], "\(preparation.rawValue)")
                }
                for entity in prepared.model.model(for: description)?.entities ?? [] {
                    let rows = text[table: "Z" + entity.name.uppercased()].count
                    #expect(try store.count(of: entity.name) == rows, "\(preparation.rawValue): \(entity.name)")
                }
                try store.close()
            }
        }

        @Test("no sample that is no store of a model it has", arguments: SampleShelf.samples)
        func refusals(_ sample: Sample) throws {
            guard case .refuses(let obstacle) = CoreDataAnswer.of(sample) else { return }
            for model in [USBMeterModel.v1, USBMeterModel.v2] {
                let copy = try SampleCopy(sample)
                let error = #expect(throws: (any Error).self) {
                    try AppleStore(
                        copy.name, in: copy.folder, AppleModel.make(model), describedAs: model, tracksHistory: true
                    ).close()
                }
                guard obstacle == .unknownVersionHashes else { continue }
                #expect((error as? CocoaError)?.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
            }
        }

        @Test("an empty file as a new store, in which verify finds no error", arguments: SampleShelf.samples)
        func emptyFile(_ sample: Sample) throws {
            guard CoreDataAnswer.of(sample) == .makesNewStore else { return }
            let copy = try SampleCopy(sample)
            let store = try AppleStore(
                copy.name, in: copy.folder, AppleModel.make(USBMeterModel.v2), describedAs: USBMeterModel.v2,
                tracksHistory: true)
            #expect(try store.records() == ReadRecords([:]))
            try store.close()
            #expect(try copy.findings(.error) == [])
        }
    }
#endif
