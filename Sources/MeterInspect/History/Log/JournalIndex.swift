internal import CoreDataStore
internal import GRDB
internal import MeterJournal
internal import MeterModel
internal import MeterStore

/// What the backups of a store tell of the changes by meterfix that are in it.
struct JournalIndex {
    /// Those that are in the store, the last one first.
    private let entries: [(entry: BackupEntry, journal: BackupManifest)]
    private let store: InspectedStore
    /// What could not be read, and why: sentences for a person.
    private(set) var warnings: [String] = []

    /// The change by which a transaction was made, and what it did to the wanted objects.
    struct Match {
        let entry: BackupEntry
        let journal: BackupManifest
        let accounts: [CloudKitMirror.Object: ObjectChange]
    }

    init(_ stack: BackupStack?, of store: InspectedStore) {
        self.store = store
        guard let stack else {
            entries = []
            return
        }
        let inStore = stack.changesInStore
        entries = stack.entries.reversed().compactMap { entry in
            guard inStore.contains(entry.name), let journal = entry.committed else { return nil }
            return (entry, journal)
        }
    }

    private func isRecord(_ entityNumber: Int64) -> Bool {
        store.settings.map { $0.numbers.contains(entityNumber) } ?? false
    }

    /// The backup of the change that made a transaction. Its number alone does not say: after an undo, numbers are given
    /// out again. So the time must be the same, and the journal must have as many changes, and of each wanted object the
    /// same one.
    mutating func match(
        _ save: PersistentHistory.Save, _ changes: [PersistentHistory.LoggedChange],
        _ changedFields: inout ChangedFields, _ database: Database
    ) throws -> Match? {
        guard save.isThere, save.author == HistoryWriter.author, let number = save.transaction, let time = save.time,
            let history = store.description.history
        else { return nil }
        let candidates = entries.filter { $0.journal.transaction == number && $0.journal.changes != nil }
        guard !candidates.isEmpty else { return nil }
        let count = try history.changeCount(ofTransaction: number, database)
        for (entry, journal) in candidates {
            let made = journal.madeAt.secondsSince2001
            guard try time == made || time > made && history.hasTime(time, before: number, database) else { continue }
            guard let (accounts, total) = try accounts(of: entry, journal, changes), total == count else { continue }
            let isSame = changes.allSatisfy { change in
                guard let object = change.object, let account = accounts[object], account.kind == change.kind else {
                    return false
                }
                guard account.kind == .update, let columns = change.columns,
                    let names = changedFields.names(in: columns, ofEntity: object.entityNumber)
                else { return true }
                return Set(names).isSubset(of: account.fields.map(\.field.name))
            }
            if isSame { return Match(entry: entry, journal: journal, accounts: accounts) }
        }
        return nil
    }

    /// What the change did to the objects of these changes, and to how many it did something. Nil where that cannot be
    /// read.
    private mutating func accounts(
        of entry: BackupEntry, _ journal: BackupManifest, _ changes: [PersistentHistory.LoggedChange]
    ) throws(StoreError) -> ([CloudKitMirror.Object: ObjectChange], Int)? {
        guard let written = journal.changes else { return nil }
        var records: [Int64: CloudKitMirror.Object] = [:]
        var others: Set<CloudKitMirror.Object> = []
        for object in changes.compactMap(\.object) {
            if isRecord(object.entityNumber) { records[object.row] = object }
            others.insert(object)
        }
        var accounts: [CloudKitMirror.Object: ObjectChange] = [:]
        var total = 0
        let isRead = try read(entry) { () throws(StoreError) in
            try entry.forEachObject(written) { account in
                total += 1
                if let number = account.entityNumber {
                    let object = CloudKitMirror.Object(entityNumber: number, row: account.row)
                    if others.contains(object) { accounts[object] = account }
                } else if let object = records[account.row] {
                    accounts[object] = account
                }
            }
        }
        return isRead ? (accounts, total) : nil
    }

    /// The records that a change deleted, as they were.
    /// - Throws: `StoreError` where the user asked to stop.
    mutating func deletedRecords(of match: Match) throws(StoreError) -> [Int64: DeviceSettings] {
        let rows = match.accounts.values.compactMap { account in
            if case .delete(let deletion) = account { deletion.row } else { nil }
        }
        guard !rows.isEmpty else { return [:] }
        var records: [Int64: DeviceSettings] = [:]
        try read(match.entry) { () throws(StoreError) in
            records = try match.entry.savedRecords(of: rows, match.journal)
        }
        return records
    }

    /// The meters of records that are gone from the store, as far as the backups know them.
    /// - Throws: `StoreError` where the user asked to stop.
    mutating func meters(ofRows rows: Set<Int64>) throws(StoreError) -> [Int64: NamedMeter] {
        var found: [Int64: NamedMeter] = [:]
        for (entry, journal) in entries {
            let left = rows.subtracting(found.keys)
            guard !left.isEmpty else { break }
            try read(entry) { () throws(StoreError) in
                for (row, record) in try entry.savedRecords(of: left.sorted(), journal) {
                    found[row] = NamedMeter(record)
                }
            }
            // A record that was made and deleted between two backups is in no saved file.
            guard let changes = journal.changes, !left.isSubset(of: found.keys) else { continue }
            try read(entry) { () throws(StoreError) in
                try entry.forEachObject(changes) { account in
                    if account.entityNumber == nil, left.contains(account.row), found[account.row] == nil {
                        found[account.row] = NamedMeter(address: account.address, name: nil)
                    }
                }
            }
        }
        return found
    }

    /// The rows that the backups know as records of a meter.
    /// - Throws: `StoreError` where the user asked to stop.
    mutating func rows(of address: MACAddress) throws(StoreError) -> Set<Int64> {
        var rows: Set<Int64> = []
        for (entry, journal) in entries {
            try read(entry) { () throws(StoreError) in rows.formUnion(try entry.savedRows(of: address, journal)) }
            guard let changes = journal.changes else { continue }
            try read(entry) { () throws(StoreError) in
                try entry.forEachObject(changes) { if $0.address == address { rows.insert($0.row) } }
            }
        }
        return rows
    }

    /// Reads from an entry. What is wrong with it is a warning, once.
    /// - Returns: whether it could be read.
    /// - Throws: `StoreError` where the user asked to stop.
    @discardableResult
    private mutating func read(_ entry: BackupEntry, _ body: () throws(StoreError) -> Void) throws(StoreError) -> Bool {
        do throws(StoreError) {
            try body()
            return true
        } catch {
            guard error.kind != .interrupted else { throw error }
            let warning = "\(entry.path): what the change did cannot be read: \(error.message)"
            if !warnings.contains(warning) { warnings.append(warning) }
            return false
        }
    }
}
