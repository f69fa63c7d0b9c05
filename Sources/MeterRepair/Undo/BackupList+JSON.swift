package import JSON
internal import MeterInspect
internal import MeterModel

extension BackupList {
    /// One document, keys in their fixed order.
    package var json: JSONValue {
        .object(
            JSONDocument.head(command: BackupManifest.undoCommand, store: store) + [
                .init("folder", .string(folder)),
                .init(
                    "entries",
                    .array(
                        items.map { item in
                            [
                                "entry": .string(item.entry), "command": JSONValue(item.command),
                                "madeAt": JSONValue(item.madeAt?.description), "state": .string(item.state.rawValue),
                                "next": .bool(item.isNext), "bytes": item.bytes.map { JSONValue($0) } ?? .null,
                                "problem": JSONValue(item.problem),
                            ]
                        })),
            ])
    }
}
