internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Record metadata that a migration would give the identity of other record metadata.
struct MirrorCollision: StoreCheck {
    static let description = CheckDescription(
        "mirror-collision", .error, "CloudKit record metadata that stops a later migration of the store",
        explanation: [
            """
            A later version of the app may not be able to open this store any more. A new version of the app's model \
            can change entity numbers; Core Data then rewrites them in the mirror's record metadata, one entity after \
            the other. Here a row of an entity that the store no longer has is in the way: as soon as an entity gets \
            that number, two rows have the same identity, a unique index refuses, and the store does not open any \
            more. (This has happened to an app.)
            """,
            """
            It comes from an entity that was removed, or that is in Z_PRIMARYKEY under two numbers, while its record \
            metadata stayed.
            """,
            "Show the store to the app's developers before they release a version with another model; meterfix never writes to the mirror's tables.",
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        let keys = store.description.keys
        guard let mirror = store.description.mirror, !keys.entries.isEmpty else { return [] }
        // An entity with two numbers keeps one of them at the next migration.
        let living = keys.appEntries.filter { keys[$0.name] == $0 }.map(\.number)
        return try mirror.collisions(ofOthersThan: living, database).map { collision in
            description.finding(
                "\(Phrase.count(collision.rows.count, "row")) of record metadata of entity \(collision.entityNumber), "
                    + "which the store does not have, with row numbers of living objects: the store does not open any "
                    + "more once a model gives an entity that number",
                rows: collision.rows, cure: "show the store to the app's developers before the next version of the app")
        }
    }
}
