internal import CoreDataStore
internal import GRDB
package import MeterInspect
package import MeterModel
package import MeterStore

/// What becomes of a value that the store already has otherwise.
package enum ImportConflictPolicy: String, Sendable, CaseIterable {
    /// The store's value is newer than any legacy one: it stays.
    case keep
    /// The legacy value takes its place.
    case replace
}

/// The import of the legacy dictionaries: fills what is empty, creates what is missing.
package struct ImportPlanner: Planner {
    package let command = WritingCommand.importKV
    let values: LegacyValues
    /// Of the dump's bytes, in hex.
    let sha256: String
    let policy: ImportConflictPolicy

    package init(_ values: LegacyValues, sha256: String, policy: ImportConflictPolicy) {
        self.values = values
        self.sha256 = sha256
        self.policy = policy
    }

    package var options: [PlanOption] {
        [PlanOption(key: "onConflict", value: policy.rawValue), PlanOption(key: "dump", value: sha256)]
    }

    package func adjust(_ options: inout ChangeOptions) {
        // The app finds a record by the exact text of its address: what the dump has is how it writes them.
        options.fallbackCase = values.letterCase
    }

    package struct Evidence {
        /// The records of each meter of the dump, by its place; nil where a meter has one record, with the dump's values
        /// in it.
        let records: [[DeviceSettings]?]
        /// The row number the next new record gets; nil where there is none left.
        let nextRow: Int64?
        /// How many records of the store CloudKit knows.
        let mirrored: Int
        let slips: [Slip]
    }

    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Evidence {
        let database = source.database
        let rows = values.meters.map { store.addresses.rows(of: $0.address) }
        let cloudRecords = try settings.cloudRecords(of: rows.lazy.flatMap(\.self), store.description.mirror, database)
        var records = [[DeviceSettings]?](repeating: [], count: rows.count)
        try settings.forEachRow(ofGroups: rows, cloudRecords: cloudRecords, database) { index, found in
            if rows[index].count == 1, values.meters[index].values.allSatisfy({ found.holds($1, in: $0) }) {
                records[index] = nil
            } else {
                records[index]?.append(found.record)
            }
        }
        return Evidence(
            records: records, nextRow: try settings.nextRow(database),
            mirrored: try settings.mirroredRecords(store.description.mirror, database),
            slips: try slips(in: store, settings, rows: rows, database))
    }

    package func plan(for store: InspectedStore, _ settings: SettingsTable, by evidence: Evidence) throws -> Plan {
        try refuseValuesWithoutPlace(in: settings, store)
        var draft = Draft(
            context: Context(
                layout: settings.layout, letterCase: store.letterCase, now: store.now, moment: "\(store.now)",
                storeUUID: store.description.metadata.uuid ?? "", nextRow: evidence.nextRow))
        for (meter, records) in zip(values.meters, evidence.records) {
            if let records { try draft.add(meter, records, self, store) }
        }
        var plan = plan(
            draft, summary: Summary(records: store.addresses.records, groups: store.addresses.groups),
            mirrored: evidence.mirrored, hasMetadata: store.description.metadata.dictionary != nil,
            marker: LegacyImportMarker.value(in: store.description.metadata))
        plan.notes = evidence.slips.map { $0.sentence(in: store.letterCase) }
        if plan.isEmpty, !values.meters.isEmpty { plan.notes.append(noteOnEarlierImport(store)) }
        return plan
    }

    /// Why there may be nothing to do. The mark is of the last import that changed something.
    private func noteOnEarlierImport(_ store: InspectedStore) -> String {
        guard let last = LegacyImportMarker.last(in: store.description.metadata) else {
            return "no import has left its mark in this store: the dump's values, or others, were there already"
        }
        return last.sha256 == sha256
            ? "this dump was imported before, on \(last.date)"
            : "the last import that changed this store, on \(last.date), was of another dump (SHA-256 \(last.sha256))"
    }

    /// An older app version may lack an attribute; its values would be dropped.
    private func refuseValuesWithoutPlace(in settings: SettingsTable, _ store: InspectedStore) throws {
        for dictionary in LegacyDictionary.allCases where !settings.layout.has(dictionary.field) {
            let count = values.meters.count { meter in
                dictionary == .meterNames ? meter.name != nil : meter.unit != nil
            }
            if count > 0 { throw Refusal.noPlace(for: dictionary, count: count, in: store) }
        }
    }

    /// What every decision about a meter needs.
    struct Context {
        let layout: RecordLayout
        let letterCase: LetterCase
        let now: Timestamp
        /// `now` as text.
        let moment: String
        let storeUUID: String
        /// The row number the next new record gets; nil where there is none left.
        var nextRow: Int64?
        /// Of the new records, by which values of the dump they have.
        var shapes: [Int: RecordInsertion.Shape] = [:]
        var builder = RecordValues.Builder()
    }

    /// The changes decided so far.
    private struct Draft {
        var context: Context
        var changes: [Change] = []
        var conflicts: [Conflict] = []
        var updated = 0
        var inserted = 0
        /// Updated records that CloudKit knows.
        var cloudUpdates = 0

        /// - Parameter records: all the store's records of the meter.
        mutating func add(
            _ legacy: LegacyMeter, _ records: [DeviceSettings], _ planner: ImportPlanner, _ store: InspectedStore
        ) throws(StoreError) {
            guard !records.isEmpty else {
                guard let row = context.nextRow else { throw Refusal.noRowNumbersLeft(in: store) }
                changes.append(.insert(planner.insertion(of: legacy, row: row, &context)))
                context.nextRow = row < .max ? row + 1 : nil
                inserted += 1
                return
            }
            let outcome = planner.fill(records, from: legacy, context)
            conflicts += outcome.conflicts
            guard let update = outcome.update else { return }
            changes.append(.update(update))
            updated += 1
            if outcome.isMirrored { cloudUpdates += 1 }
        }
    }

    /// - Parameters:
    ///   - hasMetadata: whether there is a metadata dictionary to leave a mark in.
    ///   - marker: the mark of the last import.
    private func plan(
        _ draft: Draft, summary: Summary, mirrored: Int, hasMetadata: Bool, marker: MetadataChange.Value?
    ) -> Plan {
        var summary = summary
        summary.updated = draft.updated
        summary.inserted = draft.inserted
        summary.conflicts = draft.conflicts.count
        summary.rejects = values.rejects.count
        var changes = draft.changes
        if hasMetadata && !changes.isEmpty {
            changes.append(
                .metadata(
                    MetadataChange(
                        key: LegacyImportMarker.key, before: marker,
                        after: .legacyImport(date: draft.context.now, sha256: sha256))))
        }
        var plan = Plan(
            changes: changes, conflicts: draft.conflicts, summary: summary,
            cloud: CloudCost(
                updates: mirrored == 0 ? 0 : draft.cloudUpdates + draft.inserted, deletes: 0,
                recreateDeletes: mirrored, recreateInserts: mirrored == 0 ? 0 : summary.records + draft.inserted))
        plan.rejects = values.rejects
        return plan
    }
}
