internal import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// A line of a plan between its manifest and its end: one change, or what belongs to the changes.
enum PlanLine: Hashable, Sendable {
    /// What a dump has for a meter: an import's plan is made of it.
    case entry(DumpEntry)
    /// A record as it is before the plan.
    case record(DeviceSettings)
    /// A change that needs no other line.
    case change(Change)
    case deletion(DeletionLine)
    case conflict(Conflict)
    case reject(Reject)

    /// A deletion, its records by their row numbers: each is in a line before this one, or in the backup.
    struct DeletionLine: Hashable, Sendable {
        let row: Int64
        let address: MACAddress?
        /// Nil for a record that was not merged into another one.
        let merger: Merger?

        struct Merger: Hashable, Sendable {
            let survivor: Int64
            let advantage: WinnerStep
        }
    }

    init(_ change: Change) {
        switch change {
        case .delete(let deletion):
            self = .deletion(
                DeletionLine(
                    row: deletion.record.row, address: deletion.address,
                    merger: deletion.merger.map { .init(survivor: $0.survivor.row, advantage: $0.advantage) }))
        case .update, .cloudDelete, .insert, .schema, .metadata: self = .change(change)
        }
    }

    /// The records that the line is about, as they are before the plan.
    var rows: [Int64] {
        switch self {
        case .change(.update(let update)): [update.row]
        case .deletion(let deletion): [deletion.merger?.survivor, deletion.row].compactMap(\.self)
        case .entry, .record, .change, .conflict, .reject: []
        }
    }
}

extension Plan {
    /// Hands over the plan line by line, in the order in which it is written.
    /// - Parameter records: as they are before the plan, by row number: each comes before the first change that is about
    ///   it.
    /// - Throws: what `body` throws.
    func forEachLine<Failure: Error>(
        with records: [Int64: DeviceSettings] = [:], _ body: (PlanLine) throws(Failure) -> Void
    ) throws(Failure) {
        var records = records
        for change in changes {
            let line = PlanLine(change)
            for row in line.rows {
                if let record = records.removeValue(forKey: row) { try body(.record(record)) }
            }
            try body(line)
        }
        for conflict in conflicts { try body(.conflict(conflict)) }
        for reject in rejects { try body(.reject(reject)) }
    }
}

/// How the lines of a plan are to be understood.
struct PlanContext: Hashable, Sendable {
    /// Of the store's records.
    let layout: RecordLayout
    /// Of the addresses.
    let letterCase: LetterCase
}

// MARK: - In a file

/// The lines of a plan without its records, from which it can be read back, equal in every bit, where these are known: the
/// changes in a backup.
struct PlanChanges: JSONWritable {
    let plan: Plan
    let context: PlanContext

    func write(to writer: inout JSONWriter) {
        var isFirst = true
        plan.forEachLine { line in
            if !isFirst { writer.endLine() }
            isFirst = false
            line.write(context, to: &writer)
        }
    }
}

extension PlanLine {
    func write(_ context: PlanContext, to writer: inout JSONWriter) {
        switch self {
        case .entry(let entry): entry.document.write(to: &writer)
        case .record(let record):
            writer.object { writer in
                writer.member("kind", "record")
                writer.member("entity", SettingsTable.entityName)
                writer.member("row", record.row)
                writer.member("mac", record.usableAddress?.text(in: context.letterCase))
                writer.member("cloudRecord", record.cloudRecord?.document)
                writer.key("values")
                record.write(in: .plan, to: &writer)
            }
        case .change(let change): change.write(in: .plan, context.letterCase, to: &writer)
        case .deletion(let deletion):
            writer.object { writer in
                writer.member("kind", "delete")
                writer.member("entity", SettingsTable.entityName)
                writer.member("row", deletion.row)
                writer.member("mac", deletion.address?.text(in: context.letterCase))
                writer.member("mergedInto", deletion.merger?.survivor)
                writer.member("advantage", deletion.merger?.advantage.rawValue)
            }
        case .conflict(let conflict): conflict.write(in: .plan, context.letterCase, to: &writer)
        case .reject(let reject): reject.document.write(to: &writer)
        }
    }

    /// - Throws: `PlanError` for what `write` did not write.
    init(_ node: PlanNode, _ context: PlanContext) throws(PlanError) {
        switch try node.kind {
        case "entry": self = .entry(try DumpEntry(node))
        case "record": self = .record(try DeviceSettings(node, context))
        case "delete" where node.value["gone"] == nil: self = .deletion(try DeletionLine(node))
        case "conflict": self = .conflict(try Conflict(node, context))
        case "reject": self = .reject(try Reject(node))
        default: self = .change(try Change(node, context))
        }
    }
}

extension PlanNode {
    /// The word by which a line says what it is.
    var kind: String {
        get throws(PlanError) {
            guard case .object = value else { throw flaw("not an object") }
            guard let kind = value["kind"] else { throw flaw("`kind` is missing") }
            return try PlanNode(kind, at: .member(place, "kind")).text
        }
    }
}
