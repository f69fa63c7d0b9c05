import CoreDataStore

extension ManagedObjectModel {
    /// The same model with everything in one order that has none: properties, constraints and identifiers.
    var inOrder: ManagedObjectModel {
        ManagedObjectModel(
            entities: entities.map { entity in
                var entity = entity
                entity.attributes.sort { $0.name < $1.name }
                entity.relationships.sort { $0.name < $1.name }
                entity.uniquenessConstraints.sort { $0.lexicographicallyPrecedes($1) }
                return entity
            }, versionIdentifiers: versionIdentifiers.sorted())
    }
}
