internal import Foundation
package import GRDB

/// A new file with the schema of a store, whose rows are those of the store after each has been rewritten. It is built
/// from live rows only, so nothing of the old file's free pages, overwritten values or WAL frames is in it.
package struct RewrittenCopy {
    /// What the copy does not have, as fragments for a person.
    package private(set) var leftOut: [String] = []
    private let source: Database
    private let schema: StoreSchema
    /// The store's, for errors.
    private let path: String
    /// The copy's, likewise.
    private let output: String

    /// How a row of a table is written: one value for each column of the table, in its order.
    package typealias Rewriting = (SQLiteRow) throws -> [SQLiteBinding]
    private let statement: (String) -> String

    /// Writes the copy. Afterwards everything is in this one file, which has the journal mode of the source.
    /// - Parameters:
    ///   - store: what `source` is of. No table in it is misnamed.
    ///   - path: where there is no file, in a folder that nobody else uses. An error may leave one there.
    ///   - shownPath: the store's path, for errors.
    ///   - output: the copy's, likewise.
    ///   - statement: how a statement of the schema is written.
    ///   - rewriting: made once for each table.
    /// - Throws: what `rewriting` throws, and `StoreError`, which is about the file that it is about: the store, or the copy.
    package static func write(
        _ source: Database, of store: StoreDescription, isWAL: Bool, to path: String, shownAs shownPath: String,
        output: String, statement: @escaping (String) -> String, rewriting: (StoreSchema.Table) throws -> Rewriting
    ) throws -> RewrittenCopy {
        var copy = RewrittenCopy(
            source: source, schema: store.schema, path: shownPath, output: output, statement: statement)
        do {
            try copy.write(to: path, isWAL: isWAL, rewriting)
        } catch let error as DatabaseError {
            // What reading the store threw has its path by now.
            throw StoreError(error, at: output)
        }
        return copy
    }

    private mutating func write(
        to path: String, isWAL: Bool, _ rewriting: (StoreSchema.Table) throws -> Rewriting
    ) throws {
        try NewStoreFile.write(to: path, isWAL: isWAL, setting: value) { try fill($0, rewriting) }
    }

    private init(
        source: Database, schema: StoreSchema, path: String, output: String, statement: @escaping (String) -> String
    ) {
        self.statement = statement
        self.source = source
        self.schema = schema
        self.path = path
        self.output = output
    }

    /// Of the store.
    private func value(of pragma: String) throws -> Int64 {
        try reading { try source.integer(of: "PRAGMA \(pragma)") }
    }

    /// Reads from the store: an error is about it.
    private func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError { throw StoreError(error, at: path) }
    }

    private mutating func fill(_ target: Database, _ rewriting: (StoreSchema.Table) throws -> Rewriting) throws {
        let statements = try statements()
        var tables: [StoreSchema.Table] = []
        for statement in statements where statement.kind == "table" {
            guard let table = schema.tables[statement.name] else { continue }
            guard !isPartOfVirtualTable(table.name) else { continue }
            try target.makeStatement(sql: self.statement(statement.sql)).execute()
            tables.append(table)
        }
        for table in tables { try copyRows(of: table, to: target, rewriting(table)) }
        for statement in statements where statement.kind != "table" || schema.tables[statement.name] == nil {
            guard statement.kind != "index" || tables.contains(where: { $0.name == statement.table }) else { continue }
            if let lack = try NewStoreFile.make(statement, as: self.statement(statement.sql), in: target) {
                leftOut.append(lack)
            } else if statement.kind == "table" {
                // What it keeps, and how, is up to its module.
                leftOut.append("the rows of the virtual table \(statement.name)")
            }
        }
    }

    /// In the order in which they were made. SQLite makes its own tables and indexes itself.
    private func statements() throws -> [SchemaStatement] {
        var statements: [SchemaStatement] = []
        try reading {
            try source.forEachRow(
                """
                SELECT type, name, tbl_name, sql FROM sqlite_master
                WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
                """
            ) { row in
                statements.append(
                    SchemaStatement(
                        kind: row.text(0) ?? "", name: SQLName(row.text(1) ?? ""), table: SQLName(row.text(2) ?? ""),
                        sql: row.text(3) ?? ""))
            }
        }
        return statements
    }

    /// Whether a virtual table, such as a search index, keeps its contents in this one.
    /// https://www.sqlite.org/vtab.html#the_xshadowname_method
    private func isPartOfVirtualTable(_ name: SQLName) -> Bool {
        schema.virtualTables.contains { name.hasPrefix("\($0.name)_") }
    }

    private mutating func copyRows(of table: StoreSchema.Table, to target: Database, _ rewriting: Rewriting) throws {
        let columns = table.columns.map(\.name.quotedIdentifier).joined(separator: ", ")
        let name = table.name.quotedIdentifier
        let places = table.columns.map { _ in "?" }.joined(separator: ", ")
        let insertion = try PreparedStatement(target, "INSERT INTO \(name) (\(columns)) VALUES (\(places))")
        var count = 0
        var broken = 0
        try reading {
            try source.forEachRow("SELECT \(columns) FROM \(name)") { row in
                do {
                    try insertion.run(rewriting(row))
                } catch let error as DatabaseError {
                    guard error.resultCode == .SQLITE_CONSTRAINT else { throw StoreError(error, at: output) }
                    broken += 1
                }
                count += 1
                if count & 0x3FF == 0 {
                    WorkProgress.advance(.records, by: 0x400)
                    try Interruption.check(path)
                }
            }
        }
        if broken > 0 {
            leftOut.append("\(broken) of \(count) rows of \(table.name), which break a constraint of the table")
        }
    }
}
