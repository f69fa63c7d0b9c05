import CoreDataStore
import MeterTestSupport
import Testing

@Suite("the models that Core Data is to confirm")
struct ModelCaseTests {
    @Test("have a version hash of every entity, and no two have the same ones")
    func hashes() {
        for example in ModelCase.all {
            #expect(
                example.model.versionHashes().count == example.model.entities.count, "\(example.testDescription)")
        }
        #expect(Set(ModelCase.all.map { $0.model.versionHashes() }).count == ModelCase.all.count)
    }

    @Test("can be made a store of, but for those that need a join table or an order key")
    func laidOut() {
        let laidOut = Set(ModelCase.laidOut.map(\.testDescription))
        #expect(
            ModelCase.all.map(\.testDescription).filter { !laidOut.contains($0) } == [
                "an ordered relationship", "a many-to-many relationship with bounds",
            ])
    }

    @Test("are carried by the stores that are made of them", arguments: ModelCase.laidOut)
    func store(_ example: ModelCase) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/store.sqlite"
        try StoreCreator.create(at: path, model: example.model, options: StoreOptions(storeUUID: FixtureUUID(1).text))
        #expect(try StoreContents(of: path).model == example.model.inOrder)
    }

    @Test("come out of the archive as they went in", arguments: ModelCase.all)
    func archive(_ example: ModelCase) throws {
        #expect(try ManagedObjectModel(archive: ModelArchive.encode(example.model)).inOrder == example.model.inOrder)
    }
}
