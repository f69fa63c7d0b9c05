#if canImport(CoreData)
    import CoreData
    import CoreDataStore
    import Foundation
    import MeterModel
    import MeterStore
    import MeterTestSupport

    /// A store that Core Data itself has open. Whatever is done to its objects is done on the queue of their context, which
    /// is all that `Sendable` asks for.
    final class AppleStore: @unchecked Sendable {
        private let coordinator: NSPersistentStoreCoordinator
        private let store: NSPersistentStore
        private let context: NSManagedObjectContext
        /// The description of the model that the store was opened with.
        private let model: ManagedObjectModel
        /// The folder of the store: there for as long as Core Data has files in it open.
        private let folder: TemporaryFolder

        /// Opens a store, or makes one where there is none.
        /// - Parameters:
        ///   - name: the store's file in `folder`.
        ///   - description: what `model` is.
        ///   - tracksHistory: without it Core Data opens a store read-only that has a history.
        ///   - migrates: whether the store is to be brought to the model, by an inferred mapping.
        /// - Throws: Core Data's errors.
        init(
            _ name: String, in folder: TemporaryFolder, _ model: NSManagedObjectModel,
            describedAs description: ManagedObjectModel, tracksHistory: Bool, migrates: Bool = false
        ) throws {
            self.model = description
            self.folder = folder
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let options: [AnyHashable: Any] = [
                NSPersistentHistoryTrackingKey: NSNumber(value: tracksHistory),
                NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: migrates),
                NSInferMappingModelAutomaticallyOption: NSNumber(value: migrates),
            ]
            store = try coordinator.addPersistentStore(
                type: .sqlite, at: URL(fileURLWithPath: folder.path + "/" + name), options: options)
            guard !store.isReadOnly else { throw AppleFailure("the store could only be opened to be read") }
            context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
        }

        /// Brings a store with history to another model, in a new file, by an inferred mapping.
        /// - Parameters:
        ///   - name: the store's file in `folder`.
        ///   - newName: the new one.
        /// - Throws: Core Data's errors.
        static func migrate(
            _ name: String, from model: ManagedObjectModel, to newModel: ManagedObjectModel, as newName: String,
            in folder: TemporaryFolder
        ) throws {
            let (source, destination) = (AppleModel.make(model), AppleModel.make(newModel))
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: source, destinationModel: destination)
            let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: NSNumber(value: true)]
            try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
                from: URL(fileURLWithPath: folder.path + "/" + name), type: .sqlite, options: options,
                mapping: mapping, to: URL(fileURLWithPath: folder.path + "/" + newName), type: .sqlite,
                options: options)
        }

        /// Lets go of the files.
        func close() throws {
            context.performAndWait { context.reset() }
            try coordinator.remove(store)
        }

        /// How many objects there are of an entity.
        func count(of entity: String) throws -> Int {
            try context.performAndWait {
                try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
            }
        }

        /// Every object of `DeviceSettings`, value by value.
        func records() throws -> ReadRecords {
            let attributes = try entity().attributes
            return try context.performAndWait {
                var records: [Int64: [String: FieldValue]] = [:]
                for object in try objects() {
                    var values: [String: FieldValue] = [:]
                    for attribute in attributes {
                        let value = object.value(forKey: attribute.name)
                        guard let read = FieldValue(object: value, type: attribute.type) else {
                            throw AppleFailure("\(attribute.name) is \(value.map { "\($0)" } ?? "nil")")
                        }
                        values[attribute.name] = read
                    }
                    records[try Self.row(of: object.objectID)] = values
                }
                return ReadRecords(records)
            }
        }

        private func entity() throws -> Entity {
            guard let entity = model[entity: SettingsTable.entityName] else {
                throw AppleFailure("the model has no \(SettingsTable.entityName)")
            }
            return entity
        }

        /// Only on the queue of the context.
        private func objects() throws -> [NSManagedObject] {
            let request = NSFetchRequest<NSManagedObject>(entityName: SettingsTable.entityName)
            request.returnsObjectsAsFaults = false
            return try context.fetch(request)
        }

        /// The URL of an object ends with its `Z_PK`: `x-coredata://STORE/ENTITY/p7`.
        private static func row(of identity: NSManagedObjectID) throws -> Int64 {
            let name = identity.uriRepresentation().lastPathComponent
            guard name.hasPrefix("p"), let row = Int64(name.dropFirst()) else {
                throw AppleFailure("\(name) has no row number")
            }
            return row
        }

        /// The whole history of `DeviceSettings`.
        func history() throws -> [HistoryTransaction] {
            try context.performAndWait {
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
                request.resultType = .transactionsAndChanges
                let result = try context.execute(request) as? NSPersistentHistoryResult
                guard let transactions = result?.result as? [NSPersistentHistoryTransaction] else {
                    throw AppleFailure("the history has no transactions")
                }
                return try transactions.map { transaction in
                    HistoryTransaction(
                        number: transaction.transactionNumber, author: transaction.author,
                        bundle: transaction.bundleID, process: transaction.processID,
                        changes: try (transaction.changes ?? []).filter {
                            $0.changedObjectID.entity.name == SettingsTable.entityName
                        }.map(Self.change))
                }
            }
        }

        private static func change(_ change: NSPersistentHistoryChange) throws -> HistoryChange {
            guard let kind = HistoryChange.Kind(rawValue: change.changeType.rawValue) else {
                throw AppleFailure("a change of type \(change.changeType.rawValue)")
            }
            // No attribute of the app's is preserved after deletion.
            guard change.tombstone?.isEmpty ?? true else { throw AppleFailure("a tombstone has values") }
            return HistoryChange(
                kind: kind, row: try row(of: change.changedObjectID),
                updatedProperties: change.updatedProperties.map { Set($0.map(\.name)) })
        }

        /// What an app does to its records.
        struct Edit: Sendable {
            /// Values for the attributes of a new object.
            var insertion: [String: any Sendable] = [:]
            /// Row and new values.
            var update: (row: Int64, values: [String: any Sendable])?
            var deletedRow: Int64?
        }

        /// Carries out an edit in one save.
        /// - Returns: the row of the new object, nil where there is none.
        func save(_ edit: Edit, author: String) throws -> Int64? {
            try context.performAndWait {
                context.transactionAuthor = author
                var inserted: NSManagedObject?
                if !edit.insertion.isEmpty {
                    inserted = NSEntityDescription.insertNewObject(
                        forEntityName: SettingsTable.entityName, into: context)
                    inserted?.setValuesForKeys(edit.insertion)
                }
                for object in try objects() where !object.objectID.isTemporaryID {
                    let row = try Self.row(of: object.objectID)
                    if let update = edit.update, update.row == row { object.setValuesForKeys(update.values) }
                    if edit.deletedRow == row { context.delete(object) }
                }
                try context.save()
                return try inserted.map { try Self.row(of: $0.objectID) }
            }
        }
    }
#endif
