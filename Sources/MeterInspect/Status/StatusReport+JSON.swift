internal import CoreDataStore
package import JSON
internal import MeterModel

extension StatusReport {
    /// The document of `status` in Documentation/json.md, in which `store` is an object.
    package var json: JSONValue {
        var members = JSONDocument.head(command: "status", store: path).filter { $0.key != "store" }
        members += [
            .init("store", storeJSON),
            .init("schemaVersion", model.schemaVersion.map { JSONValue($0) } ?? .null),
        ]
        if let records {
            members.append(
                .init(
                    "summary",
                    [
                        "records": JSONValue(records.total), "groups": JSONValue(records.groups),
                        "recordsInGroups": JSONValue(records.recordsInGroups), "levelled": JSONValue(records.levelled),
                        "withoutUsableAddress": JSONValue(records.withoutUsableAddress),
                        "macCase": .string(records.letterCase.rawValue),
                        "meters": JSONValue(records.meters), "named": JSONValue(records.named),
                    ]))
        }
        members += [
            .init("model", model.json),
            .init("history", historyJSON),
            .init("cloudMirror", mirror?.json ?? ["on": .bool(false)]),
            .init(
                "marker",
                [
                    "cloudStoreRebuildVersion": marker.map { JSONValue($0) } ?? .null,
                    "legacyKeyValueImport": lastImport.map {
                        ["date": .string($0.date.description), "sha256": .string($0.sha256)]
                    } ?? .null,
                ]),
        ]
        return .object(members)
    }

    private var storeJSON: JSONValue {
        var names: [JSONValue.Member] = []
        for part in parts {
            names.append(.init(part.suffix.isEmpty ? "main" : String(part.suffix.dropFirst()), JSONValue(part.size)))
        }
        var members: [JSONValue.Member] = [
            .init("path", .string(path)), .init("uuid", JSONValue(uuid)), .init("bytes", .object(names)),
            .init("journalMode", isWAL ? "wal" : "rollback"), .init("walMissing", .bool(alerts.missingLog != nil)),
        ]
        if alerts.missingLog != nil { members.append(.init("lastChange", Self.moment(lastChange?.secondsSince2001))) }
        members.append(.init("metadataProblem", JSONValue(metadataProblem)))
        if !unreadableTables.isEmpty {
            let tables = unreadableTables.map { ["name": .string($0.name), "module": .string($0.module)] as JSONValue }
            members.append(.init("unreadableTables", .array(tables)))
        }
        return .object(members)
    }

    private var historyJSON: JSONValue {
        guard let history else { return ["on": .bool(false)] }
        return [
            "on": .bool(true), "transactions": JSONValue(history.transactions), "changes": JSONValue(history.changes),
            "last": Self.moment(history.last),
            "authors": .array(
                history.authors.map {
                    [
                        "name": .string($0.name), "transactions": JSONValue($0.transactions),
                        "last": Self.moment($0.last),
                    ]
                }),
            "lastByMeterfix": Self.moment(lastOwnChange?.secondsSince2001),
        ]
    }

    fileprivate static func moment(_ seconds: Double?) -> JSONValue {
        JSONValue(seconds.map { Timestamp(secondsSince2001: $0).description })
    }
}

extension StatusReport.Model {
    fileprivate var json: JSONValue {
        [
            "identifiers": .array(identifiers.map(JSONValue.string)),
            "frameworkVersion": frameworkVersion.map { JSONValue($0) } ?? .null,
            "hashes": hashes.map {
                [
                    "matching": .array($0.matching.map(JSONValue.string)),
                    "differing": .array($0.differing.map(JSONValue.string)),
                    "notRecomputable": .array($0.unknown.map(JSONValue.string)),
                ]
            } ?? .null,
            "entities": .array(
                entities.map { ["name": .string($0.name), "rows": $0.rows.map { JSONValue($0) } ?? .null] }),
            "unknownAttributes": .array(unknown.attributes.map(JSONValue.string)),
            "unknownEntities": .array(unknown.entities.map(JSONValue.string)),
        ]
    }
}

extension StatusReport.Mirror {
    fileprivate var json: JSONValue {
        [
            "on": .bool(true), "records": JSONValue(records), "pendingUploads": JSONValue(forecast.uploads),
            "pendingDeletes": JSONValue(forecast.deletes), "forecast": .string(forecast.word),
            "lastEvents": .array(lastEvents.map(\.json)),
        ]
    }
}
