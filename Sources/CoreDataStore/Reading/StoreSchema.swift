package import GRDB

/// The tables of a store and their columns, by name.
package struct StoreSchema: Hashable, Sendable {
    /// A table, not a view.
    package struct Table: Hashable, Sendable {
        package struct Column: Hashable, Sendable {
            package let name: String
            /// As declared: `VARCHAR`, `TIMESTAMP` …
            package let declaredType: String

            package init(name: String, declaredType: String) {
                self.name = name
                self.declaredType = declaredType
            }
        }

        package let name: String
        package let columns: [Column]
        /// The column that is SQLite's own row number under another name, as `Z_PK` is in the tables of Core Data: the one
        /// declared `INTEGER PRIMARY KEY`. Nil without one. https://www.sqlite.org/lang_createtable.html#rowid
        package let rowNumberColumn: String?

        package func has(_ column: String) -> Bool { columns.contains { $0.name == column } }
    }

    /// An index or a trigger.
    package struct Attachment: Hashable, Sendable {
        package let name: String
        package let table: String
        package let sql: String?
        package let isUnique: Bool
        /// The indexed columns; empty for a trigger, and nil in it for an expression.
        package let columns: [String?]
    }

    package let tables: [String: Table]
    /// Tables whose statement makes a table of another name, such as one in other letters: SQLite lists them by the one
    /// name and tells of their rows by the other.
    package let misnamed: Set<String>
    package let indexes: [Attachment]
    package let triggers: [Attachment]

    /// Reads `sqlite_master` and the columns of each table.
    /// - Throws: SQLite's errors.
    package init(_ database: Database) throws {
        var names: [String] = []
        var misnamed: Set<String> = []
        var triggers: [Attachment] = []
        var indexStatements: [String: String] = [:]
        try database.forEachRow("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid") { row in
            let kind = String(decoding: row.bytes(0), as: UTF8.self)
            let name = String(decoding: row.bytes(1), as: UTF8.self)
            let sql = row.storageClass(3) == .text ? String(decoding: row.bytes(3), as: UTF8.self) : nil
            switch kind {
            case "table":
                names.append(name)
                // As it is or, with quotation marks in it, in quotation marks.
                if sql?.contains(name) == false, sql?.contains(name.quotedIdentifier) == false { misnamed.insert(name) }
            case "index": indexStatements[name] = sql
            case "trigger":
                let table = String(decoding: row.bytes(2), as: UTF8.self)
                triggers.append(Attachment(name: name, table: table, sql: sql, isUnique: false, columns: []))
            default: break
            }
        }
        var tables: [String: Table] = [:]
        var indexes: [Attachment] = []
        let columnsOfTable = try PreparedStatement(database, "SELECT name, type, pk FROM pragma_table_info(?)")
        let indexesOfTable = try PreparedStatement(
            database, "SELECT name, \"unique\", origin = 'pk' FROM pragma_index_list(?)")
        let columnsOfIndex = try PreparedStatement(database, "SELECT name FROM pragma_index_info(?)")
        for name in names {
            var columns: [Table.Column] = []
            var primaryKey: [Table.Column] = []
            try columnsOfTable.forEachRow([.text(Array(name.utf8))]) { row in
                let column = Table.Column(
                    name: String(decoding: row.bytes(0), as: UTF8.self),
                    declaredType: String(decoding: row.bytes(1), as: UTF8.self).uppercased())
                columns.append(column)
                if row.integer(2) != 0 { primaryKey.append(column) }
            }
            // Every other primary key has an index of its own: in a table without row numbers, or with the key in
            // descending order.
            var isKeyIndexed = false
            var found: [(name: String, isUnique: Bool)] = []
            try indexesOfTable.forEachRow([.text(Array(name.utf8))]) { row in
                found.append((String(decoding: row.bytes(0), as: UTF8.self), row.integer(1) != 0))
                if row.integer(2) != 0 { isKeyIndexed = true }
            }
            let isRowNumber = primaryKey.map(\.declaredType) == ["INTEGER"] && !isKeyIndexed
            tables[name] = Table(
                name: name, columns: columns, rowNumberColumn: isRowNumber ? primaryKey[0].name : nil)
            for (index, isUnique) in found {
                var columns: [String?] = []
                try columnsOfIndex.forEachRow([.text(Array(index.utf8))]) { row in
                    columns.append(row.storageClass(0) == .text ? String(decoding: row.bytes(0), as: UTF8.self) : nil)
                }
                indexes.append(
                    Attachment(
                        name: index, table: name, sql: indexStatements[index], isUnique: isUnique, columns: columns))
            }
        }
        self.tables = tables
        self.misnamed = misnamed
        self.indexes = indexes
        self.triggers = triggers
    }
}
