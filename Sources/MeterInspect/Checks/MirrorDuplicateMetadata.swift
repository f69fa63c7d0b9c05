internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Objects with two rows of record metadata.
struct MirrorDuplicateMetadata: StoreCheck {
    static let description = CheckDescription(
        "mirror-duplicate-metadata", .error, "two rows of CloudKit record metadata for one object",
        explanation: [
            """
            One object of the store is linked to two records in CloudKit. Changes reach one of them; the other comes \
            back as a duplicate on the user's other devices.
            """,
            """
            A unique index normally rules this out: it is missing or damaged, or the rows were written by something \
            other than Core Data.
            """,
            "Show the store to the app's developers; meterfix never writes to the mirror's tables.",
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let mirror = store.description.mirror else { return [] }
        return try mirror.objectsDescribedTwice(database).map { object, rows in
            let entity = store.description.keys[number: object.entityNumber]?.name
            return description.finding(
                "\(rows) rows of record metadata for row \(object.row) of \(entity ?? "entity \(object.entityNumber)")",
                entity: entity, rows: [object.row], cure: "show the store to the app's developers")
        }
    }
}
