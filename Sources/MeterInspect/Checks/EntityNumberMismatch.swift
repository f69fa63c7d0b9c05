internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Rows whose entity number is not one of their table's.
struct EntityNumberMismatch: StoreCheck {
    static let description = CheckDescription(
        "entity-number-mismatch", .error, "rows whose entity number is not their table's",
        explanation: [
            """
            The app does not see these rows, or crashes when it fetches them. Z_ENT says which entity a row belongs \
            to; a table holds one entity and those derived from it. A fetch skips a row with another number.
            """,
            """
            This comes from rows copied from another store: entity numbers follow the order of the entities' names and \
            differ from one version of the model to the next.
            """,
            "With the app closed and a copy kept, compare with Z_PRIMARYKEY and correct Z_ENT of the rows.",
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        try store.description.entityTables.compactMap { entity in
            let strangers = try entity.strangers(database)
            guard !strangers.isEmpty else { return nil }
            let numbers = Set(strangers.compactMap(\.number)).sorted().map { "\($0)" }
            let nulls = strangers.contains { $0.number == nil } ? ["NULL"] : []
            return description.finding(
                "\(Phrase.count(strangers.count, "row")) of \(entity.table.name) with the entity number "
                    + "\(Phrase.start(of: numbers + nulls)) instead of "
                    + entity.numbers.map { "\($0)" }.joined(separator: " or "),
                entity: entity.root.name, rows: strangers.map(\.row),
                cure: "with the app closed, correct Z_ENT by Z_PRIMARYKEY")
        }
    }
}
