package import CoreDataStore
internal import GRDB
package import MeterJournal
package import MeterModel
internal import MeterStore

extension ChangeLog {
    /// Reads the history of a store, and leaves no trace. With a limit it takes no more memory for a long history than
    /// for a short one.
    /// - Throws: `StoreError`; `unsuitable` for a store that is not Core Data's, and for an entity that it does not have.
    package static func of(
        _ path: String, _ request: Request, at moment: PastMoment? = nil, now: Timestamp
    ) throws(StoreError) -> ChangeLog {
        try Session.look(at: path, in: moment, now: now) { try read($0, request) }
    }

    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package static func read(_ session: Session, _ request: Request) throws -> ChangeLog {
        let store = session.store
        var stack: BackupStack?
        var warnings: [String] = []
        let folder = BackupFolder(for: store.path, named: request.backupFolder)
        do {
            if folder.isThere, store.past == nil {
                stack = try session.stack(in: folder)
            }
        } catch let error as StoreError where [.permissionDenied, .inputOutput].contains(error.kind) {
            warnings.append("\(error.path): \(error.message): no values of the changes by meterfix")
        }
        var log = try self.init(of: session, request, stack)
        log.warnings = warnings + log.warnings
        return log
    }

    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package init(of session: Session, _ request: Request, _ stack: BackupStack?) throws {
        let store = session.store
        try store.requireCoreData()
        if request.address != nil { _ = try session.requireMeterSession() }
        let entities = try request.entity.map { try Self.numbers(ofEntity: $0, in: store) }
        self.init(store: store.path, letterCase: store.letterCase, hasHistory: store.description.history != nil)
        warnings = store.missingLogFinding.map { ["\($0.message): what came last is not shown"] } ?? []
        guard let history = session.history else { return }
        var reading = LogReading(session, history, request, stack)
        try reading.choose(entities)
        entries = try reading.entries()
        total = reading.total
        warnings += reading.warnings
        pastProblem = reading.pastProblem
    }

    private static func numbers(ofEntity name: String, in store: InspectedStore) throws(StoreError) -> [Int64] {
        let keys = store.description.keys
        guard let entry = keys.appEntries.first(where: { $0.name == name }) else {
            let names = keys.appEntries.map(\.name)
            throw store.unsuitable(
                "the store has no entity '\(name)'",
                hint: names.isEmpty ? nil : "it has \(Phrase.start(of: names, limit: 20))")
        }
        return keys.family(of: entry).map(\.number)
    }
}

/// Reads the history for `log`: which changes are shown, and then what is known of these.
private struct LogReading {
    private let session: Session
    private let history: PersistentHistory
    private let request: ChangeLog.Request
    private var journals: JournalIndex
    private var changedFields: ChangedFields
    private var past: PastValues?
    private(set) var total = 0
    private(set) var warnings: [String] = []
    private var chosen: [(save: PersistentHistory.Save, changes: [PersistentHistory.LoggedChange])] = []
    private let recordNumbers: Set<Int64>
    private let leavesAddress: Bool

    init(_ session: Session, _ history: PersistentHistory, _ request: ChangeLog.Request, _ stack: BackupStack?) {
        self.session = session
        self.history = history
        self.request = request
        changedFields = ChangedFields(session.store)
        recordNumbers = Set(session.settings.map { $0.numbers } ?? [])
        leavesAddress = session.settings?.preservesAfterDeletion(.macAddress) ?? false
        journals = JournalIndex(stack, of: session.store)
    }

    var pastProblem: String? { past?.problem }

    // MARK: - Which

    /// Chooses the changes that are shown, and counts all that were asked for.
    mutating func choose(_ entities: [Int64]?) throws {
        let rows = try request.row.map { [$0] } ?? request.address.map { try self.rows(of: $0) }
        var count = 0
        var shown = 0
        let author = request.author?.lowercased()
        var known: (save: PersistentHistory.Save, isWanted: Bool)?
        var migrations = try self.migrations(entities, rows)[...]
        /// All that is shown was read, and SQLite counts the rest.
        struct Enough: Error {}
        let isCountedBySQL = request.kind == nil && rows == nil && author == nil && request.limit != nil
        func show(_ save: PersistentHistory.Save) -> Bool {
            total += 1
            guard request.limit.map({ shown < $0 }) ?? true else { return false }
            shown += 1
            if chosen.last?.save != save { chosen.append((save, [])) }
            return true
        }
        /// Those after a transaction come before it.
        func showMigrations(after number: Int64) {
            while let save = migrations.first, save.transaction ?? 0 > number {
                migrations.removeFirst()
                _ = show(save)
            }
        }
        let (since, until) = (request.since?.secondsSince2001, request.until?.secondsSince2001)
        func visit(_ row: PersistentHistory.ChangeRow) throws {
            if isCountedBySQL, shown >= request.limit ?? .max { throw Enough() }
            count += 1
            if count & 0x3FFF == 0 { try Interruption.check(session.store.path) }
            if let kind = request.kind, row.kind != kind { return }
            if let rows, !isOf(rows, row) { return }
            if let author {
                let save = try row.save()
                if known?.save != save {
                    known = (save, save.names.contains { $0.lowercased().contains(author) })
                }
                guard known?.isWanted ?? false else { return }
            }
            let save = try row.save()
            if save.isThere { showMigrations(after: save.transaction ?? .max) }
            if show(save) { chosen[chosen.count - 1].changes.append(row.change) }
        }
        do {
            try history.forEachChange(since: since, until: until, ofEntities: entities, session.database, visit)
            showMigrations(after: .min)
        } catch is Enough {
            let all = try history.changeCount(since: since, until: until, ofEntities: entities, session.database)
            total += all - count + migrations.count
        }
    }

