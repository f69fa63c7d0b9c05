package import GRDB
package import MeterModel

/// Reads a store again for the findings that are shown: as long as it is open they can be asked for. What goes wrong is
/// kept, because those who ask cannot fail; whoever shows the findings asks for it afterwards.
package final class FindingReader: @unchecked Sendable {
    package let database: Database
    private var problem: (any Error)?

    package init(_ database: Database) { self.database = database }

    /// - Parameter body: answers whether more is to be read.
    /// - Returns: the same; false after an error.
    func read(_ body: (Database) throws -> Bool) -> Bool {
        guard problem == nil else { return false }
        do {
            return try body(database)
        } catch {
            problem = error
            return false
        }
    }

    /// - Throws: SQLite's error, or what else went wrong; not all findings were made then.
    package func check() throws { if let problem { throw problem } }

    /// Findings for when the store is closed.
    /// - Parameter most: how many of each check are made.
    /// - Throws: SQLite's errors.
    package func made(_ findings: Findings, first most: Int) throws -> Findings {
        let made = findings.made(first: most)
        try check()
        return made
    }
}
