internal import GRDB

extension Database {
    /// Makes rows of `Z_PRIMARYKEY` again that are lost, because without them nobody knows which rows are an entity's: those
    /// of the entities of the model and of the history. An entity gets the number that its rows have; one
    /// without rows gets the number that a new store would give it.
    /// - Returns: how many rows were added.
    func restoreEntities(of model: ManagedObjectModel) throws -> Int {
        let schema = try StoreSchema(self)
        let known = try PrimaryKeys(self, schema: schema).entries
        let numbers = PrimaryKeys(numbering: model)
        var entities: [(entry: PrimaryKeys.Entry, table: SQLName)] = numbers.entries.compactMap { entry in
            let root = model[entity: entry.name].flatMap { model.lineage(of: $0).first }
            return root.map { (entry, SQLName("Z" + $0.name.uppercased())) }
        }
        for (number, name) in [(16001, "CHANGE"), (16002, "TRANSACTION"), (16003, "TRANSACTIONSTRING")] {
            entities.append(
                (PrimaryKeys.Entry(number: Int64(number), name: name, parent: 0, lastRow: 0), SQLName("A" + name)))
        }
        // Where rows have other numbers than a new store gives, only they know which.
        for (table, family) in Dictionary(grouping: entities, by: \.table) {
            let usual = Set(family.map(\.entry.number))
            let found = try entityNumbers(in: table, schema)
            if found.isSubset(of: usual) { continue }
            entities.removeAll { $0.table == table }
            guard family.count == 1, found.count == 1, let number = found.first, let entity = family.first?.entry else {
                continue
            }
            entities.append((PrimaryKeys.Entry(number: number, name: entity.name, parent: 0, lastRow: 0), table))
        }
        let insertion = try PreparedStatement(
            self, "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)")
        var taken = Set(known.map(\.number))
        let names = Set(known.map(\.name))
        var count = 0
        for (entity, table) in entities where !names.contains(entity.name) {
            guard schema.tables[table]?.has("Z_PK") == true, taken.insert(entity.number).inserted else { continue }
            let last =
                entity.parent == 0 ? try integer(of: "SELECT MAX(Z_PK) FROM \(table.quotedIdentifier)") : 0
            try insertion.run([
                .integer(entity.number), .string(entity.name), .integer(entity.parent), .integer(last),
            ])
            count += 1
        }
        return count
    }

    /// The numbers of entities that rows of a table have.
    private func entityNumbers(in table: SQLName, _ schema: StoreSchema) throws -> Set<Int64> {
        guard schema.tables[table]?.has("Z_ENT") == true else { return [] }
        return Set(try rows("SELECT DISTINCT Z_ENT FROM \(table.quotedIdentifier) LIMIT 1000") { $0.integer(0) })
    }
}
