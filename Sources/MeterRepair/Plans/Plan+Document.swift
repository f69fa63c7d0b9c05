package import JSON
package import MeterModel

extension Plan {
    /// The plan as the members of a document that it can be read back from, equal in every bit. Names and order are a
    /// report's; beside them stand what a report leaves out: the fields of the store and their kinds, the records
    /// that deletions are merged into, and why they were kept.
    /// - Parameters:
    ///   - layout: of the store's records.
    ///   - letterCase: of the addresses in it.
    package func document(layout: RecordLayout, letterCase: LetterCase) -> [JSONValue.Member] {
        let context = PlanContext(layout: layout, letterCase: letterCase)
        var seen: Set<Int64> = []
        let survivors = changes.compactMap { change -> DeviceSettings? in
            guard case .delete(let deletion) = change, seen.insert(deletion.survivor.row).inserted else { return nil }
            return deletion.survivor
        }
        return [
            .init("letterCase", .string(letterCase.rawValue)),
            .init("layout", .object(layout.fields.map { .init($0.name, .string($0.kind.rawValue)) })),
            .init("summary", summary.json), .init("cloud", cloud.json),
            .init("changes", .array(changes.map { $0.document(context) })),
            .init(
                "survivors",
                .array(
                    survivors.map {
                        [
                            "row": JSONValue($0.row), "cloudRecord": $0.cloudRecord?.document ?? .null,
                            "record": context.document($0),
                        ]
                    })),
            .init("conflicts", .array(conflicts.map { $0.document(context) })),
            .init("rejects", .array(rejects.map(\.document))),
            .init("notes", .array(notes.map { .string($0) })),
        ]
    }

    /// The keys of such a document.
    package static let documentKeys = [
        "letterCase", "layout", "summary", "cloud", "changes", "survivors", "conflicts", "rejects", "notes",
    ]

    /// Reads a plan from a document that has the members of `document(layout:letterCase:)`, and perhaps others.
    /// - Throws: `PlanFlaw` for what is not such a document, and for a plan that contradicts itself.
    package init(document: JSONValue) throws(PlanFlaw) {
        guard case .object(let members) = document else { throw PlanFlaw(at: .document, "not an object") }
        self = try Self.read(
            PlanNode(.object(members.filter { Self.documentKeys.contains($0.key) })).members(Self.documentKeys)
        ).plan
    }

    static func read(_ members: [String: PlanNode]) throws(PlanFlaw) -> (plan: Plan, context: PlanContext) {
        var context = PlanContext(
            layout: try RecordLayout(members["layout"]!),
            letterCase: try members["letterCase"]!.word(LetterCase.self, "letter case"))
        for node in try members["survivors"]!.elements {
            let members = try node.members(["row", "cloudRecord", "record"])
            let record = try context.record(
                row: try members["row"]!.row,
                cloudRecord: try members["cloudRecord"]!.ifPresent(DeviceSettings.CloudRecord.init),
                members["record"]!)
            guard context.survivors.updateValue(record, forKey: record.row) == nil else {
                throw members["row"]!.flaw("row \(record.row) stands here twice")
            }
        }
        let known = context
        var plan = Plan(
            changes: try members["changes"]!.map { node throws(PlanFlaw) in try Change(node, known) },
            conflicts: try members["conflicts"]!.map { node throws(PlanFlaw) in try Conflict(node, known) },
            summary: try Summary(members["summary"]!), cloud: try CloudCost(members["cloud"]!))
        plan.rejects = try members["rejects"]!.map(Reject.init)
        plan.notes = try members["notes"]!.map { node throws(PlanFlaw) in try node.text }
        try plan.checkConsistency(context)
        return (plan, context)
    }
}

extension RecordLayout {
    fileprivate init(_ node: PlanNode) throws(PlanFlaw) {
        var fields: [Field] = []
        for (name, node) in try node.namedMembers {
            fields.append(Field(name: name, kind: try node.word(FieldKind.self, "kind of field")))
        }
        self.init(fields: fields)
        guard has(.macAddress) else { throw node.flaw("`macAddress` is missing") }
    }
}

extension Summary {
    fileprivate init(_ node: PlanNode) throws(PlanFlaw) {
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
    fileprivate init(_ node: PlanNode) throws(PlanFlaw) {
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
        get throws(PlanFlaw) {
            let count = try count
            guard count < 1 << 53 else { throw flaw("not a number of things") }
            return count
        }
    }
}
