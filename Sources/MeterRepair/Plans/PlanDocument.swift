internal import CoreDataStore
internal import GRDB
package import JSON
internal import MeterInspect
package import MeterModel
internal import MeterStore

/// A plan as a file: what is to be done to a store, by which command and options it was decided, and what the store
/// was then. It can be sent, reviewed and carried out later.
package struct PlanDocument: Sendable {
    let manifest: PlanManifest
    package let plan: Plan
    /// The records that the plan updates, deletes and merges others into, as they are before it; by row number.
    let records: [Int64: DeviceSettings]
    /// Where in the file each change is, and each conflict: numbers of lines.
    let places: (changes: [Int], conflicts: [Int])

    /// The command that planned.
    package var command: WritingCommand { manifest.command }
    /// Whether it is first aid while devices are in use.
    package var worksInUse: Bool { manifest.options.contains(.inUse) }
    /// The command that planned, with the option that makes another command of it, as a user types them.
    package var commandWords: String { command.rawValue + (worksInUse ? " --in-use" : "") }
    /// The store's file name.
    package var storeName: String { manifest.storeName }
    /// The version of meterfix that planned.
    package var version: String { manifest.version }
    package var made: Timestamp { manifest.made }
    /// The case of canonical addresses that was asked for; nil where it was read from the data.
    package var requestedCase: LetterCase? { manifest.requestedCase }

    init(
        _ manifest: PlanManifest, _ plan: Plan, records: [Int64: DeviceSettings],
        places: (changes: [Int], conflicts: [Int])
    ) {
        self.manifest = manifest
        self.plan = plan
        self.records = records
        self.places = places
    }

    /// The document of a plan that is about to be carried out on `store`.
    init(
        of plan: Plan, by planner: some Planner, for store: InspectedStore, requestedCase: LetterCase?,
        _ settings: SettingsTable, _ database: Database
    ) throws {
        manifest = PlanManifest(
            command: planner.command, storeName: store.files.name, version: Version.current, made: store.now,
            requestedCase: requestedCase, options: planner.options, schemaVersion: store.schemaVersion,
            context: PlanContext(layout: settings.layout, letterCase: store.letterCase),
            fingerprint: try Fingerprint(of: store, database),
            totals: PlanManifest.Totals(
                records: plan.summary.records, groups: plan.summary.groups, mirrored: plan.cloud.recreateDeletes),
            notes: plan.notes)
        self.plan = plan
        records = try plan.recordsBefore(in: store, settings, database)
        var places: (changes: [Int], conflicts: [Int]) = ([], [])
        var number = 1
        plan.forEachLine(with: records) { line in
            number += 1
            switch line {
            case .change, .deletion: places.changes.append(number)
            case .conflict: places.conflicts.append(number)
            case .record, .reject: break
            }
        }
        self.places = places
    }

    func place(ofChange index: Int) -> PlanPlace { .line(places.changes[index]) }

    /// Whether the plan says one thing, is one that its command plans, and has the numbers of its changes.
    /// - Throws: `PlanError` for the first thing that is not so.
    func check() throws(PlanError) {
        try plan.checkConsistency(manifest.context, records, places)
        if let known = PlanVocabulary(of: command, manifest.options) {
            for (index, change) in plan.changes.enumerated() {
                try known.check(change, by: command, at: place(ofChange: index))
            }
        }
        try plan.checkNumbers(manifest.totals, records)
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

/// One JSON object a line: the manifest, the plan's lines, and the end.
extension PlanDocument: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        manifest.write(to: &writer)
        writer.endLine()
        var lines = 2
        plan.forEachLine(with: records) { line in
            line.write(manifest.context, to: &writer)
            writer.endLine()
            lines += 1
        }
        writer.object { writer in
            writer.member("kind", "end")
            writer.member("lines", lines)
        }
    }
}
