internal import JSON
internal import MeterModel

/// A plan that is read from its document piece by piece.
struct PlanReading {
    private(set) var context: PlanContext
    private var plan: Plan

    /// The keys of lists, apart from the survivors, which come first.
    static let lists = ["changes", "conflicts", "rejects", "notes"]
    /// The keys of what is read before any list.
    static let head = ["letterCase", "layout", "summary", "cloud"]

    /// - Parameter members: at least those of `head`.
    init(_ members: [String: PlanNode]) throws(PlanError) {
        context = PlanContext(
            layout: try RecordLayout(members["layout"]!),
            letterCase: try members["letterCase"]!.word(LetterCase.self, "letter case"))
        plan = Plan(
            changes: [], conflicts: [], summary: try Summary(members["summary"]!),
            cloud: try CloudCost(members["cloud"]!))
    }

    mutating func addSurvivor(_ node: PlanNode) throws(PlanError) {
        let members = try node.members(["row", "cloudRecord", "record"])
        let record = try context.record(
            row: try members["row"]!.row,
            cloudRecord: try members["cloudRecord"]!.ifPresent(DeviceSettings.CloudRecord.init),
            members["record"]!)
        guard context.survivors.updateValue(record, forKey: record.row) == nil else {
            throw members["row"]!.flaw("row \(record.row) stands here twice")
        }
    }

    /// Takes the records that the document leaves out from elsewhere.
    /// - Parameter merged: rows of deletions, each with the row it is merged into.
    mutating func add(_ saved: [Int64: DeviceSettings], merged: [Int64: Int64]) {
        context.saved = saved
        for survivor in merged.values where context.survivors[survivor] == nil {
            context.survivors[survivor] = saved[survivor]
        }
    }

    /// - Parameter list: one of `lists`.
    mutating func add(_ node: PlanNode, to list: String) throws(PlanError) {
        switch list {
        case "changes": plan.changes.append(try Change(node, context))
        case "conflicts": plan.conflicts.append(try Conflict(node, context))
        case "rejects": plan.rejects.append(try Reject(node))
        default: plan.notes.append(try node.text)
        }
    }

    /// The plan, which says one thing.
    func finish() throws(PlanError) -> Plan {
        try plan.checkConsistency(context)
        return plan
    }
}
