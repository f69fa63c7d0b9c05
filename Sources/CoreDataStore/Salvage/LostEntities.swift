internal import GRDB

/// Rows of `Z_PRIMARYKEY` that are lost, made again: without them nobody knows which rows are an entity's.
enum LostEntities {
    /// Adds the entities of the model and of the history that are missing. An entity gets the number that its rows have; one
    /// without rows gets the number that a new store would give it.
    /// - Returns: how many rows were added.
    /// - Throws: SQLite's errors.
    static func write(of model: ManagedObjectModel, to target: Database) throws -> Int {
        let schema = try StoreSchema(target)
        let known = try PrimaryKeys(target, schema: schema).entries
        let numbers = EntityNumbers(model)
        var entities: [(entry: EntityNumbers.Entry, table: SQLName)] = numbers.entries.compactMap { entry in
            let root = model[entity: entry.name].flatMap { model.lineage(of: $0).first }
            return root.map { (entry, SQLName("Z" + $0.name.uppercased())) }
        }
        for (number, name) in [(16001, "CHANGE"), (16002, "TRANSACTION"), (16003, "TRANSACTIONSTRING")] {
            entities.append(
                (EntityNumbers.Entry(number: Int64(number), name: name, superNumber: 0), SQLName("A" + name)))
        }
        // Where rows have other numbers than a new store gives, only they know which.
        for (table, family) in Dictionary(grouping: entities, by: \.table) {
            let usual = Set(family.map(\.entry.number))
            let found = try Self.numbers(in: table, schema, target)
            if found.isSubset(of: usual) { continue }
            entities.removeAll { $0.table == table }
            guard family.count == 1, found.count == 1, let number = found.first, let entity = family.first?.entry else {
                continue
            }
            entities.append((EntityNumbers.Entry(number: number, name: entity.name, superNumber: 0), table))
        }
        let insertion = try PreparedStatement(
            target, "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)")
        var taken = Set(known.map(\.number))
        let names = Set(known.map(\.name))
        var count = 0
        for (entity, table) in entities where !names.contains(entity.name) {
            guard schema.tables[table]?.has("Z_PK") == true, taken.insert(entity.number).inserted else { continue }
            let last =
                entity.superNumber == 0 ? try target.integer(of: "SELECT MAX(Z_PK) FROM \(table.quotedIdentifier)") : 0
            try insertion.run([
                .integer(entity.number), .string(entity.name), .integer(entity.superNumber), .integer(last),
            ])
            count += 1
        }
        return count
    }

    /// The numbers of entities that rows of a table have.
    private static func numbers(in table: SQLName, _ schema: StoreSchema, _ target: Database) throws -> Set<Int64> {
        guard schema.tables[table]?.has("Z_ENT") == true else { return [] }
        var numbers: Set<Int64> = []
        try target.forEachRow("SELECT DISTINCT Z_ENT FROM \(table.quotedIdentifier) LIMIT 1000") {
            numbers.insert($0.integer(0))
        }
        return numbers
    }
}
