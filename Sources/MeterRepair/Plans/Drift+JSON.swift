internal import JSON
internal import MeterModel

extension Drift {
    /// Values as in a report.
    var json: JSONValue {
        [
            "applied": .bool(isApplied),
            "store": identity.map { ["then": JSONValue($0.then), "now": JSONValue($0.now)] } ?? .null,
            "tables": .array(
                tables.map {
                    [
                        "name": .string($0.name), "rowsThen": $0.then.map { JSONValue($0) } ?? .null,
                        "rowsNow": $0.now.map { JSONValue($0) } ?? .null,
                    ]
                }),
            "schema": [
                "gone": .array(statementsGone.map { .string($0) }), "new": .array(statementsNew.map { .string($0) }),
            ],
            "rows": .array(rows.map(\.json)),
        ]
    }
}

extension Drift.Row {
    fileprivate var json: JSONValue {
        switch change {
        case .gone: ["row": JSONValue(row), "change": "gone"]
        case .new: ["row": JSONValue(row), "change": "new"]
        case .field(let field, let then, let now):
            [
                "row": JSONValue(row), "change": "field", "field": .string(field.name),
                "then": then.json(as: field.kind), "now": now.json(as: field.kind),
            ]
        }
    }
}
