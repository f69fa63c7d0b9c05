internal import CoreDataStore
internal import Dispatch
internal import GRDB
internal import MeterModel
package import MeterStore

/// One pass over the records of a store, for their addresses and for all checks that visit them. (An object: a copy would
/// take as much memory again.)
package final class RecordPass {
    /// Not sorted.
    @exclusivity(unchecked) private(set) var addresses = AddressIndex()
    private let single: [RecordTally]
    /// The same, by the records they visit. (A dozen reference counts for each record would show.)
    private let ofEvery: [Unmanaged<RecordTally>]
    private let ofAddresses: [Unmanaged<RecordTally>]
    private let ofLocks: [Unmanaged<RecordTally>]
    private let ofBlobs: [Unmanaged<RecordTally>]
    private let comparing: [any GroupCheck]

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
        var single: [RecordTally] = []
        var comparing: [any GroupCheck] = []
        for entry in CheckCatalogue.checks where ids?.contains(entry.description.id) ?? true {
            switch entry {
            case .record(let check): single.append(RecordTally(check.init(store)))
            case .recordAndStore(let check): single.append(RecordTally(check.init(store)))
            case .group(let check): comparing.append(check.init(store))
            case .store, .addresses, .duplicates, .comparison: break
            }
        }
        func interested(in interest: RecordInterest) -> [Unmanaged<RecordTally>] {
            single.filter { type(of: $0.check).interest == interest }.map(Unmanaged.passUnretained)
        }
        self.single = single
        self.comparing = comparing
        ofEvery = interested(in: .every)
        ofAddresses = interested(in: .unusualAddress)
        ofLocks = interested(in: .lock)
        ofBlobs = interested(in: .metadataBlob)
    }

    /// Reads its rows.
    /// - Parameter watch: handed each of them, with all columns of the table.
    func read(
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

    private func visit(_ row: RecordRow, _ checks: [Unmanaged<RecordTally>]) {
        for check in checks { check._withUnsafeGuaranteedRef { $0.visit(row) } }
    }

    /// The addresses of all records that were visited; none are left here.
    func takeAddresses() -> AddressIndex {
        defer { addresses = AddressIndex() }
        return addresses
    }

    /// What the checks found, to be asked for as long as the store is open.
    /// - Parameter store: with all addresses.
    func findings(in store: InspectedStore, _ reading: FindingReader) throws -> [Findings.CheckFindings] {
        try finish(store, reading.database)
        return single.compactMap { $0.findings(in: store, reading) }
            + comparing.compactMap { GroupFindings($0).findings }
    }

    /// Lets the checks that compare records come to their findings.
    private func finish(_ store: InspectedStore, _ database: Database) throws {
        if store.addresses.records >= Self.mostOnOneThread {
            // Each touches only what is its own.
            nonisolated(unsafe) let checks = comparing
            DispatchQueue.concurrentPerform(iterations: checks.count) { checks[$0].sort() }
        } else {
            for check in comparing { check.sort() }
        }
        for check in comparing { try check.finish(store, database) }
    }

    /// To sort what was seen of so many records takes longer than to start a thread.
    private static let mostOnOneThread = 50_000

    /// The rows that the checks found something about.
    /// - Parameter store: with all addresses.
    func faultyRows(in store: InspectedStore, _ database: Database) throws -> RowsWithFindings {
        try finish(store, database)
        return RowsWithFindings(
            single: Dictionary(uniqueKeysWithValues: single.map { (type(of: $0.check).description.id, $0.rows) }),
            groups: Dictionary(uniqueKeysWithValues: comparing.map { (type(of: $0).description.id, $0.groups) }))
    }
}

/// The rows that some checks found something about, by their ids.
package struct RowsWithFindings: Sendable {
    /// In ascending order.
    package let single: [String: [Int64]]
    /// Each with the rows that a check found something about together, in the order of the first ones.
    package let groups: [String: [[Int64]]]
}

/// A check of records, and about which of them it has something to say.
final class RecordTally {
    let check: any RecordCheck
    /// In the order in which they were visited.
    private(set) var rows: [Int64] = []
    /// Of findings: there can be several about a record.
    private(set) var count = 0

    init(_ check: any RecordCheck) { self.check = check }

    func visit(_ row: RecordRow) {
        let before = count
        check.visit(row) { _ in count += 1 }
        if count > before { rows.append(row.row) }
    }

    /// - Parameter store: with the records that were visited.
    func findings(in store: InspectedStore, _ reading: FindingReader) -> Findings.CheckFindings? {
        guard let settings = store.settings else { return nil }
        let description = type(of: check).description
        return Findings.CheckFindings(
            description.id, description.severity, count: count,
            // A pass that was begun before a change visits the records that were written last.
            from: RecordFindings(check: check, rows: rows.sorted(), settings: settings, reading: reading))
    }
}

/// The findings about single records: each record is read again, and visited by the same check.
private struct RecordFindings: FindingSource, @unchecked Sendable {
    let check: any RecordCheck
    let rows: [Int64]
    let settings: SettingsTable
    let reading: FindingReader

    /// Rows read at a time.
    private static let most = 256

    func forEach(while body: (Finding) -> Bool) {
        _ = stride(from: 0, to: rows.count, by: Self.most).allSatisfy { start in
            reading.read { database in
                var isWanted = true
                try settings.forEachRow(of: Array(rows[start...].prefix(Self.most)), database) { row in
                    check.visit(row) { finding in if isWanted { isWanted = body(finding()) } }
                }
                return isWanted
            }
        }
    }
}

/// The findings about several records each.
struct GroupFindings: FindingSource, @unchecked Sendable {
    private let check: any GroupCheck
    private let count: Int

    init(_ check: any GroupCheck) {
        self.check = check
        count = check.groups.count
    }

    func forEach(while body: (Finding) -> Bool) { _ = (0..<count).allSatisfy { body(check.finding($0)) } }

    var findings: Findings.CheckFindings? {
        let description = type(of: check).description
        return Findings.CheckFindings(description.id, description.severity, count: count, from: self)
    }
}
