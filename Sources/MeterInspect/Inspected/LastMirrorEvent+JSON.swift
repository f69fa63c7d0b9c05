internal import CoreDataStore
internal import JSON
internal import MeterModel

extension LastMirrorEvent {
    /// As `status` and `sync` show it.
    var json: JSONValue {
        [
            "kind": .string(event.kindName), "succeeded": .bool(event.succeeded),
            "startedAt": JSONValue(event.startedAt.map { Timestamp(secondsSince2001: $0).description }),
            "endedAt": JSONValue(event.endedAt.map { Timestamp(secondsSince2001: $0).description }),
            "errorDomain": JSONValue(event.errorDomain), "errorCode": event.errorCode.map { JSONValue($0) } ?? .null,
            "explanation": JSONValue(event.error?.meaning), "next": JSONValue(event.error?.whatTheMirrorDoes),
            "deletesRows": event.error?.deletesRows.map { .bool($0) } ?? .null, "cure": JSONValue(cure),
        ]
    }
}
