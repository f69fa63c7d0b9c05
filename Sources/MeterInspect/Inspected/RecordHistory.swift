internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// What the history says of records that were made and deleted: read when it is first asked for, and once, since several
/// checks and the first lines of every answer need it. SQLite reads past all updates.
struct RecordHistory: Sendable {
    /// Records that vanished together, the first time first. What a delete storm deleted did not vanish.
    var vanished: [VanishedRecords] = []
    /// The first one first.
    var storms: [RecreatedRecords] = []
    /// What the mirror deleted to begin anew, the first time first.
    var restarts: [MirrorRestart] = []
    /// The last transaction in which meterfix deleted records, as a rebuild does.
    var lastRepair: SavedRecords?
}

extension Session {
    /// Empty where the store has no records of meters.
    func historyOfRecords() throws -> RecordHistory {
        guard let meterSession else { return RecordHistory() }
        return try store.recordHistory.withLock { try $0.once { try RecordHistory(in: meterSession) } }
    }
}

extension InspectedStore {
    /// Whether the deletes of a delete storm are pending: then nobody may open the app. False before the history was
    /// read, which every answer does before it advises anything.
    var hasPendingStorm: Bool { recordHistory.withLock { $0?.storms.contains { $0.pending > 0 } ?? false } }

    /// Whether records vanished together: other devices may still have them. False before the history was read.
    var hasVanishedRecords: Bool { recordHistory.withLock { $0.map { !$0.vanished.isEmpty } ?? false } }
}

extension RecordHistory {
    fileprivate init(in session: MeterSession) throws {
        guard let history = session.history else { return }
        let (settings, database) = (session.settings, session.database)
        let table = settings.table.name
        let records = try database.rowCounts(of: [table])[table] ?? 0
        let saves = try SavedRecords.all(in: session, history)
        var search = DeleteStormSearch()
        for saved in saves { search.add(saved) }
        restarts = try MirrorRestart.all(among: saves) { first, last in
            try history.hasChange(ofEntities: settings.numbers, between: first, and: last, database)
        }
        lastRepair = saves.last { !$0.deleted.isEmpty && ($0.save.author ?? $0.save.bundle) == HistoryWriter.author }
        storms = try RecreatedRecords.all(search.found, in: session)
        vanished = try VanishedRecords.all(among: saves, besides: search.found, records: records, in: session, history)
    }
}

/// A transaction that made or deleted records.
struct SavedRecords: Sendable {
    let save: PersistentHistory.Save
    /// What the mirror saved it for; nil for what the mirror did not save.
    let work: CloudKitMirror.Work?
    private(set) var inserted: [Int64] = []
    private(set) var deleted: [Int64] = []

    /// Whether the app saved it on this device: nothing of the mirror, nor of meterfix.
    var isOfTheApp: Bool { save.isOfTheApp }

    /// Seconds between two transactions that belong together.
    private static let longest: Double = 60

    /// Whether both were saved within a minute.
    func isClose(to other: SavedRecords) -> Bool {
        guard let time = save.time, let otherTime = other.save.time else { return false }
        return abs(time - otherTime) <= Self.longest
    }

    private init(_ save: PersistentHistory.Save) {
        self.save = save
        work = CloudKitMirror.Work(save)
    }

    /// In the order of the transactions.
    fileprivate static func all(in session: MeterSession, _ history: PersistentHistory) throws -> [SavedRecords] {
        let (numbers, saves) = (session.settings.numbers, history.saves(session.database))
        var found: [Int64: SavedRecords] = [:]
        try history.forEachInsertOrDelete(ofEntities: numbers, session.database) { kind, object, transaction in
            let known = found.removeValue(forKey: transaction)
            guard var saved = try known ?? saves.save(transaction).map(SavedRecords.init) else { return }
            switch kind {
            case .insert: saved.inserted.append(object)
            case .delete: saved.deleted.append(object)
            case .update: break
            }
            found[transaction] = saved
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension PersistentHistory.Save {
    /// Whether the app saved it on this device: nothing of the mirror, nor of meterfix.
    var isOfTheApp: Bool { CloudKitMirror.Work(self) == nil && !names.contains(HistoryWriter.author) }
}

/// What CloudKit's mirror deleted because it began anew, and what came down after it.
package struct MirrorRestart: Sendable {
    /// Of its first transaction, in seconds since 2001; nil where the history does not say.
    package let time: Double?
    private(set) var deleted: Int
    private(set) var imported = 0
    /// Records that did not come down again.
    package var missing: Int { max(0, deleted - imported) }

    /// Resets that follow one another are one restart.
    /// - Parameter isInterrupted: whether records were changed between two transactions.
    fileprivate static func all(
        among saves: [SavedRecords], isInterrupted: (_ first: Int64, _ last: Int64) throws -> Bool
    ) rethrows -> [MirrorRestart] {
        var found: [MirrorRestart] = []
        /// The last transaction, if it was one of the last restart.
        var last: Int64?
        for saved in saves {
            switch saved.work {
            case .reset where !saved.deleted.isEmpty:
                let number = saved.save.transaction ?? 0
                if let last, try !isInterrupted(last, number) {
                    found[found.count - 1].deleted += saved.deleted.count
                } else {
                    found.append(MirrorRestart(time: saved.save.time, deleted: saved.deleted.count))
                }
                last = number
            case .import:
                if !found.isEmpty { found[found.count - 1].imported += saved.inserted.count }
                last = nil
            case .reset, .export, .migration, .setup, .event, nil: last = nil
            }
        }
        return found
    }
}
