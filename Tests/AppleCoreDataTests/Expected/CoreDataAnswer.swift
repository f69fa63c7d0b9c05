import CoreDataStore
import MeterStore
import MeterTestSupport

/// What Apple's Core Data is expected to make of a sample. The tests of this target go through `SampleShelf`.
///
/// What can be held against the file without Core Data is: see `CoreDataAnswerTests`.
enum CoreDataAnswer: Hashable, Sendable {
    /// It opens with this model, and its objects are the records that meterfix reads.
    case opens(with: KnownModel)
    /// It opens with no model there is.
    case refuses(Obstacle)
    /// SQLite takes an empty file for a new database, and Core Data makes a new store of it.
    case makesNewStore
    /// A derived attribute has an expression, which meterfix does not read. Without it Core Data takes no such attribute:
    /// it raises an exception, which Swift cannot catch.
    case untriedForDerivedAttribute
    /// It opens, because only the version hashes are compared. The first fetch then fails, perhaps with an exception,
    /// which Swift cannot catch.
    case untriedForMissingColumn

    /// What keeps Core Data from opening a file.
    enum Obstacle: Hashable, Sendable {
        case notDatabase
        /// SQLite refuses it.
        case damaged
        /// No `Z_METADATA`.
        case notCoreData
        /// No version hashes in the metadata.
        case noVersionHashes
        /// The version hashes are those of no model there is (`NSPersistentStoreIncompatibleVersionHashError`).
        case unknownVersionHashes
    }

    /// A model that a store can be opened with.
    enum KnownModel: Hashable, Sendable {
        /// The one in `Z_MODELCACHE`.
        case cached
        /// The app's own, as `USBMeterModel` describes it.
        case app(USBMeterModel.Version)
    }

    /// What is expected of a sample. Core Data opens most of them with their cached model, also those with something
    /// wrong in the rows, the indexes, the history or the mirror's tables: opening goes by the version hashes alone.
    static func of(_ sample: Sample) -> CoreDataAnswer { others[sample.name] ?? .opens(with: .cached) }

    /// By the name of the sample.
    static let others: [String: CoreDataAnswer] = [
        // Opening goes by the version hashes; the cached model is for migrations.
        "half-migrated-hashes": .opens(with: .app(.v1)),
        "no-model-cache": .opens(with: .app(.v2)),
        "unknown-model": .refuses(.unknownVersionHashes),
        "derived-trigger": .untriedForDerivedAttribute,
        "check-metadata-missing": .refuses(.noVersionHashes),
        "check-model-hash-mismatch": .refuses(.unknownVersionHashes),
        "check-model-cache-missing": .opens(with: .app(.v2)),
        "check-column-missing": .untriedForMissingColumn,
        "not-a-database": .refuses(.notDatabase),
        "empty": .makesNewStore,
        "photo": .refuses(.notDatabase),
        "truncated": .refuses(.damaged),
        "not-core-data": .refuses(.notCoreData),
    ]
}

extension CoreDataAnswer.KnownModel {
    /// - Parameter store: the one to be opened.
    /// - Returns: nil where the store carries no model.
    func model(for store: StoreDescription) -> ManagedObjectModel? {
        switch self {
        case .cached: store.storedModel.model
        case .app(.v1): USBMeterModel.v1
        case .app(.v2): USBMeterModel.v2
        }
    }
}
