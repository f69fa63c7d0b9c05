package import JSON
internal import MeterModel

extension UndoReport {
    /// One document, keys in their fixed order.
    package var json: JSONValue {
        .object(
            JSONDocument.head(command: Undo.command, store: store) + [
                .init("outcome", .string(outcome.rawValue)),
                .init("redo", .bool(redoes)),
                .init("undone", change?.json ?? .null),
                .init("files", .array(files.map { ["name": .string($0.name), "size": JSONValue($0.size)] })),
                .init("moved", moved.map { .array($0.map(\.json)) } ?? .null),
                .init("remaining", JSONValue(remaining)),
                .init("warnings", .array(warnings.map(JSONValue.string))),
                .init("backup", JSONValue(backup)),
            ])
    }
}

extension UndoReport.Change {
    fileprivate var json: JSONValue {
        ["entry": .string(entry), "command": .string(command), "madeAt": .string(madeAt.description)]
    }
}

extension MovedRow {
    var json: JSONValue {
        [
            "table": .string(table), "row": JSONValue(row), "kind": .string(kind.rawValue),
            "fields": .array(
                fields.map {
                    ["name": .string($0.name), "then": $0.then.json(as: .text), "now": $0.now.json(as: .text)]
                }
            ),
        ]
    }
}
