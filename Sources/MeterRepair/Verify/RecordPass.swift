internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// One pass over the records of a store, for their addresses and for all checks that look at them.
struct RecordPass {
    /// Not sorted.
    private(set) var addresses = AddressIndex()
    /// In the order of the catalogue.
    private let checks: [any RecordCheck]
    /// The same, by the records they are shown.
    private let ofEvery: [any RecordCheck]
    private let ofAddresses: [any RecordCheck]
    private let ofLocks: [any RecordCheck]
    private let ofBlobs: [any RecordCheck]

    init(_ store: InspectedStore) {
        var checks: [any RecordCheck] = []
        for case .record(let check) in CheckCatalogue.checks { checks.append(check.init(store)) }
        func interested(in interest: RecordInterest) -> [any RecordCheck] {
            checks.filter { type(of: $0).interest == interest }
        }
        self.checks = checks
        ofEvery = interested(in: .every)
        ofAddresses = interested(in: .unusualAddress)
        ofLocks = interested(in: .lock)
        ofBlobs = interested(in: .metadataBlob)
    }

    /// - Parameter watch: handed every record, with all columns of the table.
    mutating func read(
        _ settings: SettingsTable, of store: InspectedStore, _ database: Database,
        watch: ((SQLiteRow) throws -> Void)? = nil
    ) throws {
        let letterCase = store.letterCase
        addresses = AddressIndex(expecting: try settings.likelyCount(database))
        try settings.forEachRow(withAllColumns: watch != nil, database) { row in
            // A request to stop that comes between two calls of SQLite interrupts none of them.
            if row.row & 0x3FF == 0 { try Interruption.check(store.path) }
            let address = row.address
            addresses.add(row: row.row, address)
            for check in ofEvery { check.see(row) }
            if !address.isCanonical(in: letterCase) { for check in ofAddresses { check.see(row) } }
            if row.hasLock { for check in ofLocks { check.see(row) } }
            if row.hasMetadataBlob { for check in ofBlobs { check.see(row) } }
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
