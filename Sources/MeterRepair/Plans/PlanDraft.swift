internal import CoreDataStore
internal import GRDB
internal import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// A plan that was just made, with all that its file says.
struct PlanDraft: Sendable {
    let plan: Plan
    let context: PlanContext
    /// What it was made of that the store does not have.
    private let entries: [DumpEntry]
    /// The records that the plan updates, deletes and merges others into, as they are before it; by row number.
    let records: [Int64: DeviceSettings]

    init(
        of plan: Plan, by planner: some Planner, for store: InspectedStore, _ settings: SettingsTable,
        _ database: Database
    ) throws {
        self.plan = plan
        context = PlanContext(layout: settings.layout, letterCase: store.letterCase)
        entries = planner.entries
        records = try plan.recordsBefore(in: store, settings, database)
    }

    /// Hands over the lines in the order in which they are written.
    /// - Throws: what `body` throws.
    func forEachLine<Failure: Error>(_ body: (PlanLine) throws(Failure) -> Void) throws(Failure) {
        for entry in entries { try body(.entry(entry)) }
        try plan.forEachLine(with: records, body)
    }
}

/// A plan with the first line of its file.
struct NewPlan: Sendable, JSONWritable {
    let manifest: PlanManifest
    let draft: PlanDraft

    init(
        _ draft: PlanDraft, by planner: some Planner, for store: InspectedStore, _ options: ChangeOptions,
        _ database: Database
    ) throws {
        self.draft = draft
        manifest = PlanManifest(
            command: planner.command, storeName: store.files.name, made: store.now, person: options.person,
            note: options.note, requestedCase: options.letterCase,
            options: planner.options, context: draft.context, fingerprint: try Fingerprint(of: store, database),
            notes: draft.plan.notes)
    }

    func write(to writer: inout JSONWriter) {
        manifest.write(to: &writer) { body in draft.forEachLine(body) }
    }
}

extension Plan {
    /// The records that the plan updates, deletes and merges others into, as they are before it; by row number.
    fileprivate func recordsBefore(
        in store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws -> [Int64: DeviceSettings] {
        var records: [Int64: DeviceSettings] = [:]
        for case .delete(let deletion) in changes {
            records[deletion.record.row] = deletion.record
            if let survivor = deletion.merger?.survivor { records[survivor.row] = survivor }
        }
        let others = changes.compactMap { change in
            if case .update(let update) = change, records[update.row] == nil { update.row } else { nil }
        }
        let updated = try settings.wholeRecords(of: others, in: store.description, database)
        return records.merging(updated) { first, _ in first }
    }
}
