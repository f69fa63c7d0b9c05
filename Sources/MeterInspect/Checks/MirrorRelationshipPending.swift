internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Relationships whose other end has not come from CloudKit.
struct MirrorRelationshipPending: StoreCheck {
    static let description = CheckDescription(
        "mirror-relationship-pending", .note, "a relationship to a record that has not arrived from CloudKit",
        explanation: [
            """
            A record has arrived from CloudKit, but not the record that it refers to, so the two are not connected here \
            yet. The mirror notes such a relationship (ANSCKIMPORTPENDINGRELATIONSHIP) and sets it when the other \
            record arrives. The records of meters have no relationships; this is about other entities of the app.
            """,
            """
            This is normal for a moment during each import, because CloudKit sends records in any order. If the note is \
            still there in a later copy, the other record was deleted, or the import does not get further: see \
            `mirror-failing`. (From descriptions of Apple's code, not from a device.)
            """,
            "Open the app, online and signed in to iCloud, and leave it open. No command of meterfix writes to the mirror's tables.",
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let mirror = store.description.mirror else { return [] }
        let relationships = try mirror.pendingRelationships(database)
        guard relationships > 0 else { return [] }
        return [
            description.finding(
                "\(Phrase.count(relationships, "relationship")) to \(relationships == 1 ? "a record" : "records") that "
                    + "\(relationships == 1 ? "has" : "have") not arrived from CloudKit",
                cure: "open the app, online and signed in to iCloud, and leave it open: its mirror goes on by itself")
        ]
    }
}
