internal import CoreDataStore
internal import MeterModel

/// Whether the pages of a store are whole, for an answer that says whether all is well and does not run all checks.
package enum PageCheck: Hashable, Sendable {
    case whole
    case damaged
    /// The store is too large to be read as a whole for this answer.
    case notMade
}

extension Session {
    /// Bytes of a store of which every page is read besides: some milliseconds' work.
    private static let mostBytes = 4 << 20

    /// What is said before anything else by an answer that says whether all is well, damage included.
    /// - Throws: SQLite's errors other than damage.
    func alertsWithPages() throws -> (alerts: [StoreAlert], pages: PageCheck) {
        let alerts = try alerts()
        guard alerts.damage == nil else { return (alerts, .damaged) }
        guard store.files.size <= Self.mostBytes else { return (alerts, .notMade) }
        guard try !database.integrityProblems(limit: 1).isEmpty else { return (alerts, .whole) }
        // What it finds is for `verify` to list.
        let damage = Check.damage("SQLite's own integrity check reports damage", in: store)
        return ([.damaged(damage)] + alerts, .damaged)
    }
}
