#if canImport(CoreData)
    import CoreData
    import CoreDataStore
    import Foundation

    /// Models as Core Data has them. Each call makes a new one: Core Data lets nobody change a model that it has used, and
    /// they are not to be shared between threads.
    enum AppleModel {
        /// The model that a description describes, made in code.
        static func make(_ model: ManagedObjectModel) -> NSManagedObjectModel {
            var entities: [String: NSEntityDescription] = [:]
            for entity in model.entities {
                let description = NSEntityDescription()
                description.name = entity.name
                description.isAbstract = entity.isAbstract
                description.versionHashModifier = entity.versionHashModifier
                entities[entity.name] = description
            }
            for entity in model.entities {
                entities[entity.name]?.subentities = model.entities.filter { $0.superentity == entity.name }
                    .compactMap { entities[$0.name] }
            }
            var relationships: [String: [String: NSRelationshipDescription]] = [:]
            for entity in model.entities {
                for relationship in entity.relationships {
                    relationships[entity.name, default: [:]][relationship.name] = self.relationship(
                        relationship, to: entities[relationship.destination])
                }
            }
            for entity in model.entities {
                for relationship in entity.relationships {
                    guard let inverse = relationship.inverse else { continue }
                    relationships[entity.name]?[relationship.name]?.inverseRelationship =
                        relationships[relationship.destination]?[inverse]
                }
                let properties: [NSPropertyDescription] =
                    entity.attributes.map(attribute)
                    + entity.relationships.compactMap { relationships[entity.name]?[$0.name] }
                entities[entity.name]?.properties = properties
                if !entity.uniquenessConstraints.isEmpty {
                    entities[entity.name]?.uniquenessConstraints = entity.uniquenessConstraints
                }
            }
            let made = NSManagedObjectModel()
            made.entities = model.entities.compactMap { entities[$0.name] }
            made.versionIdentifiers = Set(model.versionIdentifiers.map { AnyHashable($0) })
            return made
        }

        private static func attribute(_ attribute: Attribute) -> NSAttributeDescription {
            let description = NSAttributeDescription()
            description.name = attribute.name
            description.attributeType =
                NSAttributeType(rawValue: UInt(attribute.type.rawValue)) ?? .undefinedAttributeType
            description.isOptional = attribute.traits.isOptional
            description.isTransient = attribute.traits.isTransient
            description.versionHashModifier = attribute.traits.versionHashModifier
            description.allowsExternalBinaryDataStorage = attribute.usesExternalStorage
            description.preservesValueInHistoryOnDeletion = attribute.preservesValueAfterDeletion
            return description
        }

        private static func relationship(
            _ relationship: Relationship, to destination: NSEntityDescription?
        ) -> NSRelationshipDescription {
            let description = NSRelationshipDescription()
            description.name = relationship.name
            description.destinationEntity = destination
            description.isOptional = relationship.traits.isOptional
            description.isTransient = relationship.traits.isTransient
            description.versionHashModifier = relationship.traits.versionHashModifier
            description.minCount = Int(relationship.minCount)
            description.maxCount = Int(relationship.maxCount)
            description.isOrdered = relationship.isOrdered
            description.deleteRule = .nullifyDeleteRule
            return description
        }

        /// The model in a keyed archive, which is what `Z_MODELCACHE` holds once it is inflated.
        /// - Throws: what the unarchiver dislikes.
        static func unarchived(_ archive: [UInt8]) throws -> NSManagedObjectModel {
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(archive))
            defer { unarchiver.finishDecoding() }
            // Which classes a model may hold is Core Data's own affair.
            unarchiver.requiresSecureCoding = false
            let root = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
            if let error = unarchiver.error { throw error }
            guard let model = root as? NSManagedObjectModel else { throw AppleFailure("the archive holds no model") }
            return model
        }

        /// The model that Core Data itself reads from the store at `path`.
        ///
        /// The call is looked for by its name: it came with macOS 26.4, and which SDK there is no compiler can be asked.
        /// - Returns: nil where the system has no call for it.
        static func cached(in path: String) throws -> NSManagedObjectModel? {
            typealias Model = Unmanaged<NSManagedObjectModel>
            typealias Call = @convention(c) (AnyObject, Selector, NSURL, NSDictionary, NSErrorPointer) -> Model?
            let name = NSSelectorFromString("cachedModelForPersistentStoreAtURL:options:error:")
            guard let method = class_getClassMethod(NSPersistentStoreCoordinator.self, name) else { return nil }
            let call = unsafeBitCast(method_getImplementation(method), to: Call.self)
            var error: NSError?
            let model = call(
                NSPersistentStoreCoordinator.self as AnyObject, name, NSURL(fileURLWithPath: path),
                [NSReadOnlyPersistentStoreOption: NSNumber(value: true)], &error)
            guard let model else { throw error ?? AppleFailure("Core Data reads no model, and does not say why") }
            return model.takeUnretainedValue()
        }

        /// The archive that Core Data makes of a model.
        static func archived(_ model: NSManagedObjectModel) throws -> [UInt8] {
            try Array(NSKeyedArchiver.archivedData(withRootObject: model, requiringSecureCoding: false))
        }

        /// Entity → 32 bytes.
        static func versionHashes(of model: NSManagedObjectModel) -> [String: [UInt8]] {
            model.entityVersionHashesByName.mapValues { Array($0) }
        }
    }

    /// Core Data did what no test expects.
    struct AppleFailure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
#endif
