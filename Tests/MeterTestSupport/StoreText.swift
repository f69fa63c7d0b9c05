internal import Foundation
package import GRDB

/// A store as text that SQLite itself writes, for expectations that share no code with what is tested. Every value is a
/// literal of SQL: `NULL`, `7`, `0.5`, `'text'`, `X'20'`.
package struct StoreText: Hashable, Sendable {
    /// By table, in the order of row numbers.
    package let tables: [String: [String]]
    /// The statements in `sqlite_master`.
    package let statements: [String]
    package let isIntact: Bool

    package subscript(table table: String) -> [String] { tables[table] ?? [] }

    /// Reads a copy of the store at `path`, its log included.
    package static func read<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
        let folder = try TemporaryFolder()
        let copy = folder.path + "/store.sqlite"
        for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            // The original may be one that nobody may write to.
            chmod(copy + suffix, 0o600)
        }
        var configuration = Configuration.forTests
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        let queue = try DatabaseQueue(path: copy, configuration: configuration)
        let value = try queue.writeWithoutTransaction(body)
        try queue.close()
        return value
    }

    private static func rows(of table: String, _ database: Database) throws -> [String] {
        let quoted = table.inQuotes
        // Most tables of a mirror have none, and the long query below takes a while to compile.
        guard try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM \(quoted))") == true else { return [] }
        let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
        // `quote` ends a text at its first NUL and shows bad UTF-8 as it is: blobs keep every byte.
        let values = columns.map { column in
            let name = column.inQuotes
            return "CASE WHEN typeof(\(name)) = 'text' AND (instr(CAST(\(name) AS BLOB), X'00') OR \(name) GLOB "
                + "'*[^ -~]*') THEN 'text ' || hex(\(name)) ELSE quote(\(name)) END"
        }
        return try String.fetchAll(
            database, sql: "SELECT \(values.joined(separator: " || ',' || ")) FROM \(quoted) ORDER BY rowid")
    }
}

extension StoreText {
    /// Reads a copy; the folder of `path` stays as it is.
    package init(of path: String) throws {
        self = try Self.read(path) { database in
            let names = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            var tables: [String: [String]] = [:]
            for name in names { tables[name] = try StoreText.rows(of: name, database) }
            return StoreText(
                tables: tables,
                statements: try String.fetchAll(
                    database, sql: "SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid"),
                isIntact: try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
        }
    }
}

extension String {
    /// As an identifier in SQL.
    var inQuotes: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
