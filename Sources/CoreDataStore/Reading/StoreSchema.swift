package import GRDB
internal import Texts

/// The tables of a store and their columns, by name.
package struct StoreSchema: Hashable, Sendable {
    package struct Table: Hashable, Sendable {
        package struct Column: Hashable, Sendable {
            package let name: SQLName
            /// As declared: `VARCHAR`, `TIMESTAMP` …
            package let declaredType: String
            /// Whether the column is declared `NOT NULL` or with a `DEFAULT`: then a new row needs a value here, or
            /// gets one that nobody wrote. Core Data declares neither.
            package let fillsNewRows: Bool

            package init(name: SQLName, declaredType: String, fillsNewRows: Bool = false) {
                self.name = name
                self.declaredType = declaredType
                self.fillsNewRows = fillsNewRows
            }
        }

        package let name: SQLName
        package let columns: [Column]
        /// What a row's record holds, in order: the columns, and nil for a generated column that is stored. It is as long as
        /// `columns` in every table of Core Data.
        let record: [SQLName?]
        /// The column that is an alias of SQLite's rowid, as `Z_PK` is in the tables of Core Data: the one declared
        /// `INTEGER PRIMARY KEY`. Nil without one. https://www.sqlite.org/lang_createtable.html#rowid
        package let rowNumberColumn: SQLName?
        /// The last columns, which `ALTER TABLE` added after Core Data had made the table.
        package let addedColumns: [SQLName]
        /// Columns that SQLite computes from others; they are not in `columns`. Core Data has none.
        package let computedColumns: [SQLName]
        /// Whether its statement has a CHECK, as none of Core Data's has.
        package let hasCheck: Bool
        /// Whether SQLite keeps account of its row numbers in `sqlite_sequence`, as it does for no table of Core Data.
        package let isAutoincrement: Bool

        /// A column, or NULL where the table has none of this name: many columns are only in some versions' tables.
        func expression(_ column: SQLName) -> String { has(column) ? column.text : "NULL" }

        package func has(_ column: SQLName) -> Bool { position(of: column) != nil }

        /// The index of a column; nil if the table has none of this name.
        package func position(of column: SQLName) -> Int? { columns.firstIndex { $0.name == column } }
    }

    /// An index, a trigger, a view or a virtual table.
    package struct Attachment: Hashable, Sendable {
        package let name: SQLName
        package let table: SQLName
        package let sql: String?
        package let isUnique: Bool
        /// Whether SQLite made the index for the table's primary key.
        package var isOfPrimaryKey = false
        /// The indexed columns, nil for an expression; empty for everything else.
        package let columns: [SQLName?]

        /// Whether Core Data gives the index of a uniqueness constraint such a name.
        package var isNamedForConstraint: Bool { isUnique && name.hasPrefix("Z_") && name.contains("_UNIQUE_") }

        /// Whether a column is indexed, by itself or in an expression.
        package func uses(_ column: SQLName) -> Bool {
            if columns.contains(column) { return true }
            guard columns.contains(nil), let sql else { return false }
            return StoreSchema.words(of: sql).contains { SQLName($0) == column }
        }
    }

    package private(set) var tables: [SQLName: Table] = [:]
    /// Tables whose statement creates a table of another name, for example in another letter case: SQLite lists them
    /// under one name and reports their rows under the other.
    package private(set) var misnamed: Set<SQLName> = []
    package private(set) var indexes: [Attachment] = []
    package private(set) var triggers: [Attachment] = []
    package private(set) var views: [Attachment] = []
    /// Virtual tables, such as search indexes; they are not in `tables`. Their contents are in ordinary tables beside
    /// them; the module may not be available. https://www.sqlite.org/vtab.html
    package private(set) var virtualTables: [Attachment] = []

    /// - Throws: SQLite's errors.
    package init(_ database: Database) throws { self = try KnownSchema(database).schema }

    fileprivate init(reading database: Database) throws {
        var names: [SQLName] = []
        var indexStatements: [SQLName: String] = [:]
        var tableStatements: [SQLName: String] = [:]
        try database.forEachRow("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid") { row in
            let kind = String(decoding: row.bytes(0), as: UTF8.self)
            let name = SQLName(String(decoding: row.bytes(1), as: UTF8.self))
            let sql = row.storageClass(3) == .text ? String(decoding: row.bytes(3), as: UTF8.self) : nil
            switch kind {
            case "table" where Self.makesVirtualTable(sql):
                virtualTables.append(Attachment(name: name, table: name, sql: sql, isUnique: false, columns: []))
            case "table":
                names.append(name)
                tableStatements[name] = sql
                // As it is, or quoted if it contains quotation marks.
                if let sql, !sql.utf8.contains(name.text.utf8), !sql.utf8.contains(name.quotedIdentifier.utf8) {
                    misnamed.insert(name)
                }
            case "index": indexStatements[name] = sql
            case "trigger":
                let table = SQLName(String(decoding: row.bytes(2), as: UTF8.self))
                triggers.append(Attachment(name: name, table: table, sql: sql, isUnique: false, columns: []))
            case "view": views.append(Attachment(name: name, table: name, sql: sql, isUnique: false, columns: []))
            default: break
            }
        }
        let columnsOfTable = try PreparedStatement(
            database,
            """
            SELECT name, type, pk, "notnull" OR dflt_value IS NOT NULL, hidden FROM pragma_table_xinfo(?)
            WHERE hidden IN (0, 2, 3)
            """)
        let indexesOfTable = try PreparedStatement(
            database, "SELECT name, \"unique\", origin = 'pk' FROM pragma_index_list(?)")
        let columnsOfIndex = try PreparedStatement(database, "SELECT name FROM pragma_index_info(?)")
        for name in names {
            var columns: [Table.Column] = []
            var record: [SQLName?] = []
            var computed: [SQLName] = []
            var primaryKey: [Table.Column] = []
            try columnsOfTable.forEachRow([.string(name.text)]) { row in
                let name = SQLName(String(decoding: row.bytes(0), as: UTF8.self))
                // Generated, and with 3 also stored: https://www.sqlite.org/pragma.html#pragma_table_xinfo
                guard row.integer(4) == 0 else {
                    computed.append(name)
                    if row.integer(4) == 3 { record.append(nil) }
                    return
                }
                let column = Table.Column(
                    name: name,
                    declaredType: String(decoding: row.bytes(1), as: UTF8.self).uppercased(),
                    fillsNewRows: row.integer(3) != 0)
                columns.append(column)
                record.append(column.name)
                if row.integer(2) != 0 { primaryKey.append(column) }
            }
            // Every other primary key has its own index: in a WITHOUT ROWID table, or with the key in descending order.
            var isKeyIndexed = false
            var found: [(name: SQLName, isUnique: Bool, isOfKey: Bool)] = []
            try indexesOfTable.forEachRow([.string(name.text)]) { row in
                let name = SQLName(String(decoding: row.bytes(0), as: UTF8.self))
                found.append((name, row.integer(1) != 0, row.integer(2) != 0))
                if row.integer(2) != 0 { isKeyIndexed = true }
            }
            let isRowNumber = primaryKey.map(\.declaredType) == ["INTEGER"] && !isKeyIndexed
            let words = Self.words(
                of: tableStatements[name] ?? "", isCounted: tableStatements["sqlite_sequence"] != nil)
            tables[name] = Table(
                name: name, columns: columns, record: record, rowNumberColumn: isRowNumber ? primaryKey[0].name : nil,
                addedColumns: Self.addedColumns(columns.map(\.name), by: tableStatements[name]),
                computedColumns: computed, hasCheck: words.contains("CHECK"),
                isAutoincrement: words.contains("AUTOINCREMENT"))
            for (index, isUnique, isOfKey) in found {
                var columns: [SQLName?] = []
                try columnsOfIndex.forEachRow([.string(index.text)]) { row in
                    columns.append(
                        row.storageClass(0) == .text ? SQLName(String(decoding: row.bytes(0), as: UTF8.self)) : nil)
                }
                indexes.append(
                    Attachment(
                        name: index, table: name, sql: indexStatements[index], isUnique: isUnique,
                        isOfPrimaryKey: isOfKey, columns: columns))
            }
        }
    }

    /// The unique indexes of a table that all these columns are part of.
    package func uniqueIndexes(of table: SQLName, over columns: [SQLName]) -> [Attachment] {
        indexes.filter { $0.table == table && $0.isUnique && columns.allSatisfy($0.columns.contains) }
    }

    /// Core Data's statement ends in a space and a parenthesis, and `ALTER TABLE` puts a comma and the new column before
    /// the parenthesis: `ZID BLOB , ZRANK INTEGER)`. (`sqlite3AlterFinishAddColumn` in SQLite's alter.c)
    private static func addedColumns(_ columns: [SQLName], by sql: String?) -> [SQLName] {
        guard let sql, let comma = sql.utf8.firstIndex(of: " , ".utf8) else { return [] }
        let count = sql.utf8[comma...].count { $0 == UInt8(ascii: ",") }
        return count < columns.count ? columns.suffix(count) : []
    }

    /// SQLite itself writes these words at the start of the statement.
    static func makesVirtualTable(_ sql: String?) -> Bool {
        sql.map { SQLName($0).hasPrefix("CREATE VIRTUAL TABLE") } ?? false
    }
}

