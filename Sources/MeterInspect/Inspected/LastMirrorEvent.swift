package import CoreDataStore
internal import MeterStore

/// The last setup, import or export of the mirror, with what to do if it failed.
package struct LastMirrorEvent: Hashable, Sendable {
    package let event: CloudKitMirror.Event
    /// A command, or what to do in words; nil if it did not fail.
    package let cure: String?
}

extension InspectedStore {
    package func withCures(_ events: [CloudKitMirror.Event]) -> [LastMirrorEvent] {
        events.map { LastMirrorEvent(event: $0, cure: $0.error.map(cure)) }
    }

    private func cure(_ error: MirrorError) -> String {
        let isConstraint = error == .unmirrorableModel && settings?.isAddressUnique ?? false
        return isConstraint ? command("migrate") : error.whatToDo
    }
}
