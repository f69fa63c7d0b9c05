internal import CoreDataStore
internal import GRDB
internal import JSON
package import MeterInspect
package import MeterModel
package import MeterStore

/// `apply`: plans what a document says, and nothing else.
package struct DocumentPlanner: Planner {
    package let command = WritingCommand.apply
    package let document: PlanDocument
    /// Where the document is from.
    let path: String

    /// - Parameter path: where the document is from.
    package init(_ document: PlanDocument, from path: String) {
        self.document = document
        self.path = path
    }

    package var changesRecords: Bool { document.plan.changesRecords }

    package var worksInUse: Bool { document.worksInUse }

    package func adjust(_ options: inout ChangeOptions) {
        options.letterCase = document.requestedCase
        options.fallbackCase = document.manifest.context.letterCase
        options.inputFile = path
    }

    package struct Evidence {
        /// What the store no longer is; of the rows all that are not as the document has them.
        let staleness: Staleness
        /// The records that the plan is about, and those that it speaks of.
        let records: [Int64: DeviceSettings]
        let nextRow: Int64?
        /// The bytes of `Z_MODELCACHE`.
        let modelCache: [UInt8]
        /// Nil where the plan has nothing to do with them.
        let orphans: OrphanedRecords?
        /// Nil where the plan has nothing to do with it.
        let bookkeeping: Bookkeeping?
    }

    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Evidence {
        let database = source.database
        let rows = document.plan.rows.union(document.records.keys)
            .union(
                RecordConsistency.rows(
                    of: document.plan, made: document.made, isFirstAid: document.worksInUse, in: store))
        let records = try settings.wholeRecords(of: rows, in: store.description, database)
        var staleness = try document.manifest.fingerprint.staleness(of: store, database)
        staleness.rows = document.rowStaleness(of: records, in: settings.layout)
        return Evidence(
            staleness: staleness, records: records, nextRow: try settings.nextRow(database),
            modelCache: try StoredModel.content(database, schema: store.description.schema),
            orphans: try orphans(of: document.plan, in: store, database),
            bookkeeping: try bookkeeping(of: document.plan, in: store, database))
    }

    /// The document's plan, if the store is still the one it was made for.
    /// - Throws: `Staleness` if the store has changed since; `StoreError` if the document says something untrue about
    ///   the store.
    package func plan(for store: InspectedStore, _ settings: SettingsTable, by evidence: Evidence) throws -> Plan {
        var staleness = evidence.staleness
        if staleness.isEmptyButForRows {
            // The store is the same: what the records are said to be was written by somebody else. A number for a new
            // record that is in use is refused below.
            if let row = staleness.rows.first(where: { $0.change != .new })?.row {
                throw flaw("row \(row) is not in the store as the document says")
            }
            staleness.rows = []
        }
        guard staleness.isEmpty else {
            staleness.isApplied =
                !document.plan.isEmpty
                && undone(
                    document.plan, in: store, evidence.records, modelCache: evidence.modelCache,
                    waiting: evidence.orphans?.waiting ?? [], due: evidence.bookkeeping?.changes ?? []
                ).isEmpty
            throw staleness
        }
        try refuse(store, settings, evidence)
        return document.plan
    }

    /// Row numbers that new records may leave unused, where others were taken out of the plan: more than any plan makes.
    private static let widestGap: Int64 = 1 << 32

    /// What of the plan is not done in this store. It reads nothing but what the plan changes.
    package func remaining(
        of plan: Plan, in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Plan {
        undone(
            plan, in: store, try settings.records(of: plan.rows, source.database),
            modelCache: try StoredModel.content(source.database, schema: store.description.schema),
            waiting: try orphans(of: plan, in: store, source.database)?.waiting ?? [],
            due: try bookkeeping(of: plan, in: store, source.database)?.changes ?? [])
    }

    /// - Parameters:
    ///   - records: of the plan's rows at least.
    ///   - modelCache: the bytes of `Z_MODELCACHE`.
    ///   - waiting: objects whose delete waits for CloudKit.
    ///   - due: what of Core Data's bookkeeping is to be corrected.
    private func undone(
        _ plan: Plan, in store: InspectedStore, _ records: [Int64: DeviceSettings], modelCache: [UInt8],
        waiting: Set<CloudKitMirror.Object>, due: Set<SchemaChange>
    ) -> Plan {
        var undone = plan
        undone.changes = plan.changes.filter {
            !$0.isDone(in: store.description, records, modelCache: modelCache, waiting: waiting, due: due)
        }
        return undone
    }

    /// Nil where the plan has nothing to do with them.
    private func orphans(
        of plan: Plan, in store: InspectedStore, _ database: Database
    ) throws -> OrphanedRecords? {
        try plan.deletesInCloudOnly ? OrphanedRecords(in: store, database) : nil
    }

    /// Nil where the plan has nothing to do with it.
    private func bookkeeping(of plan: Plan, in store: InspectedStore, _ database: Database) throws -> Bookkeeping? {
        try plan.schemaChanges.contains(where: \.isBookkeeping) ? Bookkeeping(of: store.description, database) : nil
    }

    private func flaw(_ message: String, at place: PlanPlace = .file) -> StoreError {
        StoreError(
            .damaged, at: path, "not a plan that can be carried out: \(PlanError(at: place, message))",
            hint: "make the plan again")
    }

    /// What only the store can tell: whether the plan does what a planner could have planned for it.
    private func refuse(_ store: InspectedStore, _ settings: SettingsTable, _ evidence: Evidence) throws {
        let plan = document.plan
        guard settings.layout == document.manifest.context.layout else {
            throw flaw("the store has other fields", at: .member(.line(1), "layout"))
        }
        guard store.addresses.records == plan.summary.records else {
            throw flaw("the store has \(store.addresses.records)", at: .member(.member(.line(1), "totals"), "records"))
        }
        let schema = SchemaConsistency(plan, store.description, evidence.bookkeeping)
        let records = RecordConsistency(
            made: document.made, isFirstAid: document.worksInUse, store: store, records: evidence.records)
        var merged: Set<MACAddress> = []
        var updates: [MACAddress: [RecordUpdate]] = [:]
        for (index, change) in plan.changes.enumerated() {
            let place = document.place(ofChange: index)
            switch change {
            case .insert(let insertion):
                guard let next = evidence.nextRow else { throw Refusal.noRowNumbersLeft(in: store) }
                // A reviewer who takes new records out leaves gaps; nothing else does.
                guard insertion.row >= next, insertion.row - next < Self.widestGap else {
                    throw flaw("the next new record gets row \(next)", at: .member(place, "row"))
                }
                guard insertion.address.map(store.addresses.rows)?.isEmpty ?? true else {
                    throw flaw("the store has a record of this meter", at: .member(place, "mac"))
                }
                if let flaw = records.flaw(insertion, in: settings.layout) { throw self.flaw(flaw, at: place) }
            case .delete(let deletion):
                if let address = deletion.address, deletion.merger != nil { merged.insert(address) }
                if deletion.merger == nil, !document.manifest.options.contains(.force),
                    let refusal = Refusal.needed(deletion.record, in: store)
                {
                    throw flaw(refusal.message, at: place)
                }
            case .cloudDelete(let deletion):
                guard evidence.orphans?.deletions.contains(deletion) == true else {
                    throw flaw(
                        "the store has no such record metadata without an object, or no delete in the history reaches "
                            + "it", at: place)
                }
            case .update(let update):
                if let flaw = records.flaw(update) { throw self.flaw(flaw, at: place) }
                if let address = update.address { updates[address, default: []].append(update) }
            case .schema(let change):
                if let flaw = schema.flaw(change) { throw self.flaw(flaw, at: place) }
            case .metadata(let change):
                guard change.key != RebuildMarker.key || (store.rebuildMarker ?? 0) < RebuildMarker.current else {
                    throw flaw("the store is marked already", at: .member(place, "key"))
                }
                guard document.command != .fix || store.metersNeedingRebuild().isEmpty else {
                    throw flaw("only a rebuild marks a store that needs one", at: place)
                }
            }
        }
        for (index, conflict) in plan.conflicts.enumerated() where !merged.contains(conflict.address) {
            guard let flaw = records.flaw(conflict, updates[conflict.address] ?? []) else { continue }
            throw self.flaw(flaw.message, at: .member(.line(document.places.conflicts[index]), flaw.key))
        }
    }
}

extension Plan {
    /// The records that it changes.
    fileprivate var rows: Set<Int64> { Set(changes.compactMap(\.row)) }
}

extension Change {
    /// The record it is about, if it is in the store.
    fileprivate var row: Int64? {
        switch self {
        case .update(let update): update.row
        case .delete(let deletion): deletion.record.row
        case .insert(let insertion): insertion.row
        case .cloudDelete, .schema, .metadata: nil
        }
    }

    /// Whether the store is as the change leaves it.
    fileprivate func isDone(
        in store: StoreDescription, _ records: [Int64: DeviceSettings], modelCache: [UInt8],
        waiting: Set<CloudKitMirror.Object>, due: Set<SchemaChange>
    ) -> Bool {
        switch self {
        case .update(let update): records[update.row]?.has(update.fields) ?? false
        case .delete(let deletion): records[deletion.record.row] == nil
        case .cloudDelete(let deletion): waiting.contains(deletion.object)
        case .insert(let insertion): records[insertion.row]?.has(insertion.fields) ?? false
        case .schema(let change): change.isDone(in: store, modelCache: modelCache, due: due)
        case .metadata(let change):
            store.metadata.dictionary?[change.key] == change.after.propertyList
        }
    }
}

extension SchemaChange {
    fileprivate func isDone(in store: StoreDescription, modelCache: [UInt8], due: Set<SchemaChange>) -> Bool {
        switch self {
        case .dropIndex(let name, _, _): return !store.schema.indexes.contains { $0.name == SQLName(name) }
        case .addColumn(let table, let column, _):
            return store.schema.tables[SQLName(table)]?.has(SQLName(column)) ?? false
        case .createTable(let name, _): return store.schema.tables[SQLName(name)] != nil
        case .createIndex(let name, _, _): return store.schema.indexes.contains { $0.name == SQLName(name) }
        case .addEntity(let number, let name, _): return store.keys[name]?.number == number
        case .modelCache(let content): return modelCache == content
        case .lastRow, .entityNumber: return !due.contains(self)
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
