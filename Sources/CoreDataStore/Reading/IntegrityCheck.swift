internal import Dispatch
internal import Foundation
package import GRDB

extension Database {
    /// What SQLite's own integrity check finds, at most `limit` lines; empty for a database that is intact. (It returns what
    /// it finds as rows, and succeeds.)
    /// - Throws: SQLite's errors.
    package func integrityProblems(limit: Int = 100) throws -> [String] {
        var problems: [String] = []
        do {
            try forEachRow("PRAGMA integrity_check(\(limit))") { row in
                let text = String(decoding: row.bytes(0), as: UTF8.self)
                if text.hasPrefix("*** in database ") {
                    // All that is wrong with the trees of a database, under a heading that names it.
                    problems += text.split(separator: "\n").dropFirst().map(String.init)
                } else if text != "ok" {
                    problems.append(text)
                }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // Some damage makes the check itself fail.
            problems.append(error.message ?? "malformed")
        }
        return problems
    }
}

extension StoreConnection {
    /// Bytes. To open a smaller store once more takes as long as to check it.
    static let smallestCheckedApart = 1 << 20

    /// Reads a store that is only looked at while SQLite's integrity check goes through it: that of a large one on a thread
    /// of its own, over a second connection. (Of a store that is changed the process may open no file again: to close it
    /// would drop SQLite's locks.)
    /// - Parameters:
    ///   - database: of this connection, with which nothing is changed.
    ///   - body: is handed what waits for the check and says what it finds, as `integrityProblems`.
    /// - Throws: what `body` throws.
    package func checkingIntegrity<Value>(
        _ database: Database, while body: (_ problems: () throws -> [String]) throws -> Value
    ) throws -> Value {
        guard files.size >= Self.smallestCheckedApart, let queue = secondConnection() else {
            return try body { try database.integrityProblems() }
        }
        let found = Locked<Result<[String], any Error>?>(nil)
        let end = DispatchGroup()
        end.enter()
        let isBegun = Thread.begin {
            let result = Result { try queue.inDatabase { try $0.integrityProblems() } }
            found.withLock { $0 = result }
            end.leave()
        }
        guard isBegun else {
            end.leave()
            return try body { try database.integrityProblems() }
        }
        Interruption.watch(queue)
        defer {
            // Where nobody waits for it any more.
            queue.interrupt()
            end.wait()
            Interruption.forget(queue)
            try? queue.close()
        }
        return try body {
            end.wait()
            // A request to stop may have come before the connection was watched, or after its last page.
            try Interruption.check(path)
            return try found.withLock { try $0!.get() }
        }
    }
}
