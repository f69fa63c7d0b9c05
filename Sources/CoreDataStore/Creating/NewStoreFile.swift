internal import Foundation
internal import GRDB

/// A new file that a store is written into, row by row: nothing is in it that was not written.
enum NewStoreFile {
    /// Afterwards everything is in this one file.
    /// - Parameters:
    ///   - path: where there is no file, in a folder that nobody else uses. An error may leave one there.
    ///   - setting: the value of a pragma.
    ///   - fill: in one transaction.
    /// - Throws: what the two throw, and SQLite's errors.
    static func write(
        to path: String, isWAL: Bool, setting: (String) throws -> Int64, fill: (Database) throws -> Void
    ) throws {
        var configuration = Configuration(for: .changing)
        configuration.label = "new store"
        // As in the store itself: SQLite takes a quoted word that names nothing for text in every schema that it reads.
        configuration.acceptsDoubleQuotedStringLiterals = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        // What the schema computes for a row may take as long as it likes, inside one statement.
        Interruption.watch(queue)
        defer { Interruption.forget(queue) }
        try queue.writeWithoutTransaction { target in
            for pragma in ["page_size", "auto_vacuum"] {
                try target.execute(sql: "PRAGMA \(pragma) = \(setting(pragma))")
            }
            try target.execute(sql: "PRAGMA journal_mode = MEMORY")
            try target.inTransaction {
                try fill(target)
                return .commit
            }
            for pragma in ["user_version", "application_id"] {
                try target.execute(sql: "PRAGMA \(pragma) = \(setting(pragma))")
            }
            try target.execute(sql: "PRAGMA journal_mode = \(isWAL ? "WAL" : "DELETE")")
        }
        try queue.close()
    }

    /// Makes an index, a trigger, a view or a virtual table, when all rows are there.
    /// - Parameter sql: how the statement is written.
    /// - Returns: what the file lacks if it cannot be made, as a fragment for a person.
    /// - Throws: SQLite's errors.
    static func make(_ statement: SchemaStatement, as sql: String, in target: Database) throws -> String? {
        do {
            // One statement: a damaged or hostile schema may have more in a line, which SQLite itself does not run.
            try target.makeStatement(sql: sql).execute()
            return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_MISUSE {
            return "the \(statement.kind) \(statement.name), whose statement cannot be read"
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            return statement.kind == "table"
                ? "the virtual table \(statement.name), which needs a module that is not here"
                : "the \(statement.kind) \(statement.name), which needs functions that only the app has"
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return "the index \(statement.name), because the rows of \(statement.table) break it"
        }
    }
}
