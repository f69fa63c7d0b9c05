internal import JSON
internal import MeterInspect
internal import MeterModel

/// A plan as an object of a document, from which it can be read back, equal in every bit: in a journal together with
/// the files beside it.
struct WrittenPlan: JSONWritable {
    let plan: Plan
    private let layout: RecordLayout
    private let letterCase: LetterCase
    private let form: DocumentForm

    /// - Parameters:
    ///   - layout: of the store's records.
    ///   - letterCase: of the addresses in it.
    ///   - form: that of a plan or of a journal.
    init(_ plan: Plan, layout: RecordLayout, letterCase: LetterCase, in form: DocumentForm) {
        self.plan = plan
        self.layout = layout
        self.letterCase = letterCase
        self.form = form
    }

    func write(to writer: inout JSONWriter) {
        writer.object { plan.writeMembers(layout: layout, letterCase: letterCase, in: form, to: &$0) }
    }

    /// Reads a plan out of a document that is too large to be held.
    /// - Parameters:
    ///   - base: where in the document it stands.
    ///   - savedRecords: hands over records as they are before the plan, by their row numbers.
    ///   - forEachPart: hands over the document's parts at these paths.
    /// - Throws: `PlanError` for what was not written like this, and for a plan that contradicts itself.
    static func read(
        at base: [JSONParts.Step], savedRecords: (_ rows: [Int64]) throws -> [Int64: DeviceSettings],
        _ forEachPart: (_ paths: [[JSONParts.Step]], _ take: (JSONParts.Part) throws -> Void) throws -> Void
    ) throws -> Plan {
        var members: [String: PlanNode] = [:]
        var merged: [Int64: Int64] = [:]
        var hasSurvivors = false
        let head = PlanReading.head.map { base + [.member($0)] }
        try forEachPart([base + ["changes", .element], base + ["survivors", .element]] + head) { part in
            switch part.path {
            case 0:
                guard part.value["kind"] == "delete", part.value["record"] == nil,
                    case .integer(let row)? = part.value["row"],
                    case .integer(let survivor)? = part.value["mergedInto"]
                else { return }
                merged[row] = survivor
            case 1: hasSurvivors = true
            default:
                let key = PlanReading.head[part.path - 2]
                members[key] = PlanNode(part.value, at: .member(.document, key))
            }
        }
        if let missing = PlanReading.head.first(where: { members[$0] == nil }) {
            throw PlanError(at: .document, "`\(missing)` is missing")
        }
        var reading = try PlanReading(members)
        reading.add(try savedRecords(Set(merged.keys).union(merged.values).sorted()), merged: merged)
        // Changes name their survivors, and stand in front of them. (Each reading of a large journal takes seconds.)
        for keys in (hasSurvivors ? [["survivors"]] : []) + [PlanReading.lists] {
            var counts = keys.map { _ in 0 }
            try forEachPart(keys.map { base + [.member($0), .element] }) { part in
                let key = keys[part.path]
                let node = PlanNode(part.value, at: .element(.member(.document, key), counts[part.path]))
                counts[part.path] += 1
                if key == "survivors" { try reading.addSurvivor(node) } else { try reading.add(node, to: key) }
            }
        }
        return try reading.finish()
    }
}
