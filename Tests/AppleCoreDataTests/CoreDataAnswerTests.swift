import CoreDataStore
import GRDB
import MeterStore
import MeterTestSupport
import Testing

@Suite("what Core Data is expected to make of the samples")
struct CoreDataAnswerTests {
    @Test("is an exception only for samples that there are")
    func exceptions() {
        for (name, answer) in CoreDataAnswer.others {
            #expect(SampleShelf.sample(name) != nil && answer != .opens(with: .cached), "\(name)")
        }
    }

    @Test("is borne out by what can be seen without Core Data", arguments: SampleShelf.samples)
    func plausible(_ sample: Sample) throws {
        let copy = try SampleCopy(sample)
        switch CoreDataAnswer.of(sample) {
        case .opens(let known):
            // This is what Core Data compares when it opens a store.
            let description = try copy.description()
            let model = try #require(known.model(for: description))
            #expect(description.metadata.versionHashes == model.versionHashes())
            #expect(model.versionHashes().count == model.entities.count)
        case .refuses(let obstacle):
            try hold(obstacle, against: copy)
        case .makesNewStore:
            #expect(try FileBytes.read(copy.path) == [])
        case .untriedForDerivedAttribute:
            let entities = try #require(try copy.description().storedModel.model).entities
            #expect(entities.flatMap(\.attributes).contains { $0.isDerived })
        case .untriedForMissingColumn:
            let description = try copy.description()
            let model = try #require(description.storedModel.model)
            #expect(description.metadata.versionHashes == model.versionHashes())
            let lacks = description.entityTables.contains { rows in
                model[entity: rows.root.name]?.attributes.contains { !rows.table.has($0.column) } ?? false
            }
            #expect(lacks)
        }
    }

    private func hold(_ obstacle: CoreDataAnswer.Obstacle, against copy: SampleCopy) throws {
        switch obstacle {
        case .notDatabase:
            #expect(try !FileBytes.read(copy.path).starts(with: "SQLite format 3\0".utf8))
        case .damaged:
            let error = #expect(throws: DatabaseError.self) { try copy.description() }
            #expect(error?.resultCode == .SQLITE_CORRUPT)
        case .notCoreData:
            #expect(try !copy.description().isCoreData)
        case .noVersionHashes:
            #expect(try copy.description().metadata.versionHashes == nil)
        case .unknownVersionHashes:
            let description = try copy.description()
            let models = [description.storedModel.model, USBMeterModel.v1, USBMeterModel.v2].compactMap(\.self)
            #expect(!models.contains { $0.versionHashes() == description.metadata.versionHashes })
        }
    }
}
