package import CoreDataStore
internal import JSON
package import MeterModel
internal import MeterStore

/// The last setup, import or export of the mirror, with what to do if it failed.
package struct LastMirrorEvent: Hashable, Sendable {
    package let event: CloudKitMirror.Event
    /// Nil if it did not fail.
    package let cure: Cure?
}

extension InspectedStore {
    package func withCures(_ events: [CloudKitMirror.Event]) -> [LastMirrorEvent] {
        events.map { LastMirrorEvent(event: $0, cure: cure(of: $0)) }
    }

    /// Nil if it did not fail.
    func cure(of event: CloudKitMirror.Event) -> Cure? {
        guard let error = event.error else { return nil }
        let isConstraint = error == .unmirrorableModel && settings?.isAddressUnique ?? false
        // Most of it ends with that the app is opened.
        return isConstraint ? .command(command("migrate")) : inApp(.advice(Sentence(marked: error.whatToDo)))
    }
}

extension LastMirrorEvent {
    /// As `status` and `sync` show it.
    var json: JSONValue {
        [
            "kind": .string(event.kindName), "succeeded": .bool(event.succeeded),
            "startedAt": JSONValue(event.startedAt.map { Timestamp(secondsSince2001: $0).description }),
            "endedAt": JSONValue(event.endedAt.map { Timestamp(secondsSince2001: $0).description }),
            "errorDomain": JSONValue(event.errorDomain), "errorCode": event.errorCode.map { JSONValue($0) } ?? .null,
            "explanation": JSONValue(event.reason?.meaning), "next": JSONValue(event.reason?.whatTheMirrorDoes),
            "deletesRows": event.reason?.deletesRows.map { .bool($0) } ?? .null, "cure": JSONValue(cure?.description),
        ]
    }
}
