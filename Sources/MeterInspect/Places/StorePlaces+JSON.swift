package import JSON
internal import MeterJournal
internal import MeterModel

extension StorePlaces {
    /// One document, keys in their fixed order.
    package func json(_ backup: DeviceBackup? = nil, copies: [[DeviceBackup.Copy]] = []) -> JSONValue {
        .object(
            JSONDocument.head(command: "where", store: nil) + [
                .init(
                    "stores",
                    .array(
                        places.map { place in
                            [
                                "path": .string(place.path), "app": JSONValue(place.app), "uuid": JSONValue(place.uuid),
                                "schemaVersion": place.schemaVersion.map { JSONValue($0) } ?? .null,
                                "records": place.records.map { JSONValue($0) } ?? .null,
                                "newest": JSONValue(place.newest?.description),
                                "walMissing": .bool(place.isIncomplete),
                                "problem": JSONValue(place.problem), "backups": JSONValue(place.backups),
                            ]
                        })),
                .init("closed", .array(closed.map { .string($0) })),
                .init(
                    "others",
                    .array(
                        others.map {
                            ["path": .string($0.path), "kind": .string($0.kind), "count": JSONValue($0.count)]
                        })),
                .init("deviceBackups", .array(deviceBackups.map { .string($0) })),
                .init("complete", .bool(!isCut)),
                .init("deviceBackup", backup?.json(copies) ?? .null),
            ])
    }
}

extension DeviceBackup {
    fileprivate func json(_ copies: [[Copy]]) -> JSONValue {
        let paths = Dictionary(
            copies.joined().map { ($0.file, JSONValue.string($0.path)) }, uniquingKeysWith: { first, _ in first })
        return [
            "stores": .array(
                stores.map { store in
                    [
                        "domain": .string(store.domain),
                        "files": .array(
                            store.files.map { file in
                                [
                                    "name": .string(file.name), "pathOnDevice": .string(file.pathOnDevice),
                                    "path": .string(file.path), "bytes": JSONValue(file.size),
                                    "copy": paths[file] ?? .null,
                                ]
                            }),
                    ]
                }),
            "problems": .array(problems.map { .string($0) }),
        ]
    }
}
