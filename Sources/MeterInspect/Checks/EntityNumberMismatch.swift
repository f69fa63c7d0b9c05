internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Rows whose entity number is not one of their table's.
struct EntityNumberMismatch: StoreCheck {
    static let description = CheckDescription(
        "entity-number-mismatch", .error, "rows whose entity number is not their table's",
        explanation: [
            """
            The app may not see these rows, or crash when it fetches them. Z_ENT says which entity a row belongs to; a \
            table holds one entity and those derived from it. Where a table holds several, a fetch skips a row with \
            another number (inferred). Where it holds one, Core Data does not read the number.
            """,
            """
            This comes from rows copied from another store: entity numbers follow the order of the entities' names and \
            differ from one version of the model to the next.
            """,
            """
            `meterfix fix entity-number-mismatch` gives the rows the number of the entity whose table it is. Where \
            entities share a table, nothing says which of them a row is: show such a store to the developers.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        try store.description.entityTables.compactMap { entity in
            let strangers = try entity.strangers(database)
            guard !strangers.isEmpty else { return nil }
            let numbers = Set(strangers.compactMap(\.number)).sorted().map { "\($0)" }
            let cure =
                switch Bookkeeping.number(ofRowsOf: entity, in: store.description) {
                case .known: store.repair("fix entity-number-mismatch", changingRecords: false)
                case .unknown(let reason): "\(reason): show the store to the developers"
                }
            let nulls = strangers.contains { $0.number == nil } ? ["NULL"] : []
            return description.finding(
                "\(Phrase.count(strangers.count, "row")) of \(entity.table.name) with the entity number "
                    + "\(Phrase.start(of: numbers + nulls)) instead of "
                    + entity.numbers.map { "\($0)" }.joined(separator: " or "),
                entity: entity.root.name, rows: strangers.map(\.row),
                cure: cure)
        }
    }
}
