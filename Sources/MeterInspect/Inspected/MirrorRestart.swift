internal import CoreDataStore
internal import MeterModel

/// What CloudKit's mirror deleted because it began anew, and what came down after it.
struct MirrorRestart: Sendable {
    /// Of the first transaction, in seconds since 2001; nil where the history does not say.
    let time: Double?
    /// Records that it deleted.
    fileprivate(set) var deleted: Int
    /// Records that imports have made since.
    fileprivate(set) var imported = 0
}

/// Looks for it while the history is read, transaction by transaction.
struct MirrorRestartSearch {
    private(set) var found: [MirrorRestart] = []
    /// Whether the last transaction was one of them.
    private var isGoingOn = false

    mutating func add(_ saved: SavedRecords) {
        switch saved.work {
        case .reset where !saved.deleted.isEmpty:
            if isGoingOn {
                found[found.count - 1].deleted += saved.deleted.count
            } else {
                found.append(MirrorRestart(time: saved.save.time, deleted: saved.deleted.count))
            }
            isGoingOn = true
        case .import:
            if !found.isEmpty { found[found.count - 1].imported += saved.inserted.count }
            isGoingOn = false
        case .reset, .export, .migration, .setup, .event, nil: isGoingOn = false
        }
    }
}
