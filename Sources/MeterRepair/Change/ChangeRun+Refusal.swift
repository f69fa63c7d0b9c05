internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// What is refused before anything is written.
extension ChangeRun {
    /// The plan, if the store is one that may be written to.
    static func acceptedPlan(
        _ planner: some Planner, _ store: InspectedStore, _ options: ChangeOptions, _ database: Database
    ) throws -> Plan {
        guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
        if let model = options.model, let difference = ModelComparison.findings(of: store, with: model).first {
            throw Refusal.otherModel(model.path, difference, in: store)
        }
        let problems = try store.integrity?.value() ?? IntegrityCheck.problems(database, limit: 1)
        guard problems.isEmpty else { throw Refusal.notIntact(problems, in: store) }
        // The tables that are written to, and what the number of a row is called in each.
        let written: [(table: SQLName, key: SQLName?)] = [
            (settings.table.name, "Z_PK"), ("Z_METADATA", "Z_VERSION"), ("Z_MODELCACHE", nil),
            ("Z_PRIMARYKEY", "Z_ENT"), ("ACHANGE", "Z_PK"), ("ATRANSACTION", "Z_PK"), ("ATRANSACTIONSTRING", "Z_PK"),
        ]
        let triggers = store.description.schema.triggers
        if let trigger = triggers.first(where: { trigger in written.contains { $0.table == trigger.table } }) {
            throw Refusal.trigger(trigger.name, on: trigger.table, in: store)
        }
        for (name, key) in written {
            if store.description.schema.misnamed.contains(name) { throw Refusal.misnamed(name, in: store) }
            guard let key, let table = store.description.schema.tables[name], table.rowNumberColumn != key else {
                continue
            }
            throw Refusal.noRowNumber(key, in: table.name, of: store)
        }
        if planner.changesRecords { try refuseRecordChanges(of: settings, in: store) }
        let plan = try planner.plan(for: store, database)
        if plan.changesRecords { try refuseRecordChanges(in: plan, of: settings, in: store) }
        guard !plan.isEmpty, !options.force else { return plan }
        if let trace = store.files.traceOfMissingLog() { throw Refusal.logMissing(trace, in: store) }
        let deleted = plan.changes.compactMap { change in
            if case .delete(let deletion) = change { deletion.record.row } else { nil }
        }
        if let reference = try settings.possibleReference(among: Set(deleted), store.description, database) {
            throw Refusal.perhapsRelated(reference, in: store)
        }
        if plan.changesRecords, store.description.mirror != nil, store.description.history == nil {
            throw Refusal.mirrorWithoutHistory(in: store, deletes: plan.cloud.deletes)
        }
        return plan
    }

    /// Refuses a store whose records cannot be changed as Core Data would.
    private static func refuseRecordChanges(of settings: SettingsTable, in store: InspectedStore) throws(StoreError) {
        guard settings.entityNumbers == nil else { throw Refusal.inheritance(in: store) }
        let historyTables: [SQLName] = ["ACHANGE", "ATRANSACTION"]
        guard
            store.description.history != nil
                || historyTables.allSatisfy({ store.description.schema.tables[$0] == nil })
        else {
            throw Refusal.unknownHistory(in: store)
        }
        guard store.description.history == nil || settings.changedColumns([]) != nil else {
            throw Refusal.unknownHistoryColumns(in: store)
        }
    }

    /// Refuses changes of records that this store would not keep as they are planned.
    private static func refuseRecordChanges(
        in plan: Plan, of settings: SettingsTable, in store: InspectedStore
    ) throws(StoreError) {
        if let index = store.description.schema.searchIndex(over: settings.table.name) {
            throw Refusal.searchIndex(index, over: settings.table.name, in: store)
        }
        for column: SQLName in ["Z_ENT", "Z_OPT"] where !settings.table.keepsNumbers(in: [column]) {
            throw Refusal.converting(column, of: settings.table.name, in: store)
        }
        // Each change adds rows to these, with columns left empty as Core Data leaves them.
        for name: SQLName in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
            let columns = store.description.schema.tables[name]?.columns ?? []
            if let column = columns.first(where: { $0.fillsNewRows && $0.name != "Z_PK" }) {
                throw Refusal.unfilled(column.name, of: name, in: store)
            }
        }
        let converting = settings.convertingPositions
        let fillsNewRows = settings.table.columns.contains(where: \.fillsNewRows)
        for change in plan.changes {
            switch change {
            case .update(let update):
                try refuseRow(update.row, of: settings, in: store)
                guard !converting.isEmpty else { continue }
                for field in update.fields {
                    try refuse(field.after, in: field.field, converting, settings, store)
                }
            case .delete(let deletion):
                for record in [deletion.record, deletion.survivor] {
                    try refuseRow(record.row, of: settings, in: store)
                }
            case .insert(let insertion):
                if fillsNewRows, let column = settings.unfilledColumn(of: insertion.shape.fields) {
                    throw Refusal.unfilled(column, of: settings.table.name, in: store)
                }
                guard !converting.isEmpty else { continue }
                for field in insertion.fields { try refuse(field.after, in: field.field, converting, settings, store) }
            case .schema, .metadata: break
            }
        }
    }

    private static func refuseRow(
        _ row: Int64, of settings: SettingsTable, in store: InspectedStore
    ) throws(StoreError) {
        guard row < 1 else { return }
        throw Refusal.rowNumber(row, in: settings.table.name, of: store)
    }

    private static func refuse(
        _ value: FieldValue, in field: RecordLayout.Field, _ converting: [Int], _ settings: SettingsTable,
        _ store: InspectedStore
    ) throws(StoreError) {
        guard let position = settings.layout.position(of: field), converting.contains(position),
            settings.converts(value, at: position)
        else { return }
        throw Refusal.converting(settings.columns[position], of: settings.table.name, in: store)
    }
}