/// A schema, and what it alone says of the store.
struct KnownSchema: Sendable {
    let schema: StoreSchema
    let history: PersistentHistory?
    let mirror: CloudKitMirror?

    private init(_ schema: StoreSchema) {
        self.schema = schema
        history = PersistentHistory(schema: schema)
        mirror = CloudKitMirror(schema: schema)
    }

    /// Reads `sqlite_master` and, unless a store with the same one was read before, the columns of each table.
    init(_ database: Database) throws {
        var statements: [UInt8] = []
        try database.forEachRow("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid") { row in
            for column in 0..<4 {
                let bytes = row.bytes(column)
                // With its length, or else what is in one could be taken for the end of it.
                withUnsafeBytes(of: row.storageClass(column) == .null ? -1 : bytes.count) { statements += $0 }
                statements += bytes
            }
        }
        self = try Self.prepared.value(of: statements) { KnownSchema(try StoreSchema(reading: database)) }
    }

    private static let prepared = Prepared<[UInt8], KnownSchema>()
}

extension StoreSchema.Table.Column {
    /// How a column converts the values that are stored in it.
    package enum Affinity: Sendable {
        /// Numbers become text.
        case text
        /// Text that reads as a number becomes one.
        case numeric
        /// Every value stays as it is.
        case none
    }

