internal import CoreDataStore
internal import GRDB
internal import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// `apply`: plans what a document says, and nothing else.
struct DocumentPlanner: Planner {
    let command = WritingCommand.apply
    let document: PlanDocument
    /// Where the document is from.
    let path: String

    var changesRecords: Bool { document.plan.changesRecords }

    /// The document's plan, if the store is still the one it was made for.
    /// - Throws: `Drift` where the store moved on; `StoreError` where the document says of the store what is not so.
    func plan(for store: InspectedStore, _ database: Database) throws -> Plan {
        guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
        var drift = try document.manifest.fingerprint.drift(of: store, database)
        drift.rows = try document.rowDrift(of: store, settings, database)
        if drift.isEmptyButForRows {
            // The store is the same: what the records are said to be was written by somebody else. A number for a new
            // record that is in use is refused below.
            if let row = drift.rows.first(where: { $0.change != .new })?.row {
                throw flaw("row \(row) is not in the store as the document says")
            }
            drift.rows = []
        }
        guard drift.isEmpty else {
            drift.isApplied =
                try !document.plan.isEmpty && remaining(of: document.plan, in: store, database).isEmpty
            throw drift
        }
        try refuse(store, settings, database)
        return document.plan
    }

    /// Row numbers that new records may leave unused, where others were taken out of the plan: more than any plan makes.
    private static let widestGap: Int64 = 1 << 32

    /// What of the plan is not done in this store.
    func remaining(of plan: Plan, in store: InspectedStore, _ database: Database) throws -> Plan {
        guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
        let rows = plan.changes.compactMap(\.row)
        let records = try settings.records(of: rows, database)
        var remaining = plan
        remaining.changes = try plan.changes.filter { try !$0.isDone(in: store, records, database) }
        return remaining
    }

    private func flaw(_ message: String, at place: PlanPlace = .file) -> StoreError {
        StoreError(
            .damaged, at: path, "not a plan that can be carried out: \(PlanError(at: place, message))",
            hint: "make the plan again")
    }

    /// What only the store can tell: whether the plan does what a planner could have planned for it.
    private func refuse(_ store: InspectedStore, _ settings: SettingsTable, _ database: Database) throws {
        let plan = document.plan
        guard settings.layout == document.manifest.context.layout else {
            throw flaw("the store has other fields", at: .member(.line(1), "layout"))
        }
        guard store.addresses.records == plan.summary.records else {
            throw flaw("the store has \(store.addresses.records)", at: .member(.member(.line(1), "totals"), "records"))
        }
        let next = try settings.nextRow(database)
        let schema = SchemaConsistency(plan, store.description)
        let records = RecordConsistency(
            made: document.made, store: store,
            records: try settings.records(
                of: RecordConsistency.rows(of: plan, made: document.made, in: store), database))
        var deleted: Set<Int64> = []
        var merged: Set<MACAddress> = []
        var updates: [MACAddress: [RecordUpdate]] = [:]
        for (index, change) in plan.changes.enumerated() {
            let place = document.place(ofChange: index)
            switch change {
            case .insert(let insertion):
                guard let next else { throw Refusal.noRowNumbersLeft(in: store) }
                // A reviewer who takes new records out leaves gaps; nothing else does.
                guard insertion.row >= next, insertion.row - next < Self.widestGap else {
                    throw flaw("the next new record gets row \(next)", at: .member(place, "row"))
                }
                guard store.addresses.rows(of: insertion.address).isEmpty else {
                    throw flaw("the store has a record of this meter", at: .member(place, "mac"))
                }
                if let flaw = records.flaw(insertion, in: settings.layout) { throw self.flaw(flaw, at: place) }
            case .delete(let deletion):
                deleted.insert(deletion.record.row)
                merged.insert(deletion.address)
            case .update(let update):
                if let flaw = records.flaw(update) { throw self.flaw(flaw, at: place) }
                updates[update.address, default: []].append(update)
            case .schema(let change):
                if let flaw = schema.flaw(change) { throw self.flaw(flaw, at: place) }
            case .metadata: break
            }
        }
        for (index, conflict) in plan.conflicts.enumerated() where !merged.contains(conflict.address) {
            guard let flaw = records.flaw(conflict, updates[conflict.address] ?? []) else { continue }
            throw self.flaw(flaw.message, at: .member(.line(document.places.conflicts[index]), flaw.key))
        }
        let related = try settings.relatedRows(among: deleted, store.description, database)
        guard related.isEmpty else { throw Refusal.related(related, in: store) }
    }
}

extension Change {
    /// The record it is about.
    fileprivate var row: Int64? {
        switch self {
        case .update(let update): update.row
        case .delete(let deletion): deletion.record.row
        case .insert(let insertion): insertion.row
        case .schema, .metadata: nil
        }
    }

    /// Whether the store is as the change leaves it.
    /// - Parameter records: the store's records that the plan is about.
    fileprivate func isDone(
        in store: InspectedStore, _ records: [Int64: DeviceSettings], _ database: Database
    ) throws -> Bool {
        switch self {
        case .update(let update): records[update.row]?.has(update.fields) ?? false
        case .delete(let deletion): records[deletion.record.row] == nil
        case .insert(let insertion): records[insertion.row]?.has(insertion.fields) ?? false
        case .schema(let change): try change.isDone(in: store.description, database)
        case .metadata(let change):
            store.description.metadata.dictionary?[change.key] == change.after.propertyList
        }
    }
}

extension SchemaChange {
    fileprivate func isDone(in store: StoreDescription, _ database: Database) throws -> Bool {
        switch self {
        case .dropIndex(let name, _, _): return !store.schema.indexes.contains { $0.name == SQLName(name) }
        case .addColumn(let table, let column, _):
            return store.schema.tables[SQLName(table)]?.has(SQLName(column)) ?? false
        case .createTable(let name, _): return store.schema.tables[SQLName(name)] != nil
        case .createIndex(let name, _, _): return store.schema.indexes.contains { $0.name == SQLName(name) }
        case .addEntity(let number, let name, _): return store.keys[name]?.number == number
        case .modelCache(let content):
            return try StoredModel.content(database, schema: store.schema) == content
        }
    }
}

extension DeviceSettings {
    fileprivate func has(_ fields: [FieldChange]) -> Bool {
        fields.allSatisfy { change in
            layout.position(named: change.field.name).map { values[$0] } == change.after
        }
    }
}
