internal import Foundation
package import GRDB

/// A new file with the schema of a store, whose rows are those of the store after each has been rewritten. It is built
/// from live rows only, so nothing of the old file's free pages, overwritten values or WAL frames is in it.
package struct RewrittenCopy {
    /// What the copy does not have, as fragments for a person.
    package private(set) var leftOut: [String] = []
    /// The names of tables, indexes, triggers and views that it does not have.
    package private(set) var namesLeftOut: Set<SQLName> = []
    private let source: Database
    private let schema: StoreSchema
    /// The store's, for errors.
    private let path: String
    /// The copy's, likewise.
    private let output: String

    private let statement: (String) -> String
    private let rewriting: (StoreSchema.Table) throws -> Rewriting

    /// How a row of a table is written: one value for each column of the table, in its order.
    package typealias Rewriting = (SQLiteRow) throws -> [SQLiteBinding]

    /// - Parameters:
    ///   - store: what `source` is of. No table in it is misnamed.
    ///   - rewriting: made once for each table and each time that its rows are read.
    package init(
        of source: Database, _ store: StoreDescription, shownAs path: String, output: String,
        statement: @escaping (String) -> String, rewriting: @escaping (StoreSchema.Table) throws -> Rewriting
    ) {
        self.source = source
        schema = store.schema
        self.path = path
        self.output = output
        self.statement = statement
        self.rewriting = rewriting
    }

    /// Rewrites everything, and writes nothing: for what has to be known of all before the first row is written.
    /// - Throws: what `rewriting` throws; SQLite's errors.
    package func read() throws {
        let statements = try statements()
        for statement in statements { _ = self.statement(statement.sql) }
        for table in tables(among: statements) {
            let rewriting = try rewriting(table)
            try forEachRow(of: table) { _ = try rewriting($0) }
        }
    }

    /// Writes the copy. Afterwards everything is in this one file, which has the journal mode of the source.
    /// - Parameter path: where there is no file, in a folder that nobody else uses. An error may leave one there.
    /// - Throws: what `rewriting` throws, and `StoreError`, which is about the file that it is about: the store, or the copy.
    package mutating func write(to path: String, isWAL: Bool) throws {
        do {
            try DatabaseQueue.writeStore(to: path, isWAL: isWAL, setting: value) { try fill($0) }
        } catch let error as DatabaseError {
            // What reading the store threw has its path by now.
            throw StoreError(error, at: output)
        }
    }

    /// Of the store.
    private func value(of pragma: String) throws -> Int64 {
        try reading { try source.integer(of: "PRAGMA \(pragma)") }
    }

    /// Reads from the store: an error is about it.
    private func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError { throw StoreError(error, at: path) }
    }

    private mutating func fill(_ target: Database) throws {
        let statements = try statements()
        let tables = tables(among: statements)
        for statement in statements
        where statement.kind == "table" && tables.contains(where: { $0.name == statement.name }) {
            try target.makeStatement(sql: self.statement(statement.sql)).execute()
        }
        for table in tables { try copyRows(of: table, to: target) }
        // A module may not be here. And an empty search index would refuse every change of a row that it does not know.
        leftOut += schema.virtualTables.map { "the virtual table \($0.name)" }
        let attachments = SchemaAttachments(of: statements, beside: Set(tables.map(\.name)))
        leftOut += attachments.leftOut
        namesLeftOut.formUnion(attachments.namesLeftOut)
        for statement in statements
        where statement.kind == "table" && !tables.contains(where: { $0.name == statement.name }) {
            namesLeftOut.insert(statement.name)
        }
        for statement in attachments.makeable {
            guard let lack = try statement.make(as: self.statement(statement.sql), in: target) else { continue }
            leftOut.append(lack)
            namesLeftOut.insert(statement.name)
        }
    }

    /// Those with rows of their own.
    private func tables(among statements: [SchemaStatement]) -> [StoreSchema.Table] {
        statements.filter { $0.kind == "table" && !isPartOfVirtualTable($0.name) }.compactMap { schema.tables[$0.name] }
    }

    /// In the order in which they were made. SQLite makes its own tables and indexes itself.
    private func statements() throws -> [SchemaStatement] {
        try reading {
            try source.rows(
                """
                SELECT type, name, tbl_name, sql FROM sqlite_master
                WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
                """
            ) { row in
                SchemaStatement(
                    kind: row.text(0) ?? "", name: SQLName(row.text(1) ?? ""), table: SQLName(row.text(2) ?? ""),
                    sql: row.text(3) ?? "")
            }
        }
    }

    /// Whether a virtual table, such as a search index, keeps its contents in this one.
    /// https://www.sqlite.org/vtab.html#the_xshadowname_method
    private func isPartOfVirtualTable(_ name: SQLName) -> Bool {
        schema.virtualTables.contains { name.hasPrefix("\($0.name)_") }
    }

    private mutating func copyRows(of table: StoreSchema.Table, to target: Database) throws {
        let rewriting = try rewriting(table)
        let places = table.columns.map { _ in "?" }.joined(separator: ", ")
        let insertion = try PreparedStatement(
            target, "INSERT INTO \(table.name.quotedIdentifier) (\(Self.columns(of: table))) VALUES (\(places))")
        var (count, broken) = (0, 0)
        try forEachRow(of: table) { row in
            count += 1
            do {
                try insertion.run(rewriting(row))
            } catch let error as DatabaseError {
                guard error.resultCode == .SQLITE_CONSTRAINT else { throw StoreError(error, at: output) }
                broken += 1
            }
        }
        if broken > 0 {
            leftOut.append("\(broken) of \(count) rows of \(table.name), which break a constraint of the table")
        }
    }

    private static func columns(of table: StoreSchema.Table) -> String {
        table.columns.map(\.name.quotedIdentifier).joined(separator: ", ")
    }

    private func forEachRow(of table: StoreSchema.Table, _ body: (SQLiteRow) throws -> Void) throws {
        var count = 0
        try reading {
            try source.forEachRow("SELECT \(Self.columns(of: table)) FROM \(table.name.quotedIdentifier)") { row in
                try body(row)
                count += 1
                if count & 0x3FF == 0 {
                    WorkProgress.advance(.records, by: 0x400)
                    try Interruption.check(path)
                }
            }
        }
    }
}
