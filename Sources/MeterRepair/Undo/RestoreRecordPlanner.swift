package import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// Brings a record back that a change deleted: as a new row with the values it had, every attribute of them.
struct RestoreRecordPlanner: Planner {
    let command = WritingCommand.restoreRecord
    /// Nil for a record without a usable one.
    let address: MACAddress?
    /// As the backup has it.
    let record: DeviceSettings

    /// Records that have the record's value of a field.
    private func rows(with field: SettingsField, in session: MeterSession) throws -> [Int64] {
        guard session.settings.layout.has(field), !record[field].isNull else { return [] }
        return try session.settings.rows(with: record[field], in: field, session.database)
    }

    /// The meter's records in the store, or those without a usable address.
    private func present(in session: MeterSession) throws -> [DeviceSettings] {
        if let address {
            return try session.withCloudRecords(session.store.addresses.records(of: address))
        }
        return try session.store.records.filter { $0.usableAddress == nil }
    }

    func plan(in session: MeterSession) throws -> Plan {
        let (store, settings) = (session.store, session.settings)
        let (present, size) = (try present(in: session), try session.size())
        var values = try placed(in: session)
        // A record with these very values is there already: that is what was to be brought back.
        var isThere = present.contains { $0.values.elementsEqual(values) }
        if !isThere, try !rows(with: .id, in: session).isEmpty, let position = settings.layout.position(of: .id) {
            values[position] = replacementID(in: store)
            isThere = present.contains { $0.values.elementsEqual(values) }
        }
        guard !isThere else { return Plan(of: size) }
        // Schema v1 lets no two records have one address.
        if !settings.uniqueIndexes.isEmpty, let row = try rows(with: .macAddress, in: session).first {
            throw Refusal.constraint(row, in: store)
        }
        guard let nextRow = try settings.nextRow(session.database) else { throw Refusal.noRowNumbersLeft(in: store) }
        let fields = settings.layout.fields.indices.filter { !values[$0].isNull }.map { position in
            let isOwn = record.layout.position(named: settings.layout.fields[position].name)
                .map { record.values[$0] == values[position] }
            return FieldChange(
                field: settings.layout.fields[position], before: .null, after: values[position],
                donor: isOwn == true ? record.row : nil, rule: isOwn == true ? .restored : .newRecord)
        }
        var plan = Plan(
            meters: [MeterPlan(address, [.insert(RecordInsertion(row: nextRow, fields: fields))])], of: size)
        if let address, !present.isEmpty {
            let restored = DeviceSettings(
                row: nextRow, layout: settings.layout, readingBlobsOf: values, cloudRecord: nil)
            plan.notes.append(Self.outlook(present + [restored], at: address, in: store))
        }
        return plan
    }

    /// What a rebuild makes of the meter's records, in a sentence.
    private static func outlook(
        _ records: [DeviceSettings], at address: MACAddress, in store: InspectedStore
    ) -> Sentence {
        let merge = Merge(rebuilding: records, of: address, in: store)
        let rows = merge.losers.map(\.row).sorted()
        let start: Sentence =
            "the meter now has \(records.count) records, which verify reports as \(Check.duplicateMAC.id): the next rebuild keeps "
            + "row \(merge.winner.row) and merges row\(rows.count == 1 ? "" : "s") \(Phrase.list(rows.map(String.init))) "
            + "into it"
        let typed = merge.conflicts.filter { $0.field.isUserData }
        guard !typed.isEmpty else { return "\(start), and no value the user typed is discarded" }
        return typed.reduce(start) { text, conflict in
            let dropped = Phrase.list(conflict.dropped.map { "\($0.value.shown) of row \($0.row ?? 0)" })
            return text
                + "; of \(conflict.field.name), \(conflict.kept.shown) of row \(conflict.keptFrom ?? 0) wins over \(dropped)"
        }
    }

