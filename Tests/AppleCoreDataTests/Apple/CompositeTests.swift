#if canImport(CoreData)
    import CoreData
    import CoreDataStore
    import Foundation
    import MeterTestSupport
    import Testing

    /// What is known of composite attributes was read in descriptions of Apple's code: here Core Data itself says whether
    /// it is so.
    @Suite("a composite attribute of Core Data's own")
    struct CompositeTests {
        /// A person has a home with a name of its own, and the home a point.
        @available(macOS 14.0, *)
        private static func model() -> NSManagedObjectModel {
            let point = NSCompositeAttributeDescription()
            point.name = "point"
            point.isOptional = true
            point.elements = [attribute("lat", .doubleAttributeType), attribute("lon", .doubleAttributeType)]
            let home = NSCompositeAttributeDescription()
            home.name = "home"
            home.isOptional = true
            home.elements = [attribute("name", .stringAttributeType), point]
            let person = NSEntityDescription()
            person.name = "Person"
            person.properties = [attribute("name", .stringAttributeType), home]
            let model = NSManagedObjectModel()
            model.entities = [person]
            return model
        }

        private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }

        @available(macOS 14.0, *)
        @Test("is in the store's model, and its elements have the columns that meterfix reads")
        func read() throws {
            let folder = try TemporaryFolder()
            let path = folder.path + "/default.store"
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
            let store = try coordinator.addPersistentStore(
                type: .sqlite, at: URL(fileURLWithPath: path), options: nil)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
                person.setValue("Ana", forKey: "name")
                let point: [String: Any] = ["lat": 45.35, "lon": 25.55]
                let home: [String: Any] = ["name": "Sinaia", "point": point]
                person.setValue(home, forKey: "home")
                try context.save()
                context.reset()
            }
            try coordinator.remove(store)

            let snapshot = try StoreSnapshot(of: path)
            let model = try #require(snapshot.model)
            let person = try #require(model.entities.first)
            #expect(
                model.allComposites(of: person).flatMap(\.leaves).map(\.keyPath)
                    == ["home.name", "home.point.lat", "home.point.lon"])
            var objects: [StoredObject] = []
            try snapshot.forEachObject(of: "Person") { objects.append($0) }
            #expect(
                objects.map(\.values) == [
                    [
                        "name": .text("Ana"), "home.name": .text("Sinaia"), "home.point.lat": .number(45.35),
                        "home.point.lon": .number(25.55),
                    ]
                ])
        }
    }
#endif
