package import JSON
internal import MeterModel

extension MergedRecords {
    /// One document, keys in their fixed order.
    package var json: JSONValue {
        .object(
            JSONDocument.head(command: RestoreRecord.command, store: store) + [
                .init("mac", .string(address.text(in: letterCase))),
                .init(
                    "records",
                    .array(
                        records.map { merged in
                            [
                                "entry": .string(merged.entry), "madeAt": .string(merged.madeAt.description),
                                "row": JSONValue(merged.row), "mergedInto": JSONValue(merged.mergedInto),
                                "inStore": .bool(merged.isInStore), "record": merged.record.json,
                            ]
                        })),
            ])
    }
}
