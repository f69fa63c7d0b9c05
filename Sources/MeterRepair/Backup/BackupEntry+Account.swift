internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// What a change did to one object, from its backup.
enum ObjectAccount {
    case update(RecordUpdate)
    case insert(RecordInsertion)
    case delete(PlanLine.DeletionLine)
    /// In CloudKit only.
    case cloudDelete(CloudDeletion)

    /// Nil for a line that is about no object.
    init?(_ line: PlanLine) {
        switch line {
        case .change(.update(let update)): self = .update(update)
        case .change(.insert(let insertion)): self = .insert(insertion)
        case .change(.cloudDelete(let deletion)): self = .cloudDelete(deletion)
        case .deletion(let deletion): self = .delete(deletion)
        case .change(.delete), .change(.schema), .change(.metadata), .entry, .record, .conflict, .reject:
            return nil
        }
    }

    /// As the history notes it.
    var kind: PersistentHistory.ChangeType {
        switch self {
        case .update: .update
        case .insert: .insert
        case .delete, .cloudDelete: .delete
        }
    }

    var row: Int64 {
        switch self {
        case .update(let update): update.row
        case .insert(let insertion): insertion.row
        case .delete(let deletion): deletion.row
        case .cloudDelete(let deletion): deletion.row
        }
    }

    /// The number of the object's entity; nil for a record of a meter.
    var entityNumber: Int64? { if case .cloudDelete(let deletion) = self { deletion.entityNumber } else { nil } }

    /// Of the record's meter.
    var address: MACAddress? {
        switch self {
        case .update(let update): update.address
        case .insert(let insertion): insertion.address
        case .delete(let deletion): deletion.address
        case .cloudDelete: nil
        }
    }

    /// Of an update and an insert.
    var fields: [FieldChange] {
        switch self {
        case .update(let update): update.fields
        case .insert(let insertion): insertion.fields
        case .delete, .cloudDelete: []
        }
    }
}

extension BackupEntry {
    /// Hands over what the change did, object by object; no more than one is held at a time.
    /// - Throws: `StoreError`, `damaged` where the changes are not those that were written.
    func forEachAccount(
        _ changes: BackupManifest.Changes, _ take: (ObjectAccount) -> Void
    ) throws(StoreError) {
        try forEachChange(changes) { line, _ in ObjectAccount(line).map(take) }
    }

    /// Records as they were saved before the change, by row number. Missing rows are skipped.
    /// - Throws: `StoreError`, `damaged` where the saved files do not have the contents that were saved.
    func savedRecords(
        of rows: some Collection<Int64> & Sendable, _ journal: BackupManifest
    ) throws(StoreError) -> [Int64: DeviceSettings] {
        try readSaved(journal) { description, database in
            guard let settings = SettingsTable(description) else { return [:] }
            return try settings.wholeRecords(of: rows, in: description, database)
        }
    }

    /// The rows of a meter as they were saved before the change.
    /// - Throws: `StoreError`, likewise.
    func savedRows(of address: MACAddress, _ journal: BackupManifest) throws(StoreError) -> [Int64] {
        try readSaved(journal) { description, database in
            try SettingsTable(description)?.addressIndex(database).rows(of: address) ?? []
        }
    }

    private func readSaved<Value>(
        _ journal: BackupManifest, _ body: (StoreDescription, Database) throws -> Value
    ) throws(StoreError) -> Value {
        let connection = try StoreConnection.untouched(mainFile(usable(journal).journal))
        let value: Value
        do throws(StoreError) {
            value = try connection.read { try body(StoreDescription($0), $0) }
        } catch {
            try? connection.close()
            throw error
        }
        try connection.close()
        return value
    }
}
