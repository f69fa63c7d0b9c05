internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// A setup, import or export that failed last time.
struct MirrorFailing: StoreCheck {
    static let description = CheckDescription(
        "mirror-failing", .warning, "the last CloudKit setup, import or export failed",
        explanation: [
            """
            Changes do not reach the user's other devices, or do not arrive from them. The mirror logs each setup, \
            import and export. The last one of its kind failed.
            """,
            """
            What each error means is told by its domain and its code together. Nothing below was seen on a device: it \
            is documented, that is, read in descriptions of Apple's code, and what is marked as inferred is a conclusion.
            """,
        ] + KnownMirrorError.all.map(\.paragraph) + [
            """
            With any other error, have the user open the app and leave it open for a few minutes, then ask for the \
            store again. If it fails again, the device's log says more, in the lines with CoreData+CloudKit. In a \
            store with the constraint of v1, NSCocoaErrorDomain 134060 is what `meterfix migrate` cures.
            """
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        try store.withCures(store.description.mirror?.lastEvents(database) ?? []).compactMap { last in
            let event = last.event
            guard let error = event.error, let cure = last.cure else { return nil }
            let moment = event.endedAt.map { " at \(Timestamp(secondsSince2001: $0))" } ?? ""
            let name = error.name.map { "\($0), " } ?? ""
            return description.finding(
                "the last \(event.kindName) failed\(moment): \(name)\(error.meaning); \(error.whatTheMirrorDoes)",
                cure: cure)
        }
    }
}
