import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

@Suite(.enabled(if: RealStores.isAvailable, "no real stores: set METERFIX_REAL_STORES to their folder"))
struct RealSnapshotTests {
    @Test(
        "every object of a real store is read, with a value for each column that has one",
        arguments: [
            "CoreDataPlus/SampleModel/SampleModel_V1", "CoreDataPlus/SampleModel2/SampleModel2_V1",
            "CoreDataPlus/SampleModel3/SampleModel3_V1", "Scout/Scout-v4",
        ])
    func objects(name: String) throws {
        let store = try StoreSnapshot(of: try #require(RealStores.folder) + "/\(name).sqlite")
        let model = try #require(store.model)
        #expect(store.fit(of: model).differing == [])
        for entity in store.entityNames {
            var count = 0
            try store.forEachObject(of: entity) { object in
                count += 1
                #expect(object.entity == entity && !object.values.isEmpty)
            }
            #expect(try store.count(of: entity) == count)
        }
    }

    @Test("a book of a real store has its values by their types, and leads to its author")
    func book() throws {
        let path = try #require(RealStores.folder) + "/CoreDataPlus/SampleModel2/SampleModel2_V1.sqlite"
        let store = try StoreSnapshot(of: path)
        var books: [StoredObject] = []
        try store.forEachObject(of: "Book", limit: 1) { books.append($0) }
        let book = try #require(books.first)
        #expect(book.values["title"] == .text("title 2 - author 2"))
        #expect(book.values["price"] == .decimal(try #require(Decimal(string: "10.11"))))
        #expect(book.values["author"] == .object(entity: "Author", number: 1))
        #expect(
            book.values["uniqueID"] == .uuid(try #require(UUID(uuidString: "C4637490-BD7F-4428-B093-63A1720E17D2"))))
        // A key into a table of several entities.
        var destinations: Set<String> = []
        try store.forEachObject(of: "Page") { page in
            if case .object(let entity, _) = page.values["book"] { destinations.insert(entity) }
        }
        #expect(destinations == ["Book", "GraphicNovel"])
        let transaction = try #require(try store.transactions(last: 1)?.first)
        #expect(transaction.changes.count == 5468 && transaction.process == "xctest")
    }
}
