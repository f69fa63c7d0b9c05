package import CoreDataStore
package import GRDB

extension SettingsTable {
    /// A column of another table that contains a row number of a record.
    package struct Reference: Hashable, Sendable {
        package let table: SQLName
        package let column: SQLName
        package let row: Int64
    }

    /// A possible reference to one of `rows`, for a store without a model that would say what is one: an INTEGER column
    /// of another entity's table (`ZMETER`), or of a join table (`Z_2METERS`), that contains one of the row numbers.
    /// Nil if the store has a model.
    /// - Throws: SQLite's errors.
    package func possibleReference(
        among rows: @autoclosure () -> Set<Int64>, _ store: StoreDescription, _ database: Database
    ) throws -> Reference? {
        guard model == nil else { return nil }
        let rows = rows()
        guard !rows.isEmpty else { return nil }
        let entities = Set(store.keys.appEntries.map { store.keys.table(of: $0) })
        for other in store.schema.tables.values.sorted(by: { $0.name < $1.name }) where other.name != table.name {
            let isJoin = other.name.isJoinName
            guard isJoin || entities.contains(other.name) else { continue }
            for column in other.columns where column.declaredType == "INTEGER" {
                guard column.name.isRelationshipName || (isJoin && column.name.isJoinName) else { continue }
                var found: Int64?
                try database.forEachRow(
                    "SELECT DISTINCT \(column.name.quotedIdentifier) FROM \(other.name.quotedIdentifier)"
                ) { row in
                    if row.storageClass(0) == .integer, rows.contains(row.integer(0)) {
                        found = min(found ?? row.integer(0), row.integer(0))
                    }
                }
                if let found { return Reference(table: other.name, column: column.name, row: found) }
            }
        }
        return nil
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
