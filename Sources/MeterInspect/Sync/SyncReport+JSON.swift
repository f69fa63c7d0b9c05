internal import CoreDataStore
package import JSON
internal import MeterModel

extension SyncReport: JSONWritable {
    /// The document of `sync` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "sync", store: path))
            writer.member("mirrored", JSONValue.bool(mirror != nil))
            writer.member("token", mirror?.tokenJSON ?? JSONValue.null)
            writer.key("waiting")
            writer.object { writer in
                writer.member("uploads", JSONValue(mirror?.forecast.uploads ?? 0))
                writer.member("deletes", JSONValue(mirror?.forecast.deletes ?? 0))
                writer.key("objects")
                writer.array { writer in
                    for object in mirror?.objects ?? [] { object.json.write(to: &writer) }
                }
            }
            writer.member("neverSeen", JSONValue(mirror?.unseen ?? 0))
            writer.member("lastByMeterfix", mirror?.arrival?.json ?? JSONValue.null)
            writer.member("events", JSONValue.array((mirror?.lastEvents ?? []).map(\.json)))
            writer.key("findings")
            writer.array { writer in
                for finding in [alerts.missingLog].compactMap(\.self) + findings { finding.write(to: &writer) }
            }
            writer.member("forecast", JSONValue(mirror?.forecast.word))
            writer.member("next", JSONValue.array(next.map { .string($0.marked) }))
        }
    }
}

extension SyncReport.Mirror {
    fileprivate var tokenJSON: JSONValue {
        let number: JSONValue
        let problem: JSONValue
        switch token {
        case .none: return .null
        case .transaction(let transaction, _): (number, problem) = (.integer(transaction), .null)
        case .otherStore: (number, problem) = (.null, "other-store")
        case .unreadable: (number, problem) = (.null, "unreadable")
        }
        return [
            "transaction": number, "exists": .bool(!token.isLost),
            "last": lastTransaction.map { JSONValue($0) } ?? .null, "problem": problem,
        ]
    }
}

extension SyncReport.Object {
    fileprivate var json: JSONValue {
        [
            "entity": .string(entity), "row": JSONValue(object.row), "mac": JSONValue(mac), "name": JSONValue(name),
            "kind": .string("\(waiting.kind)"), "fields": fields.map { .array($0.map(JSONValue.string)) } ?? .null,
            "because": .string(waiting.reason.rawValue),
            "since": waiting.since.map { JSONValue($0) } ?? .null, "cloudRecord": JSONValue(waiting.recordName),
        ]
    }
}

extension CloudKitMirror.Arrival {
    fileprivate var json: JSONValue {
        [
            "transaction": JSONValue(transaction),
            "at": .string(Timestamp(secondsSince2001: time).description), "changes": JSONValue(changes),
            "arrived": JSONValue(arrived),
        ]
    }
}
