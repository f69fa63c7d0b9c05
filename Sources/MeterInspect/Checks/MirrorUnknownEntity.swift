internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Record metadata of an entity that the store does not have.
struct MirrorUnknownEntity: StoreCheck {
    static let description = CheckDescription(
        "mirror-unknown-entity", .error, "CloudKit record metadata of an entity the store does not have",
        explanation: [
            """
            Records stay in CloudKit although nothing in this store belongs to them any more, and nothing deletes them \
            there. The mirror keeps one row for each object it has in CloudKit, with the object's entity number. Here \
            Z_PRIMARYKEY has no such number: the objects are gone.
            """,
            """
            This comes from an entity that was removed from the model, from entity numbers that changed while the \
            mirror's tables stayed, or from tables copied from another store.
            """,
            """
            If such a row is marked for upload, every export fails. If a later version of the model gives an entity \
            that number, the store may not open any more: see `mirror-collision`. Otherwise the rows do no harm; Core \
            Data drops them when it next migrates the mirror's tables. Show the store to the app's developers. (From \
            descriptions of Apple's code.)
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        let keys = store.description.keys
        guard let mirror = store.description.mirror, !keys.entries.isEmpty else { return [] }
        let strangers = try mirror.entityNumbers(database).filter { keys[number: $0.number] == nil }
        guard !strangers.isEmpty else { return [] }
        let blocking = try mirror.waitingCount(in: store.description, database).unknownEntity
        return strangers.map { number, rows in
            description.finding(
                "\(Phrase.count(rows, "record")) in the mirror's metadata of the entity number \(number), "
                    + "which Z_PRIMARYKEY does not have"
                    + (number == blocking ? "; one is marked for upload, and every export fails because of it" : ""),
                cure: "show the store to the app's developers")
        }
    }
}
