package import CoreDataStore
package import GRDB
package import MeterJournal
package import MeterModel
package import MeterStore

/// A store that is looked at or changed, of any app that uses Core Data: what is known of it, and what reads more of it.
/// It does not outlive the transaction in which it was made.
///
/// What reads of it throws SQLite's errors, and `StoreError` of kind `interrupted` where the user asked to stop.
package struct Session {
    package var store: InspectedStore
    package let database: Database

    package init(_ store: InspectedStore, _ database: Database) {
        self.store = store
        self.database = database
    }

    package var description: StoreDescription { store.description }
    package var mirror: CloudKitMirror? { store.description.mirror }
    package var history: PersistentHistory? { store.description.history }
    /// Nil if the store has no records of meters.
    var settings: SettingsTable? { store.settings }

    /// Nil where the store has no records of meters.
    package var meterSession: MeterSession? { store.settings.map { MeterSession(self, $0) } }

    /// - Throws: `StoreError`, `unsuitable` where the store has no records of meters.
    package func requireMeterSession() throws(StoreError) -> MeterSession {
        guard let meterSession else {
            let problem = try StoreError.at(store.path) { try SettingsTable.problem(in: description, database) }
            throw problem.map { Refusal.unusableSettings($0, in: store) } ?? Refusal.noSettings(in: store)
        }
        return meterSession
    }

    /// Whether the last transaction of the history is one by meterfix.
    /// - Throws: SQLite's errors.
    package func endsWithOwnChange() throws -> Bool {
        guard let history, let last = try history.lastTransaction(database) else { return false }
        return try history.saves(database).save(last)?.author == HistoryWriter.author
    }

    /// The backups in a folder, with which of them are of the store as it is.
    /// - Throws: also `StoreError` where the folder cannot be read.
    package func stack(in folder: BackupFolder) throws -> BackupStack {
        try folder.stack(of: description, store.files, now: ContentsDigest(database))
    }
}

extension Session {
    /// Reads a store at `path` that nothing is to change, its records included, and leaves no trace.
    /// - Parameters:
    ///   - moment: the state of the past that is wanted; nil for the present.
    ///   - name: what the store is called in what is said of it; nil for its path.
    /// - Throws: `StoreError` if it cannot be read, or if the user asked to stop; `unsuitable` if the state of that moment
    ///   is not certain any more.
    package static func look<Result>(
        at path: String, in moment: PastMoment? = nil, named name: String? = nil, now: Timestamp,
        _ body: (Session) throws -> Result
    ) throws(StoreError) -> Result {
        let copy: PastCopy? = if let moment { try StoreConnection.past(of: path, at: moment) } else { nil }
        let request = StoreRequest(name ?? path, now: now, past: copy?.state)
        return try StoreConnection.look(at: copy?.path ?? path) { connection, database in
            let result = try body(Session(InspectedStore(request, files: connection.files, database), database))
            try Interruption.check(path)
            return result
        }
    }
}

extension Session {
    /// What a damaged store may still have.
    /// - Returns: nil where what is read is in a damaged part.
    /// - Throws: what `read` throws, but for SQLite's error of damage.
    static func ifIntact<Value>(_ read: () throws -> Value) throws -> Value? {
        do {
            return try read()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return nil
        }
    }
}

extension InspectedStore {
    /// - Throws: `StoreError`, `unsuitable` for a database of something else than Core Data.
    package func requireCoreData() throws(StoreError) {
        guard description.isCoreData else { throw Refusal.noSettings(in: self) }
    }
}

/// A session of a store that has records of meters.
@dynamicMemberLookup
package struct MeterSession {
    /// The session of the store, whatever else it has.
    package var base: Session
    package let settings: SettingsTable

    /// - Parameter settings: of the session's store.
    package init(_ base: Session, _ settings: SettingsTable) {
        self.base = base
        self.settings = settings
    }

    package subscript<Value>(dynamicMember path: KeyPath<Session, Value>) -> Value { base[keyPath: path] }

    /// As `Session.look`.
    /// - Throws: `StoreError` as there, and `unsuitable` if the store has no records of meters.
    package static func look<Result>(
        at path: String, in moment: PastMoment? = nil, named name: String? = nil, now: Timestamp,
        _ body: (MeterSession) throws -> Result
    ) throws(StoreError) -> Result {
        try Session.look(at: path, in: moment, named: name, now: now) { try body($0.requireMeterSession()) }
    }

    /// Of the store as it says it is now. Its records are not read.
    /// - Throws: also `StoreError`, `unsuitable` if it has no records of meters.
    package func describedAgain() throws -> MeterSession {
        try Session(base.store.describedAgain(base.database), base.database).requireMeterSession()
    }

    /// The records in `rows` with what CloudKit knows of them, by row number; missing rows are skipped.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func wholeRecords(of rows: some Sequence<Int64>) throws -> [Int64: DeviceSettings] {
        let records = try withCloudRecords(base.store.records(in: rows))
        return Dictionary(uniqueKeysWithValues: records.map { ($0.row, $0) })
    }

    /// The same records, with what CloudKit knows of them.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func withCloudRecords(_ records: [DeviceSettings]) throws -> [DeviceSettings] {
        guard !records.isEmpty else { return [] }
        return try cloudRecords(of: records.map(\.row)).added(to: records)
    }

    /// The same meters, with what CloudKit knows of their records.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func withCloudRecords(_ meters: [AddressIndex.Meter]) throws -> [AddressIndex.Meter] {
        let known = try cloudRecords(of: meters.lazy.flatMap(\.rows))
        return meters.map { AddressIndex.Meter(address: $0.address, records: known.added(to: $0.records)) }
    }

    /// Records that CloudKit does not have as they are, and never gets, unless somebody changes them.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func rowsNeverSent() throws -> Set<Int64> {
        guard let mirror = base.mirror, let signs = try base.mirrorSigns() else { return [] }
        let objects = try signs.leftBehind + mirror.unnamed(in: base.description, base.database)
        return Set(objects.filter { settings.numbers.contains($0.entityNumber) }.map(\.row))
            .union(base.store.logEvidence.rowsWithoutHistory)
    }

    private func cloudRecords(of rows: some Sequence<Int64>) throws -> CloudRecords {
        var records = try settings.cloudRecords(of: rows, base.mirror, base.database)
        guard let signs = try base.mirrorSigns() else { return records }
        for object in signs.deleted.union(signs.purged) where settings.numbers.contains(object.entityNumber) {
            records.setAboutToBeDeleted(object.row)
        }
        return records
    }

    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func size() throws -> StoreSize {
        StoreSize(
            records: base.store.addresses.records, groups: base.store.addresses.groups,
            mirrored: try settings.mirroredRecords(base.store.description.mirror, base.database),
            hasMirror: base.store.description.mirror != nil)
    }
}
