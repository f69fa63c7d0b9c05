internal import CoreDataStore
internal import MeterModel

/// Looks for what CloudKit's mirror deleted because it began anew, and what came down after it, while the history is read,
/// transaction by transaction.
struct MirrorRestartSearch {
    /// The time of the first transaction, in seconds since 2001, is nil where the history does not say.
    private(set) var found: [(time: Double?, deleted: Int, imported: Int)] = []
    /// Whether the last transaction was one of them.
    private var isGoingOn = false

    mutating func add(_ saved: SavedRecords) {
        switch saved.work {
        case .reset where !saved.deleted.isEmpty:
            if isGoingOn {
                found[found.count - 1].deleted += saved.deleted.count
            } else {
                found.append((saved.save.time, saved.deleted.count, 0))
            }
            isGoingOn = true
        case .import:
            if !found.isEmpty { found[found.count - 1].imported += saved.inserted.count }
            isGoingOn = false
        case .reset, .export, .migration, .setup, .event, nil: isGoingOn = false
        }
    }
}
