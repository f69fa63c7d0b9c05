package import CoreDataStore
package import JSON
package import MeterModel
internal import MeterStore

/// The last setup, import or export of the mirror, with what to do if it failed.
package struct LastMirrorEvent: Hashable, Sendable {
    package let event: CloudKitMirror.Event
    /// Nil if it did not fail.
    package let cure: Cure?

    package init(event: CloudKitMirror.Event, cure: Cure?) { (self.event, self.cure) = (event, cure) }
}

extension InspectedStore {
    package func withCures(_ events: [CloudKitMirror.Event]) -> [LastMirrorEvent] {
        events.map { LastMirrorEvent(event: $0, cure: cure(of: $0)) }
    }

    /// Nil if it did not fail.
    func cure(of event: CloudKitMirror.Event) -> Cure? {
        guard let error = event.error else { return nil }
        if error == .unmirrorableModel, let settings {
            guard !settings.isAddressUnique else { return .command(command("migrate")) }
            return inApp(
                """
                open the app once more: the usual reason, a uniqueness constraint, is not in this store; if it fails again, \
                tell the app's developers
                """)
        }
        let advice = Cure.advice(Sentence(marked: error.whatToDo))
        // This one says itself that the app stays closed.
        if case .deletesRows = error.reaction, !hasPendingStorm { return advice }
        // Most of it ends with that the app is opened.
        return inApp(advice)
    }
}

extension LastMirrorEvent: JSONConvertible {
    /// As `status` and `sync` show it.
    package var json: JSONValue {
        [
            "kind": event.kindName, "succeeded": event.succeeded,
            "startedAt": event.startedAt.map(Timestamp.init(secondsSince2001:)),
            "endedAt": event.endedAt.map(Timestamp.init(secondsSince2001:)), "errorDomain": event.errorDomain,
            "errorCode": event.errorCode, "explanation": event.reason?.meaning, "next": event.reason?.whatTheMirrorDoes,
            "deletesRows": event.reason?.deletesRows, "cure": cure?.description,
        ]
    }
}
