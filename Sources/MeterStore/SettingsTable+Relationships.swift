package import CoreDataStore
package import GRDB

extension SettingsTable {
    /// A column of another table with the number of a row in it.
    package struct Reference: Hashable, Sendable {
        package let table: SQLName
        package let column: SQLName
        package let row: Int64
    }

    /// Something that may be a reference to one of `rows`, where there is no model to say what is: an INTEGER column of
    /// another entity's table (`ZMETER`), or of a join table (`Z_2METERS`), with the number of a row in it. Nil where the
    /// store has a model.
    package func possibleReference(
        among rows: Set<Int64>, _ store: StoreDescription, _ database: Database
    ) throws -> Reference? {
        guard model == nil, !rows.isEmpty else { return nil }
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

    /// Rows of `rows` that another object refers to, or that refer to one: deleting them would leave a relationship
    /// that leads nowhere. Empty for the app's own model, which has no relationships.
    package func relatedRows(among rows: Set<Int64>, _ store: StoreDescription, _ database: Database) throws -> [String]
    {
        guard let model, !rows.isEmpty else { return [] }
        var found: [String] = []
        let kin = Set(model.model.lineage(of: model.entity).map(\.name))
        for relationship in model.model.allRelationships(of: model.entity) where !relationship.isToMany {
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
                    // A to-many on the other side has its key here, or a join table of its own.
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
    /// `ZMETER`, and neither `Z_PK` nor `Z2_METER`, which is the number of an entity.
    fileprivate var isRelationshipName: Bool {
        hasPrefix("Z") && !hasPrefix("Z_") && text.dropFirst().first?.isNumber == false
    }

    /// `Z_2METERS`: the table of a many-to-many relationship, and a column of one. The order of an ordered one is in
    /// `Z_FOK_…`.
    fileprivate var isJoinName: Bool { hasPrefix("Z_") && text.dropFirst(2).first?.isNumber == true }
}
