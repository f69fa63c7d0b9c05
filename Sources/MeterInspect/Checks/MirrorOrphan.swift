internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Record metadata whose object is gone without a delete in the history.
struct MirrorOrphan: StoreCheck {
    static let description = CheckDescription(
        "mirror-orphan", .warning, "CloudKit record metadata whose object is gone, with no delete in the history",
        explanation: [
            """
            A row is gone from this store, but its CloudKit record is not: the history, from which the mirror learns \
            what to delete, knows of no delete. The record stays on the user's other devices and comes back here when \
            the mirror starts over.
            """,
            """
            Typically somebody removed duplicates with a SQLite editor. Such a delete stays on this device. For this \
            reason meterfix writes history with every change.
            """,
            """
            If there is a copy from before the delete, run `meterfix rebuild` on that one. Otherwise expect the \
            records to return, and rebuild then.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        let keys = store.description.keys
        guard let mirror = store.description.mirror else { return [] }
        return try keys.appEntries.compactMap { entry in
            guard let table = store.description.schema.tables[keys.table(of: entry)] else { return nil }
            var orphans = try mirror.orphans(ofEntity: entry.number, in: table, database)
            guard !orphans.isEmpty else { return nil }
            let deleted = try store.description.history?.deletedRows(ofEntity: entry.number, database) ?? []
            orphans.removeAll { deleted.contains($0.row) }
            guard !orphans.isEmpty else { return nil }
            let rows = Set(orphans.map(\.row)).sorted()
            let records = orphans.compactMap(\.recordName)
            return description.finding(
                "\(Phrase.count(rows.count, "object")) of \(entry.name) gone without a delete in the history"
                    + (records.isEmpty ? "" : ", still in CloudKit as \(Phrase.start(of: records, limit: 3))"),
                entity: entry.name, rows: rows, cure: "use a copy from before the rows were deleted")
        }
    }
}
