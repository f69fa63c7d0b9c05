package import GRDB

/// SQLite's own integrity check. It returns what it finds as rows, and succeeds.
package enum IntegrityCheck {
    /// What SQLite found, at most `limit` lines; empty for a database that is intact.
    /// - Throws: SQLite's errors.
    package static func problems(_ database: Database, limit: Int = 100) throws -> [String] {
        var problems: [String] = []
        do {
            try database.forEachRow("PRAGMA integrity_check(\(limit))") { row in
                let line = String(decoding: row.bytes(0), as: UTF8.self)
                if line != "ok" { problems.append(line) }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // Some damage makes the check itself fail.
            problems.append(error.message ?? "malformed")
        }
        return problems
    }
}
