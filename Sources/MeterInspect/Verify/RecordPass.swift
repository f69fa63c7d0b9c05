internal import CoreDataStore
internal import GRDB
internal import MeterModel
package import MeterStore

/// One pass over the records of a store, for their addresses and for all checks that visit them. (An object: a copy would
/// take as much memory again.)
package final class RecordPass {
    /// Not sorted.
    @exclusivity(unchecked) private(set) var addresses = AddressIndex()
    private let single: [RecordCheck]
    /// The same, by the records they visit. (A dozen reference counts for each record would show.)
    private let ofEvery: [Unmanaged<RecordCheck>]
    private let ofAddresses: [Unmanaged<RecordCheck>]
    private let ofLocks: [Unmanaged<RecordCheck>]
    private let ofBlobs: [Unmanaged<RecordCheck>]
    private let comparing: [any GroupCheck]
    /// Which check each of these is of.
    private let comparisons: [Check]

    /// The letter case that the checks assume.
    let letterCase: LetterCase
    private let path: String
    /// The rows that are read; nil for every row.
    private let rows: [Int64]?

    /// - Parameter rows: those to be read, in ascending order; nil for every row.
    package init(_ store: InspectedStore, rows: [Int64]? = nil, checks ids: Set<String>? = nil) {
        path = store.path
        letterCase = store.letterCase
        self.rows = rows
        // A row that got a number once is likely to be there still.
        addresses = AddressIndex(expecting: store.addresses.records)
        let checks = Check.all.filter { ids?.contains($0.id) ?? true }
        let single = checks.compactMap { RecordCheck($0, store) }
        func interested(in interest: RecordInterest) -> [Unmanaged<RecordCheck>] {
            single.filter { $0.interest == interest }.map(Unmanaged.passUnretained)
        }
        self.single = single
        comparisons = checks.filter { if case .groups = $0.work { true } else { false } }
        comparing = comparisons.compactMap { check in
            if case .groups(let make) = check.work { make(check, store) } else { nil }
        }
        ofEvery = interested(in: .every)
        ofAddresses = interested(in: .unusualAddress)
        ofLocks = interested(in: .lock)
        ofBlobs = interested(in: .metadataBlob)
    }

    /// Reads its rows.
    /// - Parameter watch: handed each of them, with all columns of the table.
    func read(_ session: MeterSession, watch: ((SQLiteRow) throws -> Void)? = nil) throws {
        let settings = session.settings
        if addresses.records == 0 { addresses = AddressIndex(expecting: try settings.likelyCount(session.database)) }
        try settings.forEachRow(of: rows, withAllColumns: watch != nil, session.database) { row in
            try visit(row)
            try watch?(row.values)
        }
    }

    /// Lets the checks visit a record.
    /// - Throws: `StoreError` of kind `interrupted` if the user asked to stop.
    package func visit(_ row: RecordRow) throws {
        // A request to stop between two calls of SQLite would interrupt neither of them.
        if row.row & 0x3FF == 0 { try Interruption.check(path) }
        let address = row.address
        addresses.add(row: row.row, address)
        visit(row, ofEvery)
        for check in comparing { check.visit(row) }
        if !address.isCanonical(in: letterCase) { visit(row, ofAddresses) }
        if row.hasLock { visit(row, ofLocks) }
        if row.hasMetadataBlob { visit(row, ofBlobs) }
    }

    private func visit(_ row: RecordRow, _ checks: [Unmanaged<RecordCheck>]) {
        for check in checks { check._withUnsafeGuaranteedRef { $0.count(row) } }
    }

    /// The addresses of all records that were visited; none are left here.
    func takeAddresses() -> AddressIndex {
        defer { addresses = AddressIndex() }
        return addresses
    }

    /// What the checks found, to be asked for as long as the store is open.
    /// - Parameter session: of the store, with all addresses.
    func findings(in session: Session) throws -> [Findings.CheckFindings] {
        guard let meters = session.ofMeters else { return [] }
        try finish(session)
        return single.compactMap { $0.findings(in: meters) }
            + zip(comparisons, comparing).compactMap { check, group in
                let count = group.groups.count
                nonisolated(unsafe) let group = group
                return Findings.CheckFindings(check.id, check.severity, count: count) { body in
                    _ = (0..<count).allSatisfy { body(group.finding($0)) }
                }
            }
    }

    /// Lets the checks that compare records come to their findings.
    private func finish(_ session: Session) throws {
        for check in comparing { check.sort() }
        for check in comparing { try check.finish(session) }
    }

    /// The rows that some checks found something about, by their ids: in ascending order, and those together that a check
    /// found something about together, in the order of the first ones.
    package typealias FaultyRows = (single: [String: [Int64]], groups: [String: [[Int64]]])

    /// - Parameter session: of the store, with all addresses.
    func faultyRows(in session: Session) throws -> FaultyRows {
        try finish(session)
        return (
            single: Dictionary(uniqueKeysWithValues: single.map { ($0.check.id, $0.rows) }),
            groups: Dictionary(uniqueKeysWithValues: zip(comparisons, comparing).map { ($0.id, $1.groups) })
        )
    }
}
