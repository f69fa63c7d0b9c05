internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// SQLite's own integrity check.
struct NotIntact: StoreCheck {
    static let description = CheckDescription(
        "not-intact", .error, "SQLite's own integrity check reports damage",
        explanation: [
            """
            Pages or indexes of the file contradict each other. Nothing should be written to such a file: a change can \
            make the damage worse.
            """,
            """
            Ask for the store again, with its -wal file: most such files were truncated or mixed up in transfer. If \
            the damage is real, `sqlite3 STORE .recover` on a copy saves the rows; no tool can recover what it loses.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        try IntegrityCheck.problems(database).map { description.finding($0, cure: cure) }
    }

    /// A part of the store that could not be read at all.
    static func unreadable(_ error: DatabaseError) -> Finding {
        description.finding("part of the store cannot be read: \(error.message ?? "malformed")", cure: cure)
    }

    private static let cure = "ask for the store again, with its -wal file"
}
