internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// What the history says of a store's records: read in one pass when it is first asked for, and once, since several
/// checks and the first lines of every answer need it.
struct RecordHistory: Sendable {
    /// Records that vanished together, the first time first. What a delete storm deleted did not vanish.
    var vanished: [VanishedRecords] = []
    /// The first one first.
    var storms: [RecreatedRecords] = []
    var behaviour = AppBehaviour()
    /// What the mirror deleted to begin anew, the first time first.
    var restarts: [(time: Double?, deleted: Int, imported: Int)] = []
    /// Whether anything ever came from CloudKit.
    var hasImports = false
}

extension Session {
    /// Empty where the store has no records of meters.
    func historyOfRecords() throws -> RecordHistory {
        guard let ofMeters else { return RecordHistory() }
        return try store.recordHistory.withLock { try $0.once { try RecordHistory(in: ofMeters) } }
    }
}

extension InspectedStore {
    /// Whether the deletes of a delete storm are pending: then nobody may open the app. False before the history was
    /// read, which every answer does before it advises anything.
    var hasPendingStorm: Bool { recordHistory.withLock { $0?.storms.contains { $0.pending > 0 } ?? false } }
}

extension RecordHistory {
    fileprivate init(in session: MeterSession) throws {
        guard let history = session.history else { return }
        let (settings, database) = (session.settings, session.database)
        let table = settings.table.name
        let records = try database.rowCounts(of: [table])[table] ?? 0
        let least = max(VanishedRecords.least, records + 1)
        let saves = try history.saves(database)
        var pass = try history.read(ofEntities: settings.numbers, database) {
            RecordHistoryPass(saves, ChangedFields(session.store), least: least, records: records)
        }
        try pass.finish()
        behaviour = pass.behaviour
        restarts = pass.restarts.found
        hasImports = pass.hasImports
        storms = try RecreatedRecords.all(pass.storms.found, in: session)
        let ofStorms = Set(pass.storms.found.flatMap { $0.saves.map(\.transaction) })
        vanished = try pass.deletions.filter { !ofStorms.contains($0.save.transaction) }.compactMap { deletion in
            try history.deletedTogether(
                deletion.rows, by: deletion.save, atLeast: least, ofEntities: settings.numbers, in: table, database
            ).flatMap { VanishedRecords($0, records: records) }
        }
    }
}

struct SavedRecords {
    let save: PersistentHistory.Save
    /// What the mirror saved it for; nil for what the mirror did not save.
    let work: CloudKitMirror.Work?
    let inserted: [Int64]
    let deleted: [Int64]
    let updated: [(row: Int64, fields: TouchedFields)]

    /// Whether the app saved it on this device: nothing of the mirror, nor of meterfix.
    var isOfTheApp: Bool { work == nil && !save.names.contains(HistoryWriter.author) }
}

/// What an update of a record changed, as far as the checks of the history ask.
struct TouchedFields: OptionSet, Sendable {
    let rawValue: UInt8

    /// When the meter was last seen.
    static let discovery = TouchedFields(rawValue: 1)
    /// Who has the lock.
    static let holder = TouchedFields(rawValue: 2)
    static let id = TouchedFields(rawValue: 4)
    static let createdAt = TouchedFields(rawValue: 8)
    static let updatedAt = TouchedFields(rawValue: 16)
    static let userData = TouchedFields(rawValue: 32)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    fileprivate init(_ names: [String]) {
        self = []
        for field in names.lazy.compactMap(SettingsField.init(rawValue:)) {
            switch field {
            case .lastSeenAt, .discoveryMetadata: insert(.discovery)
            case .connectedByDeviceID, .connectedByDeviceName, .connectionMetadata: insert(.holder)
            case .id: insert(.id)
            case .createdAt: insert(.createdAt)
            case .updatedAt: insert(.updatedAt)
            case .meterName, .tc66TemperatureUnit, .modelType: insert(.userData)
            case .macAddress, .connectedAt, .connectedExpiryAt, .lastSeenByDeviceID, .lastSeenByDeviceName,
                .cloudKitRecordID:
                break
            }
        }
    }
}

private struct RecordHistoryPass: HistoryReading {
    private let saves: PersistentHistory.Saves
    private var names: ChangedFields
    /// How many records a transaction must have deleted to be of interest as a loss.
    private let least: Int
    private let records: Int
    private var transaction: Int64?
    private var (inserted, deleted): ([Int64], [Int64]) = ([], [])
    private var updated: [(row: Int64, fields: TouchedFields)] = []
    /// Of the last update: most are like the one before.
    private var (lastEntity, lastColumns, lastFields): (Int64, [UInt8], TouchedFields) = (0, [], [])
    private(set) var behaviour = AppBehaviour()
    private(set) var restarts = MirrorRestartSearch()
    private(set) var hasImports = false
    private(set) var storms = DeleteStormSearch()
    private(set) var deletions: [(save: PersistentHistory.Save, rows: [Int64])] = []

    init(_ saves: PersistentHistory.Saves, _ names: ChangedFields, least: Int, records: Int) {
        self.saves = saves
        self.names = names
        self.least = least
        self.records = records
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
        case .update: updated.append((change.object, fields(of: change)))
        case nil: break
        }
    }

    private mutating func fields(of change: PersistentHistory.ReadChange) -> TouchedFields {
        let entity = change.entityNumber
        return change.withColumns { columns in
            if entity != lastEntity || !columns.elementsEqual(lastColumns) {
                (lastEntity, lastColumns) = (entity, Array(columns))
                lastFields = TouchedFields(names.names(in: lastColumns, ofEntity: entity) ?? [])
            }
            return lastFields
        }
    }

    mutating func finish() throws {
        defer { (inserted, deleted, updated) = ([], [], []) }
        // Changes without their transaction are another finding.
        guard let transaction, let save = try saves.save(transaction) else { return }
        if deleted.count >= least { deletions.append((save, deleted)) }
        let saved = SavedRecords(
            save: save, work: CloudKitMirror.Work(save), inserted: inserted, deleted: deleted, updated: updated)
        storms.add(saved)
        behaviour.add(saved, records: records)
        restarts.add(saved)
        if saved.work == .import { hasImports = true }
    }
}

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
