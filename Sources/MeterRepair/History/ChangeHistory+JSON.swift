package import JSON
internal import MeterInspect
internal import MeterModel

extension ChangeHistory {
    /// One document, keys in their fixed order.
    package var json: JSONValue {
        .object(
            JSONDocument.head(command: "history", store: store) + [
                .init("changes", .array(items.map(\.json)))
            ])
    }
}

extension ChangeHistory.Item {
    fileprivate var json: JSONValue {
        [
            "madeAt": .string(madeAt.description), "command": JSONValue(command), "inUse": .bool(isFirstAid),
            "version": JSONValue(version),
            "arguments": .array(arguments.map(JSONValue.string)),
            "summary": [
                "updated": JSONValue(updated), "deleted": JSONValue(deleted), "inserted": JSONValue(inserted),
            ],
            "state": JSONValue(state?.rawValue), "restored": JSONValue(restored), "backup": JSONValue(backup),
            "historyTransaction": transaction.map { JSONValue($0) } ?? .null, "by": person?.json ?? .null,
            "account": JSONValue(account), "source": command == nil ? "history" : "journal",
        ]
    }
}
