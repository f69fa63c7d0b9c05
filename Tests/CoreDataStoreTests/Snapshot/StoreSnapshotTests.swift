import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

@Suite("a snapshot of another app's store")
struct StoreSnapshotTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/default.store"
    }

    private func objects(of entity: String, in store: StoreSnapshot) throws(StoreError) -> [StoredObject] {
        var objects: [StoredObject] = []
        try store.forEachObject(of: entity) { objects.append($0) }
        return objects
    }

    @Test("has the entities, their counts, model and version hashes")
    func entities() throws {
        try Kitchen.write(to: path)
        let store = try StoreSnapshot(of: path)
        #expect(store.uuid == FixtureUUID(7).text)
        #expect(store.entityNames == ["Dish", "Cake", "Soup", "Person"])
        #expect(try store.entityNames.map(store.count) == [0, 1, 1, 1])
        #expect(store.model == Kitchen.model)
        #expect(store.versionHashes == Kitchen.model.versionHashes())
        #expect(store.fit(of: Kitchen.model).matching == ["Cake", "Dish", "Person", "Soup"])
        #expect(store.fit(of: Kitchen.modelWithComposite).unknown == ["Person"])
        #expect(throws: StoreError.self) { try store.count(of: "Drink") }
        #expect(throws: StoreError.self) { try store.count(of: "CHANGE") }
    }

    @Test("reads each value by its type, and a property by the column of its entity")
    func values() throws {
        try Kitchen.write(to: path)
        let store = try StoreSnapshot(of: path)
        let soup = try #require(try objects(of: "Soup", in: store).first)
        #expect(soup.entity == "Soup" && soup.number == 1)
        #expect(
            soup.values == [
                "cooked": .date(Date(timeIntervalSinceReferenceDate: 700_000_000)),
                "id": .uuid(try #require(UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F"))),
                "isHot": .boolean(true), "photo": .data(Data([0xFF, 0xD8])),
                "price": .decimal(try #require(Decimal(string: "10.11"))), "servings": .integer(4),
                "site": .text("https://example.org"), "title": .text("Borscht"), "weight": .number(2),
                "cook": .object(entity: "Person", number: 1), "value": .text("red"),
            ])
        let cake = try #require(try objects(of: "Cake", in: store).first)
        #expect(cake.values["value"] == .number(1.5))
        #expect(cake.values["cook"] == nil)
        #expect(cake.values["cooked"] == .date(Date(timeIntervalSinceReferenceDate: 700_000_000.5)))
        // A key into the table of several entities says which one it means.
        let person = try #require(try objects(of: "Person", in: store).first)
        #expect(person.values == ["name": .text("Ana"), "favourite": .object(entity: "Cake", number: 2)])
    }

    @Test("gives as many objects as are wanted, and what the closure throws")
    func limit() throws {
        try Kitchen.write(to: path)
        let store = try StoreSnapshot(of: path)
        var count = 0
        for limit in [0, -1, .min] { try store.forEachObject(of: "Soup", limit: limit) { _ in count += 1 } }
        #expect(count == 0)
        let stop = StoreError(.interrupted, at: path, "enough")
        #expect(throws: stop) {
            try store.forEachObject(of: "Soup") { object throws(StoreError) in throw stop }
        }
    }

    @Test("answers while it hands out objects, and on several threads")
    func nested() async throws {
        try Kitchen.write(to: path)
        let store = try StoreSnapshot(of: path)
        var cooks: [StoredValue?] = []
        try store.forEachObject(of: "Soup") { soup throws(StoreError) in
            guard case .object(let entity, let number) = soup.values["cook"] else { return }
            try store.forEachObject(of: entity) { cook in
                if cook.number == number { cooks.append(cook.values["name"]) }
            }
        }
        #expect(cooks == [.text("Ana")])
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try store.count(of: "Cake") } }
            return try await group.reduce(0, +)
        }
        #expect(counts == 8)
    }

    @Test("reads a composite attribute by key paths, and the columns that Core Data gives its elements")
    func composite() throws {
        try Kitchen.write(to: path)
        try Kitchen.addComposite(to: path)
        let store = try StoreSnapshot(of: path)
        let model = try #require(store.model)
        #expect(model == Kitchen.modelWithComposite)
        let composite = try #require(model[entity: "Person"].map(model.allComposites)?.first)
        #expect(composite.leaves.map(\.keyPath) == ["home.name", "home.point.lat", "home.point.lon"])
        let person = try #require(try objects(of: "Person", in: store).first)
        #expect(
            person.values == [
                "name": .text("Ana"), "home.name": .text("Sinaia"), "home.point.lat": .number(45.35),
                "home.point.lon": .number(25.55), "favourite": .object(entity: "Cake", number: 2),
            ])
        // Its part of the hash is not known.
        #expect(store.fit(of: model).unknown == ["Person"])
    }

    @Test("needs a model to read objects, which the caller may have")
    func withoutModel() throws {
        try Kitchen.write(to: path)
        try DatabaseQueue.script(at: path, "DELETE FROM Z_MODELCACHE")
        let store = try StoreSnapshot(of: path)
        #expect(store.model == nil)
        #expect(try store.count(of: "Soup") == 1)
        #expect(throws: StoreError.self) { try objects(of: "Soup", in: store) }
        #expect(try store.past().isEmpty)
        let informed = try StoreSnapshot(of: path, model: Kitchen.model)
        #expect(try objects(of: "Soup", in: informed).count == 1)
    }

    @Test("refuses what is no Core Data store, and creates nothing")
    func refusals() throws {
        #expect(#expect(throws: StoreError.self) { try StoreSnapshot(of: path) }?.kind == .notFound)
        try DatabaseQueue.script(at: path, "CREATE TABLE bookmarks (id INTEGER)")
        #expect(#expect(throws: StoreError.self) { try StoreSnapshot(of: path) }?.kind == .unsuitable)
        #expect(try FolderSnapshot(folder.path).names == ["default.store"])
    }

    @Test("leaves no trace, with a log and without", arguments: [StoreOptions.JournalMode.wal, .delete])
    func traces(journalMode: StoreOptions.JournalMode) throws {
        try Kitchen.write(to: path, journalMode: journalMode)
        let before = try FolderSnapshot(folder.path)
        do {
            let store = try StoreSnapshot(of: path)
            #expect(try objects(of: "Soup", in: store).count == 1)
            #expect(try store.transactions(last: 5) == nil)
            #expect(try store.mirror() == nil)
            _ = try store.past()
        }
        #expect(try FolderSnapshot(folder.path) == before)
    }

    @Test("says so if another process has changed the file that it reads")
    func changedMeanwhile() throws {
        try Kitchen.write(to: path, journalMode: .delete)
        let store = try StoreSnapshot(of: path)
        try DatabaseQueue.script(at: path, "DELETE FROM ZDISH")
        #expect(#expect(throws: StoreError.self) { try store.count(of: "Soup") }?.kind == .inUse)
        #expect(try StoreSnapshot(of: path).count(of: "Soup") == 0)
    }
}
