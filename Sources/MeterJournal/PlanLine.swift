package import JSON
package import MeterModel
internal import MeterStore

/// A line of the changes in a backup: one change, or what belongs to the changes.
package enum PlanLine: Hashable, Sendable {
    /// A change that needs no other line.
    case change(Change)
    case deletion(DeletionLine)
    case conflict(Conflict)
    case reject(Reject)

    /// A deletion, its records by their row numbers: the saved files have them.
    package struct DeletionLine: Hashable, Sendable {
        package let row: Int64
        package let address: MACAddress?
        /// Nil for a record that was not merged into another one.
        package let merger: Merger?

        package struct Merger: Hashable, Sendable {
            package let survivor: Int64
            package let advantage: WinnerStep
        }
    }

    package init(_ change: Change) {
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
    package var rows: [Int64] {
        switch self {
        case .change(.update(let update)): [update.row]
        case .deletion(let deletion): [deletion.merger?.survivor, deletion.row].compactMap(\.self)
        case .change, .conflict, .reject: []
        }
    }
}

extension Plan {
    /// Hands over the plan line by line, in the order in which it is written.
    fileprivate func forEachLine(_ body: (PlanLine) -> Void) {
        for change in changes { body(PlanLine(change)) }
        for conflict in conflicts { body(.conflict(conflict)) }
        for reject in rejects { body(.reject(reject)) }
    }
}

/// How the lines of a plan are to be understood.
package struct PlanContext: Hashable, Sendable {
    /// Of the store's records.
    package let layout: RecordLayout
    /// Of the addresses.
    package let letterCase: LetterCase

    package init(layout: RecordLayout, letterCase: LetterCase) {
        self.layout = layout
        self.letterCase = letterCase
    }
}

// MARK: - In a file

/// The lines of a plan without its records, from which it can be read back, equal in every bit, where these are known: the
/// changes in a backup.
package struct PlanChanges: JSONWritable {
    package let plan: Plan
    package let context: PlanContext

    package init(plan: Plan, context: PlanContext) {
        self.plan = plan
        self.context = context
    }

    package func write(to writer: inout JSONWriter) {
        var isFirst = true
        plan.forEachLine { line in
            if !isFirst { writer.endLine() }
            isFirst = false
            line.write(context, to: &writer)
        }
    }
}

extension PlanLine {
    package func write(_ context: PlanContext, to writer: inout JSONWriter) {
        switch self {
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
