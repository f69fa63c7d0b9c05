internal import JSON
internal import MeterModel

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
