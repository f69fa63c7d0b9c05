internal import CoreDataStore
internal import MeterModel

/// What a store is to become: the model, and everything in the file that follows from it.
struct MigrationTarget {
    /// Nil where the store carries no model and none was given: only known versions' hashes are changed then.
    let model: ManagedObjectModel?
    /// The new content of `Z_MODELCACHE`; nil to leave it.
    var cache: [UInt8]?
    /// Of every entity.
    let hashes: [String: [UInt8]]
    /// `NSStoreModelVersionIdentifiers`; nil to leave them.
    var identifiers: [String]?
    /// Indexes of constraints that the model does not have.
    let droppedIndexes: [StoreSchema.Attachment]
    /// What was found that a person should know: sentences.
    var notes: [String]
}