    /// By the declared type: https://www.sqlite.org/datatype3.html#determination_of_column_affinity
    package var affinity: Affinity {
        let type = declaredType.utf8
        if type.contains("INT".utf8) { return .numeric }
        if type.contains("CHAR".utf8) || type.contains("CLOB".utf8) || type.contains("TEXT".utf8) { return .text }
        return type.isEmpty || type.contains("BLOB".utf8) ? .none : .numeric
    }
}

extension StoreSchema.Table {
    /// Whether numbers stored in these columns stay numbers.
    package func keepsNumbers(in names: [SQLName]) -> Bool {
        !columns.contains { names.contains($0.name) && $0.affinity == .text }
    }
}

extension StoreSchema {
    /// A search index over the rows of a table (FTS4 or FTS5 "external content"). It keeps no copy of the rows, and
    /// whoever changes them has to update it. https://www.sqlite.org/fts5.html#external_content_tables
    package func searchIndex(over table: SQLName) -> SQLName? {
        virtualTables.first { $0.sql.map(Self.contentTables)?.contains(table) ?? false }?.name
    }

    /// The names after `content=` in the statement of a virtual table.
    private static func contentTables(in sql: String) -> [SQLName] {
        let words = words(of: sql)
        return words.indices.dropLast(2).compactMap { index in
            SQLName(words[index]) == "content" && words[index + 1] == "=" ? SQLName(words[index + 2]) : nil
        }
    }

    /// The words of a table's statement; none where it says nothing but columns and their types.
    /// - Parameter isCounted: whether the database has a table with AUTOINCREMENT.
    private static func words(of sql: String, isCounted: Bool) -> Set<SQLName> {
        // A CHECK is in parentheses of its own.
        guard isCounted || sql.utf8.count(where: { $0 == UInt8(ascii: "(") }) > 1 else { return [] }
        return Set(words(of: sql).map { SQLName($0) })
    }

    /// The words of a statement, without their quotation marks, and all other characters except white space.
    fileprivate static func words(of sql: String) -> [String] { SQLWord.all(in: sql).map(\.text) }
}