    /// The record's values in the order of the store's layout.
    private func placed(in session: MeterSession) throws -> [FieldValue] {
        let layout = session.settings.layout
        for (field, value) in zip(record.layout.fields, record.values)
        where !value.isNull && layout.position(named: field.name) == nil {
            throw Refusal.noPlace(for: field.name, in: session.store)
        }
        return layout.fields.map { field in
            record.layout.position(named: field.name).map { record.values[$0] } ?? .null
        }
    }

    /// Another identity, where the record's own is another record's now. It follows from what it is made for, so that
    /// planning again finds the record that has it.
    private func replacementID(in store: InspectedStore) -> FieldValue {
        .blob(nameBasedUUID(of: Array("\(store.description.metadata.uuid ?? "") row \(record.row) restored".utf8)))
    }
}

/// `restore-record`: one record comes back that was merged away, or deleted by hand.
package enum RestoreRecord {
    /// Brings back the record of a meter that has none, as the files of the store or its backups had it last: `lost`.
    /// - Throws: `StoreError`, `unsuitable` where nothing has such a record, and where the meter has one now.
    package static func run(
        lost address: MACAddress, on path: String, options: ChangeOptions
    ) throws(StoreError) -> ChangeReport {
        let lost = try PastRecord.last(of: address, in: path, folder: options.backupFolder, now: options.now)
        var report = try ChangeRun.run(
            RestoreRecordPlanner(address: address, record: lost.record), on: path, options: options)
        report.warnings = lost.warnings + report.warnings
        return report
    }

    /// Brings a record of the meter back from the store's backups: the last one that was deleted, unless the row number
    /// or the entry says which.
    /// - Throws: `StoreError`, `unsuitable` where no backup has such a record.
    package static func run(
        _ address: MACAddress?, on path: String, row: Int64?, entry: String?, options: ChangeOptions
    ) throws(StoreError) -> ChangeReport {
        let merged = try MergedRecords.of(address, in: path, folder: options.backupFolder, now: options.now)
        let chosen = merged.records.filter { record in
            (row == nil || record.row == row) && (entry == nil || record.entry == entry)
        }
        let mac = address?.text(in: merged.letterCase) ?? "no meter"
        guard let first = chosen.first else {
            if let row { try refuseOther(row, entry, on: path, options) }
            let hint = merged.records.isEmpty ? "name the folder of backups with --backup-dir" : "--list shows them"
            let message =
                merged.records.isEmpty
                ? merged.absence.joined(separator: "; ") : "no backup has a deleted record of \(mac) like that"
            throw StoreError(.unsuitable, at: path, merged.warnings.first ?? message, hint: hint)
        }
        guard let wanted = chosen.first(where: { !$0.isInStore }) else {
            throw StoreError(
                .unsuitable, at: path, "row \(first.row) is in the store: the change that deleted it was undone")
        }
        var report = try ChangeRun.run(
            RestoreRecordPlanner(address: address, record: wanted.record), on: path, options: options)
        report.warnings = merged.warnings + report.warnings
        return report
    }

    /// - Throws: `StoreError`, `unsuitable` where the row was the record of another meter than the one that was named.
    private static func refuseOther(
        _ row: Int64, _ entry: String?, on path: String, _ options: ChangeOptions
    ) throws(StoreError) {
        let all = try MergedRecords.of(nil, ofAll: true, in: path, folder: options.backupFolder, now: options.now)
        guard let other = all.records.first(where: { $0.row == row && (entry == nil || $0.entry == entry) }) else {
            return
        }
        let mac = other.record.usableAddress?.text(in: all.letterCase)
        let command = StoreCommand(
            (["restore-record --row \(row)"]
                + [options.backupFolder.map { ShellWord.option("--backup-dir", $0) }, mac].compactMap(\.self))
                .joined(separator: " "), stores: [path])
        throw StoreError(
            .unsuitable, at: path,
            "the deleted record of row \(row) is \(mac.map { "one of the meter \($0)" } ?? "one without a usable address")",
            hint: "`\(command)` restores it")
    }
}
