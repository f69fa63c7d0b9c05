internal import Foundation
internal import GRDB

/// Every text and every BLOB in the tables of a store, with exact bytes: text that is not UTF-8, and text after a NUL.
struct StoreValues {
    struct Value {
        let table: String
        let column: String
        let row: Int64?
        let isText: Bool
        /// The bytes of a BLOB, and of a text in the database's encoding.
        let bytes: [UInt8]
        /// The bytes of a text in UTF-8 where it can be decoded.
        let utf8: [UInt8]

        /// Nil for a BLOB, and for a text that cannot be decoded.
        var text: String? { isText ? TextEncoding.utf8.text(of: utf8) : nil }
        var place: String { "\(table).\(column)" + (row.map { " of row \($0)" } ?? "") }
    }

    let values: [Value]
    /// Names and statements in `sqlite_master`.
    let schema: [String]

    /// Reads a copy, with the `-wal` beside the file.
    init(of path: String) throws {
        self = try StoreText.read(path) { database in
            let name = try String.fetchOne(database, sql: "PRAGMA encoding")
            let encoding: TextEncoding =
                switch name {
                case "UTF-16le": .utf16LittleEndian
                case "UTF-16be": .utf16BigEndian
                default: .utf8
                }
            var values: [Value] = []
            for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
                // A table whose module this SQLite lacks has nothing of its own; its rows are in other tables.
                guard let rows = try? Self.values(in: table, database, encoding) else { continue }
                values += rows
            }
            let rows = try Row.fetchAll(database, sql: "SELECT name, tbl_name, sql FROM sqlite_master")
            return StoreValues(
                values: values,
                schema: rows.flatMap { row in row.databaseValues.compactMap { String.fromDatabaseValue($0) } })
        }
    }

    private init(values: [Value], schema: [String]) {
        self.values = values
        self.schema = schema
    }

    private static func values(
        in table: String, _ database: Database, _ encoding: TextEncoding
    ) throws -> [Value] {
        func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
        let columns = try String.fetchAll(
            database, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [table])
        let hasRowNumber = (try? Row.fetchOne(database, sql: "SELECT rowid FROM \(quoted(table)) LIMIT 1")) != nil
        var values: [Value] = []
        for column in columns {
            let name = quoted(column)
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT \(hasRowNumber ? "rowid" : "NULL"), typeof(\(name)) = 'text', CAST(\(name) AS BLOB) "
                    + "FROM \(quoted(table)) WHERE typeof(\(name)) IN ('text', 'blob')")
            while let row = try rows.next() {
                let bytes = [UInt8]((row[2] as Data?) ?? Data())
                let isText: Bool = row[1]
                let text = isText ? encoding.text(of: bytes) : nil
                values.append(
                    Value(
                        table: table, column: column, row: row[0], isText: isText, bytes: bytes,
                        utf8: text.map { Array($0.utf8) } ?? bytes))
            }
        }
        return values
    }
}
