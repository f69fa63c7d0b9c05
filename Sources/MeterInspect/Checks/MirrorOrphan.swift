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
            what to delete, has no delete of it that the mirror has yet to read. The record stays on the user's other \
            devices and comes back here when the mirror starts over.
            """,
            """
            Typically somebody removed duplicates with a SQLite editor. Such a delete stays on this device. For this \
            reason meterfix writes history with every change of a record. A delete in the history that the mirror has \
            passed without acting on it is missed for good, too.
            """,
            """
            If the record should go: `meterfix fix mirror-orphan` writes the delete into the history, and the mirror \
            then deletes the record in CloudKit. If it should stay, use a copy from before the delete.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let mirror = store.description.mirror else { return [] }
        let orphans = try mirror.orphans(in: store.description, database)
        return Dictionary(grouping: orphans, by: \.object.entityNumber).sorted { $0.key < $1.key }.map {
            number, orphans in
            let entity = store.entityName(number)
            let rows = Set(orphans.map(\.object.row)).sorted()
            let records = orphans.compactMap(\.recordName)
            return description.finding(
                "\(Phrase.count(rows.count, "object")) of \(entity) gone without a delete in the history that the "
                    + "mirror has yet to read"
                    + (records.isEmpty ? "" : ", still in CloudKit as \(Phrase.start(of: records, limit: 3))"),
                entity: entity, rows: rows, cure: store.command("fix mirror-orphan"))
        }
    }
}
