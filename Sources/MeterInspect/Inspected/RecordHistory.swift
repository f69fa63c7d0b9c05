internal import CoreDataStore
internal import Foundation
internal import GRDB
internal import MeterStore

/// What the history says of a store's records: read in one pass when it is first asked for, and once, since several
/// checks and the first lines of every answer need it.
struct RecordHistory: Sendable {
    /// Records that vanished together, the first time first. What a delete storm deleted did not vanish.
    var vanished: [VanishedRecords] = []
    /// The first one first.
    var storms: [RecreatedRecords] = []
}

/// Keeps what was read.
final class KnownRecordHistory: @unchecked Sendable {
    private let lock = NSLock()
    private var history: RecordHistory?

    /// Nil before it was read.
    fileprivate var known: RecordHistory? { lock.withLock { history } }

    fileprivate func history(of store: InspectedStore, _ database: Database) throws -> RecordHistory {
        try lock.withLock {
            if let history { return history }
            let found = try RecordHistory(of: store, database)
            history = found
            return found
        }
    }
}

extension InspectedStore {
    /// - Throws: SQLite's errors.
    func historyOfRecords(_ database: Database) throws -> RecordHistory {
        try recordHistory.history(of: self, database)
    }

    /// Whether the deletes of a delete storm are pending: then nobody may open the app. False before the history was
    /// read, which every answer does before it advises anything.
    var hasPendingStorm: Bool { recordHistory.known?.storms.contains { $0.pending > 0 } ?? false }
}

extension RecordHistory {
    fileprivate init(of store: InspectedStore, _ database: Database) throws {
        guard let history = store.description.history, let settings = store.settings else { return }
        let table = settings.table.name
        let records = try database.rowCounts(of: [table])[table] ?? 0
        let least = max(VanishedRecords.least, records + 1)
        let saves = try history.saves(database)
        var pass = try history.read(ofEntities: settings.numbers, database) { RecordHistoryPass(saves, least: least) }
        try pass.finish()
        storms = try RecreatedRecords.all(pass.storms.found, in: store, settings, database)
        let ofStorms = Set(pass.storms.found.flatMap { $0.saves.map(\.transaction) })
        vanished = try pass.deletions.filter { !ofStorms.contains($0.save.transaction) }.compactMap { deletion in
            try history.deletedTogether(
                deletion.rows, by: deletion.save, atLeast: least, ofEntities: settings.numbers, in: table, database
            ).flatMap { VanishedRecords($0, records: records) }
        }
    }
}

/// The records that one transaction made and deleted.
struct SavedRecords {
    let save: PersistentHistory.Save
    var inserted: [Int64]
    var deleted: [Int64]
}

/// Takes the history transaction by transaction.
private struct RecordHistoryPass: HistoryReading {
    private let saves: PersistentHistory.Saves
    /// How many records a transaction must have deleted to be of interest as a loss.
    private let least: Int
    private var transaction: Int64?
    private var (inserted, deleted): ([Int64], [Int64]) = ([], [])
    private(set) var storms = DeleteStormSearch()
    private(set) var deletions: [(save: PersistentHistory.Save, rows: [Int64])] = []

    init(_ saves: PersistentHistory.Saves, least: Int) {
        self.saves = saves
        self.least = least
    }

    mutating func visit(_ change: PersistentHistory.ReadChange) throws {
        let transaction = change.transaction
        if transaction != self.transaction {
            try finish()
            self.transaction = transaction
        }
        switch change.kind {
        case .insert: inserted.append(change.object)
        case .delete: deleted.append(change.object)
        case .update, nil: break
        }
    }

    /// Ends a transaction.
    mutating func finish() throws {
        defer { (inserted, deleted) = ([], []) }
        // Changes without their transaction are another finding.
        guard let transaction, let save = try saves.save(transaction) else { return }
        if deleted.count >= least { deletions.append((save, deleted)) }
        storms.add(SavedRecords(save: save, inserted: inserted, deleted: deleted))
    }
}
