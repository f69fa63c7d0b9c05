import CoreDataStore
import MeterStore
import MeterTestSupport

/// What Apple's Core Data is expected to make of a sample. Every sample of the shelf has an answer: the tests of this
/// target go through `SampleShelf`, and one of them fails where a sample is missing here.
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

    /// By the name of the sample.
    static let all: [String: CoreDataAnswer] = [
        "healthy": .opens(with: .cached),
        "duplicates": .opens(with: .cached),
        "renamed": .opens(with: .cached),
        "v1": .opens(with: .cached),
        "lock-stuck": .opens(with: .cached),
        // Nothing compares the indexes with the model when a store is opened.
        "half-migrated": .opens(with: .cached),
        // Opening goes by the version hashes; the cached model is for migrations.
        "half-migrated-hashes": .opens(with: .app(.v1)),
        "wal-only": .opens(with: .cached),
        "blob": .opens(with: .cached),
        "rollback-journal": .opens(with: .cached),
        "no-history": .opens(with: .cached),
        "nameless-first": .opens(with: .cached),
        "no-model-cache": .opens(with: .app(.v2)),
        "derived-trigger": .untriedForDerivedAttribute,
        // The damage is in an index of the history.
        "check-not-intact": .opens(with: .cached),
        "check-wal-missing": .opens(with: .cached),
        "check-metadata-missing": .refuses(.noVersionHashes),
        "check-model-hash-mismatch": .refuses(.unknownVersionHashes),
        "check-model-cache-missing": .opens(with: .app(.v2)),
        "check-primary-key-behind": .opens(with: .cached),
        // `Z_ENT` is not read where an entity has its table for itself.
        "check-entity-number-mismatch": .opens(with: .cached),
        // Which of the two numbers is read makes no difference to an entity that has its table for itself.
        "check-entity-name-duplicate": .opens(with: .cached),
        "check-column-missing": .untriedForMissingColumn,
        "check-history-broken": .opens(with: .cached),
        "check-history-off": .opens(with: .cached),
        "check-rebuild-marker-missing": .opens(with: .cached),
        "check-rebuild-marker-lies": .opens(with: .cached),
        "check-rebuild-marker-old": .opens(with: .cached),
        "check-not-mirrored": .opens(with: .cached),
        "check-uniqueness-constraint": .opens(with: .cached),
        "check-no-device-settings": .opens(with: .cached),
        // Without the CloudKit options nothing looks at the mirror's tables.
        "check-mirror-unknown-entity": .opens(with: .cached),
        "check-mirror-duplicate-metadata": .opens(with: .cached),
        "check-mirror-orphan": .opens(with: .cached),
        "check-mirror-failing": .opens(with: .cached),
        "check-mirror-pending": .opens(with: .cached),
        "check-mirror-token-lost": .opens(with: .cached),
        "check-mirror-collision": .opens(with: .cached),
        "check-mirror-unnamed": .opens(with: .cached),
        "check-mirror-unfinished": .opens(with: .cached),
        "check-duplicate-mac": .opens(with: .cached),
        "check-mac-not-canonical": .opens(with: .cached),
        "check-mac-missing": .opens(with: .cached),
        "check-mac-invalid": .opens(with: .cached),
        "check-mac-placeholder": .opens(with: .cached),
        "check-name-machine-made": .opens(with: .cached),
        "check-name-shared": .opens(with: .cached),
        "check-unit-unknown": .opens(with: .cached),
        "check-updated-missing": .opens(with: .cached),
        "check-clock-in-future": .opens(with: .cached),
        "check-created-after-updated": .opens(with: .cached),
        "check-lock-torn": .opens(with: .cached),
        "check-lock-ttl": .opens(with: .cached),
        "check-lock-expired": .opens(with: .cached),
        "check-metadata-blob-malformed": .opens(with: .cached),
        "check-id-duplicate": .opens(with: .cached),
        "check-device-name-generic": .opens(with: .cached),
        "not-a-database": .refuses(.notDatabase),
        "empty": .makesNewStore,
        "photo": .refuses(.notDatabase),
        "truncated": .refuses(.damaged),
        "other-app": .opens(with: .cached),
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
