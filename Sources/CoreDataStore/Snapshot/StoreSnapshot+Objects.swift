internal import GRDB

extension StoreSnapshot {
    /// How many objects of an entity there are, not counting those of entities below it.
    /// - Throws: `StoreError`, `unsuitable` for an entity that the store does not have.
    public func count(of entity: String) throws(StoreError) -> Int {
        let entry = try entry(entity)
        return try read { database in
            guard let table = self.description.schema.tables[self.description.keys.table(of: entry)], table.has("Z_ENT")
            else { return 0 }
            return Int(
                try database.integer(
                    of: "SELECT COUNT(*) FROM \(table.name.quotedIdentifier) WHERE Z_ENT = \(entry.number)"))
        }
    }

    /// Hands the objects of an entity to `body`, in the order of their numbers; not those of entities below it.
    /// - Parameters:
    ///   - entity: its name.
    ///   - limit: how many at most.
    ///   - body: is called for each, one after another, and may ask the snapshot for more; an error that it throws ends
    ///     the reading.
    /// - Throws: what `body` throws; `StoreError`, `unsuitable` for an entity that the store or its model does not have,
    ///   and without a model.
    public func forEachObject(
        of entity: String, limit: Int = .max, _ body: (StoredObject) throws(StoreError) -> Void
    ) throws(StoreError) {
        let reader = try reader(entry(entity))
        let columns = reader.table.columns.map(\.name.quotedIdentifier).joined(separator: ", ")
        try read { database in
            try database.forEachRow(
                """
                SELECT Z_PK, \(columns) FROM \(reader.table.name.quotedIdentifier) WHERE Z_ENT = ? ORDER BY Z_PK LIMIT ?
                """, [.integer(reader.entity.number), .integer(Int64(max(limit, 0)))]
            ) { row in
                try body(
                    reader.object(number: row.integer(0)) { take in
                        for position in reader.table.columns.indices { take(position, row[position + 1]) }
                    })
            }
        }
    }

    private func entry(_ entity: String) throws(StoreError) -> PrimaryKeys.Entry {
        guard let entry = description.keys[entity], entry.isApp else {
            throw StoreError(
                .unsuitable, at: path, "the store has no entity \(entity)",
                hint: "it has \(entityNames.joined(separator: ", "))")
        }
        return entry
    }

    func reader(_ entry: PrimaryKeys.Entry) throws(StoreError) -> ObjectReader {
        guard let columns else {
            throw StoreError(
                .unsuitable, at: path, "the store carries no model that can be read",
                hint: "read the app's .momd and open the store with that model")
        }
        guard let reader = ObjectReader(of: entry, in: description, columns) else {
            throw StoreError(
                .unsuitable, at: path,
                "the model does not fit the store: it has no entity \(entry.name), or its table is "
                    + "missing")
        }
        return reader
    }
}
