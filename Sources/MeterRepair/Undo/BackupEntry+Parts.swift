internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import MeterStore

extension BackupEntry {
    /// What of the change `set` and `restore-record` take back by themselves, for a meter that can be named, values
    /// first; none where files were put back, and where what the change did cannot be read.
    /// - Throws: `StoreError` if the user asked to stop.
    func parts(of journal: BackupManifest) throws(StoreError) -> [UndoReport.Part] {
        guard let changes = journal.changes else { return [] }
        var values: [UndoReport.Part] = []
        var records: [UndoReport.Part] = []
        func add(_ part: UndoReport.Part?) { if let part, !values.contains(part) { values.append(part) } }
        let isRead: Void? = try Self.ifReadable { () throws(StoreError) in
            try forEachChange(changes, until: { values.count + records.count >= Self.mostParts }) { line in
                switch line {
                case .object(.delete(let deletion)):
                    if let address = deletion.address { records.append(.record(row: deletion.row, address)) }
                case .object(.update(let update, let address?)):
                    for change in update.fields { add(Self.part(change.field, change.before, address)) }
                case .conflict(let conflict):
                    // A value of a dump was never in the store.
                    for dropped in conflict.dropped where dropped.row != nil {
                        add(Self.part(conflict.field, dropped.value, conflict.address))
                    }
                case .object, .schema, .metadata, .reject: break
                }
            }
        }
        return isRead == nil ? [] : values + records
    }

    /// Nobody types more commands than this instead of one.
    private static let mostParts = 100

    /// - Parameter value: which the meter had before the change.
    private static func part(
        _ field: RecordLayout.Field, _ value: FieldValue, _ address: MACAddress
    ) -> UndoReport.Part? {
        switch field.known?.settable {
        case .name:
            let name = value.text.map(WhiteSpace.trimmed) ?? ""
            return value.isNull || value.text != nil ? .name(name.isEmpty ? nil : name, address) : nil
        case .unit:
            return value.text.flatMap { TemperatureUnit(rawValue: $0) }.map { .unit($0, address) }
        case nil: return nil
        }
    }
}

extension BackupEntry {
    /// The store as the entry's change left it, on a private copy: the saved files with the change made once more, or
    /// the files that were put back. Nil where that cannot be had, or does not come out as it was.
    func stateAfter(_ journal: BackupManifest, _ stack: BackupStack) throws -> StoreConnection? {
        guard let restored = journal.restored else {
            guard let changes = journal.changes else { return nil }
            return try replay(changes, journal)
        }
        guard let source = stack.entries.first(where: { $0.name == restored }), let saved = source.committed,
            saved.before == journal.after, let validated = try? source.validated(saved)
        else { return nil }
        return try StoreConnection.untouched(source.mainFile(validated.journal))
    }

    /// The changes, carried out like those of any plan on a copy of the saved files, at the moment at which they were.
    private func replay(
        _ changes: BackupManifest.Changes, _ journal: BackupManifest
    ) throws -> StoreConnection? {
        let connection = try StoreConnection.scratchCopy(mainFile(journal))
        let isSame = try connection.change { database in
            let store = try InspectedStore(
                StoreRequest(path, now: journal.madeAt), files: connection.files, database)
            guard let session = Session(store, database).meterSession,
                session.settings.layout == changes.context.layout, let plan = try? plan(of: changes, in: session)
            else { return false }
            do {
                try plan.apply(PlannedRows(plan), in: session)
            } catch is SettingsWriter.Unexpected {
                // Somebody edited the journal.
                return false
            }
            return try ContentsDigest(database) == journal.after
        }
        guard isSame else {
            try connection.close()
            return nil
        }
        return connection
    }

    /// The plan that was carried out on the saved files.
    /// - Throws: `StoreError` and `JournalError` where the changes are not those that were written.
    private func plan(of changes: BackupManifest.Changes, in session: MeterSession) throws -> Plan {
        let lines = try lines(of: changes)
        // The records that the changes are about have no lines.
        return try Plan(lines, records: session.wholeRecords(of: Set(lines.flatMap(\.rows))))
    }
}
