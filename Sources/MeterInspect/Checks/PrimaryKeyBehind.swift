internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Row numbers in use that Core Data thinks are free.
struct PrimaryKeyBehind: StoreCheck {
    static let description = CheckDescription(
        "primary-key-behind", .error, "Z_MAX is smaller than the largest row number",
        explanation: [
            """
            The app's next new record gets a row number that is already in use. For each entity, Z_PRIMARYKEY says \
            which row number was given out last. Core Data gives a new object the next one. Here there are rows beyond \
            it: the next save fails, or the app crashes when a meter is added.
            """,
            "This comes from rows that a SQLite editor or a script inserted without telling Core Data.",
            "`meterfix fix primary-key-behind` sets that number to the largest row number. No row is touched.",
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        try store.description.entityTables.compactMap { entity in
            let largest = try entity.largestRow(database)
            guard largest > entity.root.lastRow else { return nil }
            return description.finding(
                "Z_MAX of \(entity.root.name) is \(entity.root.lastRow), the largest row number is \(largest)",
                entity: entity.root.name, rows: [largest],
                cure: store.repair("fix primary-key-behind", changingRecords: false))
        }
    }
}
