package import CoreDataStore
package import GRDB
package import MeterModel

/// What of Core Data's own numbers in a store is wrong, and how it is to be.
package struct Bookkeeping {
    /// Last row numbers that rows have gone past, by entity number.
    package let lastRows: [SchemaChange]
    /// Rows with the number of another entity, by table and row number.
    package let entityNumbers: [SchemaChange]
    /// Tables with such rows whose entity nobody can tell, or that cannot be written to, and why.
    package let obstacles: [(table: SQLName, rows: Int, reason: String)]

    package var changes: Set<SchemaChange> { Set(lastRows + entityNumbers) }

    /// - Throws: SQLite's errors.
    package init(of store: StoreDescription, _ database: Database) throws {
        var lastRows: [SchemaChange] = []
        var entityNumbers: [SchemaChange] = []
        var obstacles: [(table: SQLName, rows: Int, reason: String)] = []
        for entity in store.entityTables {
            let largest = try entity.largestRow(database)
            if largest > entity.root.lastRow {
                lastRows.append(
                    .lastRow(
                        entity: entity.root.name, number: entity.root.number, before: entity.root.lastRow,
                        after: largest))
            }
            let strangers = try entity.strangers(database)
            guard !strangers.isEmpty else { continue }
            let table = entity.table.name
            switch Self.number(ofRowsOf: entity, in: store) {
            case .known(let number):
                entityNumbers += strangers.map {
                    .entityNumber(table: table.text, row: $0.row, before: $0.number, after: number)
                }
            case .unknown(let reason): obstacles.append((table, strangers.count, reason))
            }
        }
        self.lastRows = lastRows
        self.entityNumbers = entityNumbers
        self.obstacles = obstacles
    }

    /// The entity number that the rows of a table have.
    enum Number {
        case known(Int64)
        /// Or not one that can be written there, and why.
        case unknown(String)
    }

    static func number(ofRowsOf entity: EntityRows, in store: StoreDescription) -> Number {
        let table = entity.table
        if let trigger = store.schema.triggers.first(where: { $0.table == table.name }) {
            return .unknown("the trigger \(trigger.name) would run, which only Core Data can")
        }
        guard table.rowNumberColumn == "Z_PK", table.keepsNumbers(in: ["Z_ENT"]),
            !store.schema.misnamed.contains(table.name)
        else { return .unknown("another tool recreated the table") }
        // An abstract entity has no rows. Without a model, none is known to be one.
        let concrete = entity.numbers.filter { number in
            let name = store.keys[number: number]?.name ?? ""
            return store.model?[entity: name]?.isAbstract != true
        }
        if let number = concrete.first, concrete.count == 1 { return .known(number) }
        let names = entity.numbers.map { store.keys[number: $0]?.name ?? "entity \($0)" }
        return .unknown("the table holds \(Phrase.list(names)), and nothing says which of them a row is")
    }
}

extension SchemaChange {
    /// Whether it corrects one of Core Data's own numbers, and neither a table nor the model.
    package var isBookkeeping: Bool {
        switch self {
        case .lastRow, .entityNumber: true
        case .dropIndex, .addColumn, .createTable, .createIndex, .addEntity, .modelCache: false
        }
    }
}
