package import CoreDataStore
package import GRDB
internal import MeterJournal
package import MeterModel
package import MeterStore
internal import Texts

package struct StoreRequest: Sendable {
    /// What the store is called in what is said of it: its path, as the user gave it.
    let path: String
    var now: Timestamp
    /// The letter case of canonical addresses; nil to read it from the data.
    let letterCase: LetterCase?
    /// The letter case where the data tells none; nil for upper case.
    let fallbackCase: LetterCase?
    /// A model to go by instead of the one the store carries.
    let model: ModelFile?
    /// The state that is looked at, where it is not the present one.
    let past: PastState?

    package init(
        _ path: String, now: Timestamp, letterCase: LetterCase? = nil, fallbackCase: LetterCase? = nil,
        model: ModelFile? = nil, past: PastState? = nil
    ) {
        self.path = path
        self.now = now
        self.letterCase = letterCase
        self.fallbackCase = fallbackCase
        self.model = model
        self.past = past
    }
}

/// A store as the checks and the planners see it: what it says about itself, and its records.
package struct InspectedStore: Sendable {
    private let request: StoreRequest
    package let files: StoreFiles
    package let description: StoreDescription
    /// Nil if the store has no `DeviceSettings`.
    package let settings: SettingsTable?
    /// In the order of row numbers.
    private var knownRecords: [DeviceSettings] = []
    /// Why the records cannot be read: then at most their addresses are known.
    private(set) var damageOfRecords: DatabaseError?
    package private(set) var addresses = AddressIndex()
    /// The letter case of canonical addresses: the requested one, or the store's own.
    package private(set) var letterCase: LetterCase
    package let migrations: [Migration]
    private(set) var refusals = Refusals()
    /// What another tool did, as the log told before it was folded in; nothing where nobody has looked.
    package var logEvidence = LogEvidence()
    /// Why a part of the store is missing, or probably is; nil where nothing says so.
    package let missingLog: MissingWAL?
    /// Whether the store had the mirror's tables once, by its list of entities or its history, and has them no more.
    let lacksMirror: Bool
    let pastInFiles = Locked(PastCache())
    private(set) var recordHistory = Locked<RecordHistory?>(nil)
    /// Of the store as it is: a change makes another `InspectedStore`.
    let mirrorSigns = Locked<MirrorIndicators?>(nil)
    /// Of the store as it is, too.
    private(set) var devicesInRecords = Locked<KnownDevices?>(nil)
    private(set) var appBehaviour = Locked<AppBehaviour?>(nil)

    /// Reads what the store says about itself, and all its records.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package init(_ request: StoreRequest, files: StoreFiles, _ database: Database) throws {
        try self.init(describing: request, files: files, database)
        WorkProgress.begin("reading", of: settings?.likelyCount(inBytes: files.size), .records)
        take(try settings?.records(database) ?? [])
    }

    /// Reads what the store says about itself, and no record.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package init(describing request: StoreRequest, files: StoreFiles, _ database: Database) throws {
        self.request = request
        migrations = Migration.all
        self.files = files
        description = try StoreDescription(database, givenModel: request.model?.model)
        settings = SettingsTable(description)
        let isMirrorListed = description.entitiesWithoutTable.contains { $0.name == "NSCKRecordMetadata" }
        let hasWorkOfMirror = { [history = description.history] in
            try Session.ifIntact { try history?.hasWorkOfMirror(database) ?? false } ?? false
        }
        lacksMirror =
            try description.mirror == nil
            && (isMirrorListed || CloudKitMirror.hasParts(in: description.schema) || hasWorkOfMirror())
        let trace = files.missingWALEvidence()
        let isLeft =
            try trace?.log == .alone && BackupFolder(for: files.resolvedPath, named: nil).hasState(of: database)
        missingLog = isLeft ? nil : trace
        letterCase = request.letterCase ?? request.fallbackCase ?? .upper
        refusals = findRefusals()
    }

    package var path: String { request.path }
    package var now: Timestamp { request.now }
    /// The state that is looked at, where it is not the present one.
    package var past: PastState? { request.past }
    /// The requested letter case; nil if it is read from the data.
    var requestedCase: LetterCase? { request.letterCase }

    /// Reads the records of a store that was described. Where they cannot be read, their addresses may be in a part that can.
    /// - Throws: SQLite's errors other than damage of the records' values.
    package mutating func readRecords(_ database: Database) throws {
        guard let settings else { return }
        do {
            take(try settings.records(database))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            damageOfRecords = error
            take(try settings.addressesAlone(database))
        }
    }

    private mutating func take(_ records: [DeviceSettings]) {
        if damageOfRecords == nil { knownRecords = records }
        addresses = AddressIndex(of: records)
        letterCase = requestedCase ?? addresses.ownLetterCase ?? request.fallbackCase ?? .upper
        if refusals.ofRecordChanges == nil { refusals.ofRecordChanges = refusalOfUnsureRecords }
    }

    /// All records, in the order of row numbers; none where the store has no such table.
    /// - Throws: SQLite's error where they cannot be read.
    package var records: [DeviceSettings] {
        get throws { if let damageOfRecords { throw damageOfRecords } else { knownRecords } }
    }

    /// The number of the first record; nil where there is none, or they cannot be read.
    var firstRow: Int64? { knownRecords.first?.row }

    /// The records in these rows, in the order of row numbers; missing ones are left out.
    /// - Throws: SQLite's error where they cannot be read.
    package func records(in rows: some Sequence<Int64>) throws -> [DeviceSettings] {
        let records = try records
        return Set(rows).sorted().compactMap { row in
            let place = records.partitioningIndex { $0.row >= row }
            return place < records.endIndex && records[place].row == row ? records[place] : nil
        }
    }

    /// The record in this row; nil where there is none.
    /// - Throws: SQLite's error where they cannot be read.
    package func record(in row: Int64) throws -> DeviceSettings? { try records(in: [row]).first }

    /// The store after a change of `earlier`, with what was read of its history.
    package func following(_ earlier: InspectedStore) -> InspectedStore {
        var store = self
        store.recordHistory = earlier.recordHistory
        store.appBehaviour = earlier.appBehaviour
        return store
    }

    /// What the store says about itself now, with what was read of its history. Its records are not read.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func describedAgain(_ database: Database) throws -> InspectedStore {
        try InspectedStore(describing: request, files: files, database).following(self)
    }

    /// The store with the records that a plan leaves: for whoever plans what comes after it.
    package func planned(by plan: Plan) -> InspectedStore {
        let changes = plan.meters.lazy.flatMap(\.records)
        var updates: [Int64: RecordUpdate] = [:]
        for case .update(let update) in changes { updates[update.row] = update }
        let deleted = plan.deletedRows
        var store = self
        store.knownRecords = knownRecords.filter { !deleted.contains($0.row) }.map { record in
            updates[record.row].map { record.with($0.fields) } ?? record
        }
        store.addresses = AddressIndex(of: store.knownRecords)
        store.devicesInRecords = Locked(nil)
        return store
    }

    /// Meters with several records, or with one whose address is not canonical. Computed at each call.
    package func metersNeedingRebuild() -> [AddressIndex.Meter] { addresses.metersNeedingRebuild(of: letterCase) }

    /// `cloudStoreRebuildVersion` in the store's metadata dictionary.
    package var rebuildMarker: Int64? { RebuildMarker.version(in: description.metadata) }

    package func entityName(_ number: Int64) -> String {
        description.keys[number: number]?.name ?? "entity \(number)"
    }

    package func command(_ words: String) -> StoreCommand {
        var words = words
        // Without this option the cure would find nothing to do.
        if let requestedCase, ["rebuild", "rebuild --in-use", "fix --all", "verify"].contains(words) {
            words += " --mac-case \(requestedCase.rawValue)"
        }
        return StoreCommand(words, stores: [path])
    }

    /// Why something is refused in this store.
    func unsuitable(_ message: String, hint: String? = nil) -> StoreError {
        StoreError(.unsuitable, at: path, message, hint: hint)
    }
}

extension BackupFolder {
    /// Whether a store is exactly what meterfix left: then nothing is missing, whoever took its empty `-wal` away since, such
    /// as a SQLite shell that only looked. Journals that cannot be read say nothing, nor do contents with damage.
    fileprivate func hasState(of database: Database) throws -> Bool {
        let named = ((try? entries) ?? []).compactMap { entry in entry.journal.map { (entry.name, $0) } }
        guard !named.isEmpty, let contents = try Session.ifIntact({ try ContentsDigest(database) }) else {
            return false
        }
        let journals = Dictionary(named) { first, _ in first }
        return journals.values.contains { journal in
            guard journal.after == contents else { return false }
            // Files that were put back without a log had come without one.
            return journal.restored.map { journals[$0]?.files.contains { $0.suffix == "-wal" } ?? false } ?? true
        }
    }
}
