internal import CoreDataStore
internal import GRDB
internal import MeterModel
package import MeterStore

/// One pass over the records of a store, for their addresses and for all checks that visit them.
package struct RecordPass {
    /// Not sorted.
    private(set) var addresses = AddressIndex()
    /// In the order of the catalogue.
    private let checks: [any RecordCheck]
    /// The same, by the records they visit.
    private let ofEvery: [any RecordCheck]
    private let ofAddresses: [any RecordCheck]
    private let ofLocks: [any RecordCheck]
    private let ofBlobs: [any RecordCheck]

    /// The letter case that the checks assume.
    let letterCase: LetterCase
    private let path: String
    /// The rows that are read; nil for every row.
    private let rows: [Int64]?

    /// - Parameters:
    ///   - rows: those to be read, in ascending order; nil for every row.
    ///   - ids: of the checks; nil for all of them.
    package init(_ store: InspectedStore, rows: [Int64]? = nil, checks ids: Set<String>? = nil) {
        path = store.path
        letterCase = store.letterCase
        self.rows = rows
        // A row that got a number once is likely to be there still.
        addresses = AddressIndex(expecting: store.addresses.records)
        var checks: [any RecordCheck] = []
        for case .record(let check) in CheckCatalogue.checks where ids?.contains(check.description.id) ?? true {
            checks.append(check.init(store))
        }
        func interested(in interest: RecordInterest) -> [any RecordCheck] {
            checks.filter { type(of: $0).interest == interest }
        }
        self.checks = checks
        ofEvery = interested(in: .every)
        ofAddresses = interested(in: .unusualAddress)
        ofLocks = interested(in: .lock)
        ofBlobs = interested(in: .metadataBlob)
    }

    /// Reads its rows.
    /// - Parameter watch: handed each of them, with all columns of the table.
    mutating func read(
        _ settings: SettingsTable, _ database: Database, watch: ((SQLiteRow) throws -> Void)? = nil
    ) throws {
        if addresses.records == 0 { addresses = AddressIndex(expecting: try settings.likelyCount(database)) }
        try settings.forEachRow(of: rows, withAllColumns: watch != nil, database) { row in
            try visit(row)
            try watch?(row.values)
        }
    }

    /// Lets the checks visit a record.
    /// - Throws: `StoreError` of kind `interrupted` if the user asked to stop.
    package mutating func visit(_ row: RecordRow) throws {
        // A request to stop between two calls of SQLite would interrupt neither of them.
        if row.row & 0x3FF == 0 { try Interruption.check(path) }
        let address = row.address
        addresses.add(row: row.row, address)
        for check in ofEvery { check.visit(row) }
        if !address.isCanonical(in: letterCase) { for check in ofAddresses { check.visit(row) } }
        if row.hasLock { for check in ofLocks { check.visit(row) } }
        if row.hasMetadataBlob { for check in ofBlobs { check.visit(row) } }
    }

    /// In the order of the catalogue, within a check in the order of row numbers.
    /// - Parameter store: with all addresses.
    func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        for check in checks { try check.finish(store, database) }
        return checks.flatMap { check in
            // Some rows may have been visited after all others.
            check.findings.sorted { ($0.rows.first ?? 0) < ($1.rows.first ?? 0) }
        }
    }
}
