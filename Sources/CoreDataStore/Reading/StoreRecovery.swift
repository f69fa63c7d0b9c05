internal import GRDB

/// How a store came about that was put together from what could be read of a damaged one.
package enum StoreRecovery: Hashable, Sendable {
    /// `recover` made it, and noted when: seconds since 2001.
    case meterfix(Double?)
    /// SQLite's `.recover` made it, or another tool that does the same, and left rows whose table it did not know in this
    /// one.
    case sqlite(SQLName)

    /// The key of the metadata dictionary in which `recover` notes it.
    package static let key = "recoveredStore"

    /// Notes that a store was put together. Where there is no dictionary to note it in, an empty table says so.
    static func note(at date: Double, in database: Database) throws {
        var metadata = try StoreMetadata(database, schema: StoreSchema(database))
        guard metadata.dictionary != nil else {
            let columns = columns.map(\.text).joined(separator: ", ")
            try database.execute(sql: "CREATE TABLE IF NOT EXISTS lost_and_found (\(columns))")
            return
        }
        metadata.dictionary?[key] = .dictionary(["date": .date(date)])
        try metadata.write(to: database)
    }

    private init(mark: PropertyList) {
        if case .date(let date)? = mark.dictionary?["date"] { self = .meterfix(date) } else { self = .meterfix(nil) }
    }

    /// The first columns of the table that `.recover` leaves. Its name can be chosen. (https://www.sqlite.org/recovery.html)
    private static let columns: [SQLName] = ["rootpgno", "pgno", "nfield", "id"]

    private static func isTable(_ table: StoreSchema.Table) -> Bool {
        table.columns.prefix(columns.count).map(\.name) == columns
    }
}

extension StoreRecovery {
    static func all(_ metadata: StoreMetadata, _ schema: StoreSchema) -> [StoreRecovery] {
        let mark = metadata.dictionary?[StoreRecovery.key].map(StoreRecovery.init(mark:))
        let tables = schema.tables.values.filter(StoreRecovery.isTable).map(\.name).sorted()
        return [mark].compactMap(\.self) + tables.map(StoreRecovery.sqlite)
    }
}
