internal import Foundation
internal import GRDB

extension DatabaseQueue {
    /// Writes a new store, row by row: nothing is in it that was not written. Afterwards everything is in this one file.
    /// - Parameters:
    ///   - path: where there is no file, in a folder that nobody else uses. An error may leave one there.
    ///   - fill: in one transaction.
    static func writeStore(
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
}
