package import CoreDataStore
internal import GRDB
internal import MeterModel

/// What the mirror has not done yet.
struct MirrorPending: StoreCheck {
    static let description = CheckDescription(
        "mirror-pending", .note, "uploads or deletes wait for CloudKit",
        explanation: [
            """
            These records were changed here, and CloudKit does not have the changes yet: they are marked for upload or \
            deletion, or they are in a part of the history that the mirror has not read, or the mirror has not seen \
            them at all. The other devices do not have these changes.
            """,
            """
            This is normal for a moment after each change, while a device is offline, and after every change by \
            meterfix: the mirror reads the history when the app opens. Many of them in a store that was online for days \
            mean that the mirror does not work: see `mirror-failing`.
            """,
            "Open the app and give it time. `meterfix sync` lists what waits and says when it has arrived.",
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let mirror = store.description.mirror else { return [] }
        let waiting = try mirror.waitingCount(in: store.description, database)
        guard waiting.total > 0 else { return [] }
        return [
            description.finding(
                "waiting for CloudKit: \(waiting.phrase)",
                cure: "open the app and leave it open; `meterfix sync` shows what waits and when it has arrived")
        ]
    }
}

extension CloudKitMirror.WaitingCount {
    package var phrase: String { Phrase.waiting(uploads: uploads, deletes: deletes) }
}
