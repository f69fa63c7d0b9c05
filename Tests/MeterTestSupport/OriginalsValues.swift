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
    /// What is in `sqlite_master`.
    let names: [String]
    /// Of tables, and the types of these, in lower case: what a statement has in quotation marks beside literals.
    let columns: Set<String>
    let statements: [String]
}

extension StoreValues {
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
            var columns: Set<String> = []
            for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
                // A table whose module this SQLite lacks has nothing of its own; its rows are in other tables.
                guard let rows = try? Self.values(in: table, database, encoding) else { continue }
                values += rows
                for column in try Row.fetchAll(
                    database, sql: "SELECT name, type FROM pragma_table_xinfo(?)", arguments: [table])
                {
                    columns.formUnion([column[0] ?? "", column[1] ?? ""].map { ($0 as String).lowercased() })
                }
            }
            return StoreValues(
                values: values,
                names: try String.fetchAll(
                    database, sql: "SELECT name FROM sqlite_master UNION SELECT tbl_name FROM sqlite_master"),
                columns: columns,
                statements: try String.fetchAll(database, sql: "SELECT sql FROM sqlite_master WHERE sql NOT NULL"))
        }
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

/// A statement of SQL, taken apart: what SQLite runs, and where somebody can have written anything.
package struct SchemaText {
    /// The pieces between literals and comments.
    package private(set) var code: [String] = []
    /// With what is in double quotation marks, backticks or brackets and no name, and with numbers of four digits and more.
    package private(set) var literals: [String] = []
    package private(set) var comments: [String] = []

    /// - Parameter names: of the schema, in lower case; SQLite takes what is quoted and none of them for a literal.
    package init(_ sql: String, names: Set<String> = []) {
        var rest = sql[...]
        var piece = ""
        func endPiece() {
            code.append(piece)
            piece = ""
        }
        func until(_ end: String, from start: String) -> Substring {
            let body = rest.dropFirst(start.count)
            let found = body.firstRange(of: end)
            let text = body[..<(found?.lowerBound ?? body.endIndex)]
            rest = body[(found?.upperBound ?? body.endIndex)...]
            return text
        }
        while let first = rest.first {
            if first == "'" {
                endPiece()
                literals.append(String(until("'", from: "'")))
            } else if rest.hasPrefix("--") {
                endPiece()
                comments.append(String(until("\n", from: "--")))
            } else if rest.hasPrefix("/*") {
                endPiece()
                comments.append(String(until("*/", from: "/*")))
            } else if let end = ["\"": "\"", "`": "`", "[": "]"][first] {
                let text = String(until(end, from: String(first)))
                if names.contains(text.lowercased()) {
                    piece += "\(first)\(text)\(end)"
                } else {
                    endPiece()
                    literals.append(text)
                }
            } else if first.isLetter || first.isNumber || first == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                rest = rest.dropFirst(word.count)
                if word.count > 3, word.allSatisfy(\.isNumber) {
                    endPiece()
                    literals.append(String(word))
                } else {
                    piece += word
                }
            } else {
                piece.append(rest.removeFirst())
            }
        }
        endPiece()
        code = code.map(\.trimmingWhitespace).filter { !$0.isEmpty }
    }
}
