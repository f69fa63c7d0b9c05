package import CoreDataStore
package import GRDB

extension SettingsTable {
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
