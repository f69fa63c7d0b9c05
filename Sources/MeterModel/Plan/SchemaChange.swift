/// A change of a store's tables and indexes, its entities, the model it carries, or the numbers by which Core Data keeps
/// its rows. Of a row of the app it touches nothing but its entity number. It says what is done, not in which SQL, so
/// that the changes in a backup cannot contain SQL.
package enum SchemaChange: Hashable, Sendable {
    /// An index for a uniqueness constraint. `sql` is the statement that created it, if it has one.
    case dropIndex(name: String, table: String, sql: String?)
    /// What another tool added to a table of Core Data; `sql` created it.
    case dropForeign(Foreign, name: String, table: String, sql: String)
    /// A column at the end of a table, NULL in every row.
    case addColumn(table: String, column: String, declaredType: String)
    /// An empty table. `columns` come after `Z_PK`, `Z_ENT` and `Z_OPT`.
    case createTable(name: String, columns: [Column])
    case createIndex(name: String, table: String, column: String)
    /// An index that is damaged, as its own statement makes it. It comes before all other changes, which are planned by it.
    case remakeIndex(name: String, table: String)
    /// A row of `Z_PRIMARYKEY`.
    case addEntity(number: Int64, name: String, parent: Int64)
    /// The new content of `Z_MODELCACHE`.
    case modelCache(content: [UInt8])
    /// The last row number that was given out, `Z_MAX`, of the entity with this number.
    case lastRow(entity: String, number: Int64, before: Int64, after: Int64)
    /// The entity number of a row, `Z_ENT`. `before` is nil for NULL and for what is no number.
    case entityNumber(table: String, row: Int64, before: Int64?, after: Int64)

    package enum Foreign: Sendable {
        /// A unique index.
        case index
        case trigger
    }

    package struct Column: Hashable, Sendable {
        package let name: String
        /// `VARCHAR`, `TIMESTAMP` …
        package let declaredType: String

        package init(name: String, declaredType: String) {
            self.name = name
            self.declaredType = declaredType
        }
    }
}

extension SchemaChange {
    /// Whether it changes tables, indexes, entities or the model, and not just the numbers of rows.
    package var isOfModel: Bool {
        switch self {
        case .dropIndex, .addColumn, .createTable, .createIndex, .addEntity, .modelCache: true
        case .dropForeign, .remakeIndex, .lastRow, .entityNumber: false
        }
    }
}
