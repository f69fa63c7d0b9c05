package import GRDB

extension Database {
    /// What SQLite's own integrity check finds, at most `limit` lines; empty for a database that is intact. (It returns what
    /// it finds as rows, and succeeds.)
    package func integrityProblems(limit: Int = 100) throws -> [String] {
        var problems: [String] = []
        do {
            try forEachRow("PRAGMA integrity_check(\(limit))") { row in
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
