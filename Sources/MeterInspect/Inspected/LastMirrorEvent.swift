package import CoreDataStore
package import GRDB
internal import MeterStore

/// The last setup, import or export of the mirror, with what to do if it failed.
package struct LastMirrorEvent: Hashable, Sendable {
    package let event: CloudKitMirror.Event
    /// A command, or what to do in words; nil if it did not fail.
    package let cure: String?
}

extension InspectedStore {
    /// The last event of each kind that has ended, and a later one that has not; none in a store that is not mirrored.
    /// - Throws: SQLite's errors.
    package func lastMirrorEvents(_ database: Database) throws -> [LastMirrorEvent] {
        try (description.mirror?.lastEvents(database) ?? []).map { event in
            LastMirrorEvent(event: event, cure: event.error.map(cure))
        }
    }

    private func cure(_ error: MirrorError) -> String {
        let isConstraint = error == .unmirrorableModel && settings?.isAddressUnique ?? false
        return isConstraint ? command("migrate") : error.whatToDo
    }
}
