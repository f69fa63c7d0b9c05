package import CoreDataStore
package import GRDB

extension SettingsTable {
    /// A column of another table that contains a row number of a record.
    package struct Reference: Hashable, Sendable {
        package let table: SQLName
        package let column: SQLName
        package let row: Int64
    }

    /// A possible reference to one of `rows` of which the model says nothing: an INTEGER column of a table whose entity the
    /// model does not have (`ZMETER`), of all entities and join tables (`Z_2METERS`) where there is no model, or a foreign
    /// key that another tool declared, if it contains one of the row numbers.
    /// - Throws: SQLite's errors.
    package func possibleReference(
        among rows: Set<Int64>, _ store: StoreDescription, _ database: Database
    ) throws -> Reference? {
        guard !rows.isEmpty else { return nil }
        for (other, column) in try unknownColumns(in: store) + declaredKeys(database) {
            var found: Int64?
            try database.forEachRow("SELECT DISTINCT \(column.quotedIdentifier) FROM \(other.quotedIdentifier)") {
                row in
                if row.storageClass(0) == .integer, rows.contains(row.integer(0)) {
                    found = min(found ?? row.integer(0), row.integer(0))
                }
            }
            if let found { return Reference(table: other, column: column, row: found) }
        }
        return nil
    }

    /// Columns of numbers that may be those of rows here, by the names that Core Data gives to relationships.
    private func unknownColumns(in store: StoreDescription) -> [(table: SQLName, column: SQLName)] {
        func tables(_ entries: [PrimaryKeys.Entry]) -> Set<SQLName> { Set(entries.map { store.keys.table(of: $0) }) }
        let known = store.keys.appEntries.filter { model?.model[entity: $0.name] != nil }
        let unknown = tables(store.keys.appEntries).subtracting(tables(known)).subtracting([table.name])
        let tables = store.schema.tables.values.filter { other in
            unknown.contains(other.name) || model == nil && other.name.isJoinName
        }
        return tables.sorted { $0.name < $1.name }.flatMap { other in
            other.columns.filter { column in
                column.declaredType == "INTEGER"
                    && (column.name.isRelationshipName || other.name.isJoinName && column.name.isJoinName)
            }.map { (other.name, $0.name) }
        }
    }

    /// Foreign keys to this table's rows. Core Data declares none.
    private func declaredKeys(_ database: Database) throws -> [(table: SQLName, column: SQLName)] {
        // Few schemas have the word, and each table's keys are a query of their own.
        guard try database.integer(of: "SELECT COUNT(*) FROM sqlite_master WHERE sql LIKE '%REFERENCES%'") > 0 else {
            return []
        }
        return try database.rows(
            """
            SELECT tables.name, keys."from" FROM sqlite_master AS tables, pragma_foreign_key_list(tables.name) AS keys
            WHERE tables.type = 'table' AND keys."table" = ? COLLATE NOCASE
                AND COALESCE(keys."to", 'Z_PK') = 'Z_PK' COLLATE NOCASE ORDER BY 1, 2
            """, [.string(table.name.text)]
        ) { (SQLName($0.text(0) ?? ""), SQLName($0.text(1) ?? "")) }
    }

    /// Rows of `rows` that another object refers to, or that refer to one: deleting them would leave a dangling
    /// relationship. Empty for the app's own model, which has no relationships.
    /// - Throws: SQLite's errors.
    package func relatedRows(
        among rows: @autoclosure () -> Set<Int64>, _ store: StoreDescription, _ database: Database
    ) throws -> [String] {
        guard let model else { return [] }
        let kin = Set(model.model.lineage(of: model.entity).map(\.name))
        let own = model.model.allRelationships(of: model.entity).filter { !$0.isToMany }
        let hasOthers = model.model.entities.contains { $0.relationships.contains { kin.contains($0.destination) } }
        guard !own.isEmpty || hasOthers else { return [] }
        let rows = rows()
        guard !rows.isEmpty else { return [] }
        var found: [String] = []
        for relationship in own {
            let column = Self.column(relationship.name)
            guard table.has(column) else { continue }
            try database.forEachRow(
                "SELECT Z_PK FROM \(table.name.quotedIdentifier) WHERE \(column.quotedIdentifier) IS NOT NULL"
            ) { row in
                if rows.contains(row.integer(0)) { found.append("row \(row.integer(0)) has a \(relationship.name)") }
            }
        }
        for other in model.model.entities {
            for relationship in other.relationships where kin.contains(relationship.destination) {
                guard !relationship.isToMany else {
                    // A to-many relationship on the other side has its key in this table, or a join table.
                    let isKeyHere = relationship.inverse.map { table.has(Self.column($0)) } ?? false
                    if !isKeyHere { found.append("\(other.name).\(relationship.name) may refer to any row") }
                    continue
                }
                guard let key = store.keys[other.name], let source = store.schema.tables[store.keys.table(of: key)],
                    source.has(Self.column(relationship.name))
                else { continue }
                let column = Self.column(relationship.name).quotedIdentifier
                try database.forEachRow(
                    "SELECT Z_PK, \(column) FROM \(source.name.quotedIdentifier) WHERE \(column) IS NOT NULL"
                ) { row in
                    guard rows.contains(row.integer(1)) else { return }
                    found.append("row \(row.integer(0)) of \(other.name) refers to row \(row.integer(1))")
                }
            }
        }
        return found
    }
}

extension SQLName {
    /// `ZMETER`, but neither `Z_PK` nor `Z2_METER`, which is an entity number.
    fileprivate var isRelationshipName: Bool {
        hasPrefix("Z") && !hasPrefix("Z_") && text.dropFirst().first?.isNumber == false
    }

    /// `Z_2METERS`: the table of a many-to-many relationship, and a column of one. For an ordered one, the order is in
    /// `Z_FOK_…`.
    fileprivate var isJoinName: Bool { hasPrefix("Z_") && text.dropFirst(2).first?.isNumber == true }
}
