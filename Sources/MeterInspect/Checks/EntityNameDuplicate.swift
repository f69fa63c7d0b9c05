internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// An entity with two rows in Z_PRIMARYKEY.
struct EntityNameDuplicate: StoreCheck {
    static let description = CheckDescription(
        "entity-name-duplicate", .error, "an entity has two numbers in Z_PRIMARYKEY",
        explanation: [
            """
            Which records belong to which CloudKit record, and which rows the app sees, is chance in this store. \
            Z_PRIMARYKEY gives each entity one number, which every row, the history and the mirror's record metadata \
            carry. Here one name has several numbers: rows under one and record metadata under the other belong to the \
            same object without saying so, and which number Core Data goes by is chance.
            """,
            "This comes from a migration that was done by hand, or cut off.",
            "Use an earlier copy, or show the store to the app's developers: which number is right depends on the rows that carry it.",
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        Dictionary(grouping: store.description.keys.entries, by: \.name).filter { $0.value.count > 1 }
            .sorted { $0.value[0].number < $1.value[0].number }
            .map { name, entries in
                description.finding(
                    "\(name) has the numbers \(Phrase.list(entries.map { "\($0.number)" })) in Z_PRIMARYKEY",
                    entity: name, cure: "use an earlier copy, or show the store to the app's developers")
            }
    }
}
