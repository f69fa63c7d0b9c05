internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// One pass over the records of a store, for their addresses and for all checks that look at them.
struct RecordPass {
    /// Not sorted.
    private(set) var addresses = AddressIndex()
    private let checks: [any RecordCheck]

    init(_ store: InspectedStore) {
        checks = CheckCatalogue.checks.compactMap { $0 as? any RecordCheck.Type }.map { $0.init(store) }
    }

    /// - Parameter watch: handed every record, with all columns of the table.
    mutating func read(
        _ settings: SettingsTable, of store: InspectedStore, _ database: Database,
        watch: ((SQLiteRow) throws -> Void)? = nil
    ) throws {
        try settings.forEachRow(withAllColumns: watch != nil, database) { row in
            // A request to stop that comes between two calls of SQLite interrupts none of them.
            if row.row & 0x3FF == 0 { try Interruption.check(store.path) }
            addresses.add(row: row.row, row.address)
            for check in checks { check.see(row) }
            try watch?(row.values)
        }
    }

    /// In the order of the catalogue, within a check in the order of row numbers.
    /// - Parameter store: with all addresses.
    func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        for check in checks { try check.conclude(store, database) }
        return checks.flatMap(\.findings)
    }
}
