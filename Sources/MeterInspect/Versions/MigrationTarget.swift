package import CoreDataStore
package import MeterModel

/// What a store is to become: the model, and everything in the file that follows from it.
package struct MigrationTarget {
    /// Nil where the store carries no model and none was given: only known versions' hashes are changed then.
    package let model: ManagedObjectModel?
    /// The new content of `Z_MODELCACHE`; nil to leave it.
    package var cache: [UInt8]?
    /// Of every entity.
    package let hashes: [String: [UInt8]]
    /// `NSStoreModelVersionIdentifiers`; nil to leave them.
    package var identifiers: [String]?
    /// The columns that migrations add, where no model tells it.
    package var addedColumns: [SchemaChange] = []
    /// Indexes of constraints that the model does not have.
    package let droppedIndexes: [StoreSchema.Attachment]
    /// What was found that a person should know: sentences.
    package var notes: [Sentence]
}
