internal import JSON
package import MeterModel
internal import MeterStore

/// A line of the changes in a backup: one change, or what belongs to the changes.
package enum PlanLine: Hashable, Sendable {
    case object(ObjectChange)
    case schema(SchemaChange)
    case metadata(MetadataChange)
    case conflict(Conflict)
    case reject(Reject)

    /// The records that the line is about, as they are before the plan.
    package var rows: [Int64] {
        switch self {
        case .object(.update(let update, _)): [update.row]
        case .object(.delete(let deletion)): [deletion.merger?.survivor, deletion.row].compactMap(\.self)
        case .object(.insert), .object(.cloudDelete), .schema, .metadata, .conflict, .reject: []
        }
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
package struct PlanChanges {
    package let plan: Plan
    package let context: PlanContext

    package init(plan: Plan, context: PlanContext) {
        self.plan = plan
        self.context = context
    }

    /// Makes one line after the other, each with its line feed, and hands it to `body`.
    package func forEachLine(_ body: ([UInt8]) -> Void) {
        plan.forEachChange { change in
            body(JSONWriter.line(pretty: false) { change.write(in: .plan, context.letterCase, to: &$0) })
        } conflict: { conflict in
            body(JSONWriter.line(pretty: false) { conflict.write(in: .plan, context.letterCase, to: &$0) })
        }
        for reject in plan.rejects { body(reject.document.line(pretty: false)) }
    }
}

extension PlanNode {
    /// The word by which a line says what it is.
    var kind: String {
        get throws(PlanError) {
            guard case .object = value else { throw flaw("not an object") }
            guard let kind = value["kind"] else { throw flaw("`kind` is missing") }
            return try PlanNode(value: kind, place: .member(place, "kind")).text
        }
    }
}

extension RecordLayout {
    var document: JSONValue { .object(fields.map { .init($0.name, $0.kind.rawValue) }) }

    /// - Throws: `PlanError` for what is not such a document.
    init(_ node: PlanNode) throws(PlanError) {
        var fields: [Field] = []
        for (name, node) in try node.namedMembers {
            fields.append(Field(name: name, kind: try node.word(FieldKind.self, "kind of field")))
        }
        self.init(fields: fields)
        guard has(.macAddress) else { throw node.flaw("`macAddress` is missing") }
    }
}