    /// Core Data's own migrations, as far as they are asked for; they are of no object.
    private func migrations(_ entities: [Int64]?, _ rows: Set<Int64>?) throws -> [PersistentHistory.Save] {
        guard entities == nil, rows == nil, request.kind == nil else { return [] }
        return try history.migrations(session.database).filter { save in
            let time = save.time ?? -.infinity
            return request.since.map { time >= $0.secondsSince2001 } ?? true
                && request.until.map { time < $0.secondsSince2001 } ?? true
                && request.author.map { author in
                    save.names.contains { $0.lowercased().contains(author.lowercased()) }
                } ?? true
        }
    }

    /// The rows of a meter: those that have its address now, and those that are gone and had it.
    private mutating func rows(of address: MACAddress) throws -> Set<Int64> {
        let present = Set(session.store.addresses.rows(of: address))
        var others = try journals.rows(of: address)
        if request.readsPast {
            let past = try PastValues(of: session)
            others.formUnion(past.goneRecords.filter { $0.value.usableAddress == address }.keys)
            self.past = past
        }
        others.subtract(present)
        // A record that has another address now was of this meter once, and is no more.
        return present.union(others.subtracting(try presentMeters(of: others).keys))
    }

    private func isOf(_ rows: Set<Int64>, _ change: PersistentHistory.ChangeRow) -> Bool {
        guard let number = change.entityNumber, recordNumbers.contains(number), let row = change.objectRow else {
            return false
        }
        return rows.contains(row)
            || leavesAddress && request.address.map { MACAddress(inTombstones: change.tombstoneTexts) == $0 } ?? false
    }

    // MARK: - What

    mutating func entries() throws -> [ChangeLog.Entry] {
        var records: Set<Int64> = []
        var objects: Set<CloudKitMirror.Object> = []
        for object in chosen.lazy.flatMap(\.changes).compactMap(\.object) {
            objects.insert(object)
            if recordNumbers.contains(object.entityNumber) { records.insert(object.row) }
        }
        var meters = try presentMeters(of: records)
        let gone = records.subtracting(meters.keys)
        if !gone.isEmpty { meters.merge(try journals.meters(ofRows: gone)) { present, _ in present } }
        past = try chosen.isEmpty || !request.readsPast ? nil : past ?? PastValues(of: session)
        for (row, record) in past?.goneRecords ?? [:] where gone.contains(row) && meters[row] == nil {
            meters[row] = NamedMeter(record)
        }
        let waiting = try session.mirror?.waitingChanges(of: objects, in: session.description, session.database)
        var entries: [ChangeLog.Entry] = []
        for (save, changes) in chosen {
            let match = try journals.match(save, changes, &changedFields, session.database)
            let deleted = try match.map { try journals.deletedRecords(of: $0) } ?? [:]
            let transaction = ChangeLog.Transaction(save, backup: match?.entry)
            if changes.isEmpty {
                entries.append(
                    ChangeLog.Entry(
                        transaction: transaction, kind: nil, type: nil, entity: nil, entityNumber: nil, row: nil,
                        address: nil, name: nil, fields: nil, waits: nil))
            }
            for change in changes {
                try Interruption.check(session.store.path)
                let account = change.object.flatMap { match?.accounts[$0] }
                let meter = meter(of: change, in: meters)
                entries.append(
                    ChangeLog.Entry(
                        transaction: transaction, kind: change.kind, type: change.type,
                        entity: change.entityNumber.map(session.store.entityName) ?? "no entity",
                        entityNumber: change.entityNumber, row: change.row, address: meter?.address, name: meter?.name,
                        fields: fields(of: change, in: save, account, change.row.flatMap { deleted[$0] }),
                        waits: waiting.map { $0.contains(change, of: save) }))
            }
        }
        warnings += journals.warnings
        return entries
    }

    /// The records that are there, with the address of their meter and its name.
    private func presentMeters(of rows: Set<Int64>) throws -> [Int64: NamedMeter] {
        var meters: [Int64: NamedMeter] = [:]
        for record in try session.store.records(in: rows) {
            meters[record.row] = NamedMeter(record)
        }
        return meters
    }

    private func meter(of change: PersistentHistory.LoggedChange, in meters: [Int64: NamedMeter]) -> NamedMeter? {
        guard let object = change.object, recordNumbers.contains(object.entityNumber) else { return nil }
        return meters[object.row]
            ?? (leavesAddress
                ? MACAddress(inTombstones: change.tombstones).map { NamedMeter(address: $0, name: nil) } : nil)
    }

    private mutating func fields(
        of change: PersistentHistory.LoggedChange, in save: PersistentHistory.Save, _ account: ObjectChange?,
        _ deleted: DeviceSettings?
    ) -> [ChangeLog.Field]? {
        if let account, !account.fields.isEmpty {
            return account.fields.map { ChangeLog.Field($0.delta) }
        }
        if let deleted {
            return zip(deleted.layout.fields, deleted.values).compactMap { field, value in
                value.isNull ? nil : ChangeLog.Field(FieldDelta(field, before: value, after: .null))
            }
        }
        let deltas = save.isThere ? past?.deltas(of: change, in: save.transaction) : nil
        guard change.kind == .update, let columns = change.columns, let number = change.entityNumber,
            let names = changedFields.names(in: columns, ofEntity: number)
        else { return deltas?.map { ChangeLog.Field($0, from: .log) } }
        return names.map { name in
            deltas?.first { $0.field.name == name }.map { ChangeLog.Field($0, from: .log) }
                ?? ChangeLog.Field(named: name)
        }
    }
}
