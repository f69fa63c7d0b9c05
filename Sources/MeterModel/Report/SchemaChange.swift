/// A change of a store's tables and indexes, its entities, or the model it carries. It touches no row of the app. It
/// says what is done, not in which SQL, so that a plan from a file cannot contain SQL.
package enum SchemaChange: Hashable, Sendable {
    /// An index for a uniqueness constraint. `sql` is the statement that created it, if it has one.
    case dropIndex(name: String, table: String, sql: String?)
    /// A column at the end of a table, NULL in every row.
    case addColumn(table: String, column: String, declaredType: String)
    /// An empty table. `columns` come after `Z_PK`, `Z_ENT` and `Z_OPT`.
    case createTable(name: String, columns: [Column])
    case createIndex(name: String, table: String, column: String)
    /// A row of `Z_PRIMARYKEY`.
    case addEntity(number: Int64, name: String, parent: Int64)
    /// The new content of `Z_MODELCACHE`.
    case modelCache(content: [UInt8])

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
