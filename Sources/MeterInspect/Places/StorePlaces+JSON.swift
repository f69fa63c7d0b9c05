package import JSON
internal import MeterJournal
internal import MeterModel

extension StorePlaces {
    /// One document, keys in their fixed order.
    package func json(_ backup: DeviceBackup? = nil, copies: [[DeviceBackup.Copy]] = []) -> JSONValue {
        .object(
            JSONDocument.head(command: "where", store: nil) + [
                .init("stores", places.map(\.json)), .init("closed", closed),
                .init("others", others.map { ["path": $0.path, "kind": $0.kind, "count": $0.count] as JSONValue }),
                .init("deviceBackups", deviceBackups), .init("complete", !isCut),
                .init("deviceBackup", backup?.json(copies)),
            ])
    }
}

extension StorePlaces.Place {
    fileprivate var json: JSONValue {
        [
            "path": path, "app": app, "uuid": uuid, "schemaVersion": schemaVersion, "records": records,
            "newest": newest, "walMissing": isIncomplete, "problem": problem, "backups": backups,
        ]
    }
}

extension DeviceBackup {
    fileprivate func json(_ copies: [[Copy]]) -> JSONValue {
        let paths = Dictionary(
            copies.joined().map { ($0.file, $0.path) }, uniquingKeysWith: { first, _ in first })
        return [
            "stores": stores.map { store -> JSONValue in
                [
                    "domain": store.domain,
                    "files": store.files.map { file -> JSONValue in
                        [
                            "name": file.name, "pathOnDevice": file.pathOnDevice, "path": file.path, "bytes": file.size,
                            "copy": paths[file],
                        ]
                    },
                ]
            },
            "problems": problems,
        ]
    }
}
