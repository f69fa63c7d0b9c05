internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// Brings a record back that a merge deleted: as a new row with the values it had, every attribute of them.
struct RestoreRecordPlanner: Planner {
    let command = WritingCommand.restoreRecord
    let address: MACAddress
    /// As the backup has it.
    let record: DeviceSettings

    func plan(for store: InspectedStore, _ database: Database) throws -> Plan {
        guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
        let rows = store.addresses.rows(of: address)
        let present = try settings.records(of: rows, database).values
        let mirrored = try settings.mirroredRecords(store.description.mirror, database)
        var summary = Summary(
            records: store.addresses.records, groups: store.addresses.groups)
        var values = try placed(in: settings, store)
        // A record with these very values is there already: that is what was to be brought back.
        var isThere = present.contains { $0.values.elementsEqual(values) }
        if !isThere, let id = try replacementID(for: values, settings, store, database) {
            values[id.position] = id.value
            isThere = present.contains { $0.values.elementsEqual(values) }
        }
        guard !isThere else {
            return Plan(
                changes: [], conflicts: [], summary: summary,
                cloud: CloudCost(updates: 0, deletes: 0, recreateDeletes: mirrored, recreateInserts: 0))
        }
        try refuseConstraint(values, settings, store, database)
        guard let nextRow = try settings.nextRow(database) else { throw Refusal.noRowNumbersLeft(in: store) }
        summary.inserted = 1
        let fields = settings.layout.fields.indices.filter { !values[$0].isNull }.map { position in
            let isOwn = record.layout.position(named: settings.layout.fields[position].name)
                .map { record.values[$0] == values[position] }
            return FieldChange(
                field: settings.layout.fields[position], before: .null, after: values[position],
                donor: isOwn == true ? record.row : nil, rule: isOwn == true ? .restored : .newRecord)
        }
        var plan = Plan(
            changes: [.insert(RecordInsertion(row: nextRow, address: address, fields: fields))], conflicts: [],
            summary: summary,
            cloud: CloudCost(
                updates: mirrored == 0 ? 0 : 1, deletes: 0, recreateDeletes: mirrored,
                recreateInserts: mirrored == 0 ? 0 : summary.records + 1))
        if !rows.isEmpty {
            plan.notes.append(
                "the meter now has \(rows.count + 1) records: verify reports duplicate-mac, and a rebuild would merge "
                    + "this one again")
        }
        return plan
    }

    /// The record's values in the order of the store's layout.
    private func placed(in settings: SettingsTable, _ store: InspectedStore) throws -> [FieldValue] {
        for (field, value) in zip(record.layout.fields, record.values)
        where !value.isNull && settings.layout.position(named: field.name) == nil {
            throw Refusal.noPlace(for: field.name, in: store)
        }
        return settings.layout.fields.map { field in
            record.layout.position(named: field.name).map { record.values[$0] } ?? .null
        }
    }

    /// Another identity, where the record's own is another record's now. It follows from what it is made for, so that
    /// planning again finds the record that has it.
    private func replacementID(
        for values: [FieldValue], _ settings: SettingsTable, _ store: InspectedStore, _ database: Database
    ) throws -> (position: Int, value: FieldValue)? {
        guard let position = settings.layout.position(of: .id), !values[position].isNull,
            try !settings.rows(with: values[position], in: .id, database).isEmpty
        else { return nil }
        let name = "\(store.description.metadata.uuid ?? "") row \(record.row) restored"
        return (position, .blob(NameBasedUUID.bytes(of: Array(name.utf8))))
    }

    /// Schema v1 lets no two records have one address.
    private func refuseConstraint(
        _ values: [FieldValue], _ settings: SettingsTable, _ store: InspectedStore, _ database: Database
    ) throws {
        guard !settings.uniqueIndexes.isEmpty, let position = settings.layout.position(of: .macAddress) else { return }
        let rows = try settings.rows(with: values[position], in: .macAddress, database)
        if let row = rows.first { throw Refusal.constraint(row, in: store) }
    }
}
