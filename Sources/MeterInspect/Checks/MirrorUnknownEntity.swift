internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Record metadata of an entity that the store does not have.
struct MirrorUnknownEntity: StoreCheck {
    static let description = CheckDescription(
        "mirror-unknown-entity", .error, "CloudKit record metadata of an entity the store does not have",
        explanation: [
            """
            The mirror keeps one row for each object it has in CloudKit, with the object's entity number. Here \
            Z_PRIMARYKEY has no such number. When Core Data next migrates the mirror's tables, it discards ALL record \
            metadata; every record then counts as new and is uploaded again: duplicates of everything, on every \
            device.
            """,
            "This comes from entity numbers that changed while the mirror's tables stayed, or from tables copied from another store.",
            """
            Keep the app from opening this store and show it to the developers. (What Core Data does here is from \
            descriptions of its code, not from a store we have seen.)
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        let keys = store.description.keys
        guard let mirror = store.description.mirror, !keys.entries.isEmpty else { return [] }
        return try mirror.entityNumbers(database).filter { keys[number: $0.number] == nil }.map { number, rows in
            description.finding(
                "\(Phrase.count(rows, "record")) in the mirror's metadata of the entity number \(number), "
                    + "which Z_PRIMARYKEY does not have",
                cure: "keep the app from opening this store and show it to the app's developers")
        }
    }
}
