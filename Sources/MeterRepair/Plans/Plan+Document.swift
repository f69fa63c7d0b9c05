internal import JSON
internal import MeterInspect
internal import MeterModel

extension Plan {
    /// Writes the plan as the members of a document that it can be read back from, equal in every bit. Names and order
    /// are a report's; beside them stand what a report leaves out: the fields of the store and their kinds, the records
    /// that deletions are merged into, and why they were kept.
    /// - Parameters:
    ///   - layout: of the store's records.
    ///   - letterCase: of the addresses in it.
    ///   - form: that of a plan or of a journal.
    func writeMembers(
        layout: RecordLayout, letterCase: LetterCase, in form: DocumentForm, to writer: inout JSONWriter
    ) {
        writer.member("letterCase", letterCase.rawValue)
        writer.member(
            "layout", JSONValue.object(layout.fields.map { .init($0.name, .string($0.kind.rawValue)) }))
        writer.member("summary", summary.json)
        writer.member("cloud", cloud.json)
        writer.key("changes")
        writer.array { writer in
            for change in changes { change.write(in: form, letterCase, to: &writer) }
        }
        if form != .journal {
            writer.key("survivors")
            writer.array { writeSurvivors(in: form, to: &$0) }
        }
        writer.key("conflicts")
        writer.array { writer in
            for conflict in conflicts { conflict.write(in: form, letterCase, to: &writer) }
        }
        writer.key("rejects")
        writer.array { writer in
            for reject in rejects { reject.document.write(to: &writer) }
        }
        writer.member("notes", JSONValue.array(notes.map { .string($0) }))
    }

    private func writeSurvivors(in form: DocumentForm, to writer: inout JSONWriter) {
        var seen: Set<Int64> = []
        for case .delete(let deletion) in changes where seen.insert(deletion.survivor.row).inserted {
            writer.object { writer in
                writer.member("row", deletion.survivor.row)
                writer.member("cloudRecord", deletion.survivor.cloudRecord?.document)
                writer.key("record")
                deletion.survivor.write(in: form, to: &writer)
            }
        }
    }

    /// The keys of such a document.
    static let documentKeys = [
        "letterCase", "layout", "summary", "cloud", "changes", "survivors", "conflicts", "rejects", "notes",
    ]

    /// Reads a plan from the members of such a document.
    /// - Throws: `PlanError` for what is not such a document, and for a plan that contradicts itself.
    static func read(_ members: [String: PlanNode]) throws(PlanError) -> (plan: Plan, context: PlanContext) {
        var reading = try PlanReading(members)
        for node in try members["survivors"]!.elements { try reading.addSurvivor(node) }
        for key in PlanReading.lists {
            for node in try members[key]!.elements { try reading.add(node, to: key) }
        }
        return (try reading.finish(), reading.context)
    }
}

extension RecordLayout {
    init(_ node: PlanNode) throws(PlanError) {
        var fields: [Field] = []
        for (name, node) in try node.namedMembers {
            fields.append(Field(name: name, kind: try node.word(FieldKind.self, "kind of field")))
        }
        self.init(fields: fields)
        guard has(.macAddress) else { throw node.flaw("`macAddress` is missing") }
    }
}

extension Summary {
    init(_ node: PlanNode) throws(PlanError) {
        let members = try node.members([
            "records", "groups", "updated", "deleted", "inserted", "unchanged", "conflicts", "rejects",
        ])
        self.init(records: try members["records"]!.count, groups: try members["groups"]!.count)
        updated = try members["updated"]!.count
        deleted = try members["deleted"]!.count
        inserted = try members["inserted"]!.count
        conflicts = try members["conflicts"]!.count
        rejects = try members["rejects"]!.count
        let unchanged = try members["unchanged"]!.count
        // Numbers of any size are read: their sums could overflow.
        guard let touched = Self.sum(updated, deleted), Self.sum(touched, unchanged) == records else {
            throw members["unchanged"]!.flaw("`records` is not the sum of `updated`, `deleted` and `unchanged`")
        }
    }

    private static func sum(_ left: Int, _ right: Int) -> Int? {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? nil : sum
    }
}

extension CloudCost {
    init(_ node: PlanNode) throws(PlanError) {
        let members = try node.members(["updates", "deletes", "batches", "deleteAndRecreate"])
        let recreate = try members["deleteAndRecreate"]!.members(["deletes", "inserts"])
        self.init(
            updates: try members["updates"]!.operations, deletes: try members["deletes"]!.operations,
            recreateDeletes: try recreate["deletes"]!.operations, recreateInserts: try recreate["inserts"]!.operations)
        guard try members["batches"]!.count == batches else {
            throw members["batches"]!.flaw("\(updates) updates and \(deletes) deletes are \(batches) batches")
        }
    }
}

extension PlanNode {
    /// A number of record operations, small enough to be added up.
    fileprivate var operations: Int {
        get throws(PlanError) {
            let count = try count
            guard count < 1 << 53 else { throw flaw("not a number of things") }
            return count
        }
    }
}
