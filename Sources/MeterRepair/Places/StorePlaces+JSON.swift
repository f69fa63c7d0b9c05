package import JSON
internal import MeterInspect

extension StorePlaces {
    /// One document, keys in their fixed order.
    package var json: JSONValue {
        .object(
            JSONDocument.head(command: "where", store: nil) + [
                .init(
                    "stores",
                    .array(
                        places.map { place in
                            [
                                "path": .string(place.path),
                                "records": place.records.map { JSONValue($0) } ?? .null,
                                "walMissing": .bool(place.isIncomplete),
                                "problem": JSONValue(place.problem), "backups": JSONValue(place.backups),
                            ]
                        })),
                .init("closed", .array(closed.map { .string($0) })),
            ])
    }
}
