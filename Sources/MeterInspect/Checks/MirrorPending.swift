internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// What the mirror has not done yet.
struct MirrorPending: StoreCheck {
    static let description = CheckDescription(
        "mirror-pending", .note, "uploads or deletes wait for CloudKit",
        explanation: [
            """
            Records are marked for upload or for deletion in CloudKit, or the mirror has not seen them yet. The other \
            devices do not have these changes.
            """,
            """
            This is normal for a moment after each change, and while a device is offline. Many of them in a store that \
            was online for days mean that the mirror does not work: see `mirror-failing`.
            """,
            "Nothing needs to be done. If possible, let the app finish its sync before a repair.",
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let mirror = store.description.mirror else { return [] }
        let backlog = try mirror.backlog(of: store.description.entityTables, database)
        let parts = [(backlog.uploads, "upload"), (backlog.deletes, "delete"), (backlog.unseen, "new object")]
        let waiting = parts.filter { $0.0 > 0 }.map { Phrase.count($0.0, $0.1) }
        guard !waiting.isEmpty else { return [] }
        return [description.finding("waiting for CloudKit: \(Phrase.list(waiting))")]
    }
}
