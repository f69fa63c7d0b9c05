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
    /// The same, by the records they visit.
    private let ofEvery: [RecordTally]
    private let ofAddresses: [RecordTally]
    private let ofLocks: [RecordTally]
    private let ofBlobs: [RecordTally]
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
            case .group(let check): comparing.append(check.init(store))
            case .store, .addresses, .duplicates: break
            }
        }
        func interested(in interest: RecordInterest) -> [RecordTally] {
            single.filter { type(of: $0.check).interest == interest }
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
        for check in ofEvery { check.visit(row) }
        for check in comparing { check.visit(row) }
        if !address.isCanonical(in: letterCase) { for check in ofAddresses { check.visit(row) } }
        if row.hasLock { for check in ofLocks { check.visit(row) } }
        if row.hasMetadataBlob { for check in ofBlobs { check.visit(row) } }
    }

    /// The addresses of all records that were visited; none are left here.
    func takeAddresses() -> AddressIndex {
        defer { addresses = AddressIndex() }
        return addresses
    }

    /// What the checks found, to be asked for as long as the store is open.
    /// - Parameter store: with all addresses.
    func findings(in store: InspectedStore, _ reading: RepeatedReading) throws -> [Findings.OfCheck] {
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
    func faultyRows(in store: InspectedStore, _ database: Database) throws -> FaultyRows {
        try finish(store, database)
        return FaultyRows(
            single: Dictionary(uniqueKeysWithValues: single.map { (type(of: $0.check).description.id, $0.rows.rows) }),
            groups: Dictionary(uniqueKeysWithValues: comparing.map { (type(of: $0).description.id, $0.groups) }))
    }
}

/// The rows that some checks found something about, by their ids.
package struct FaultyRows: Sendable {
    /// In ascending order.
    package let single: [String: [Int64]]
    /// Each with the rows that a check found something about together, in the order of the first ones.
    package let groups: [String: [[Int64]]]
}

/// A check of records, and about which of them it has something to say.
final class RecordTally {
    let check: any RecordCheck
    private(set) var rows = RowList()
    /// Of findings: there can be several about a record.
    private(set) var count = 0

    init(_ check: any RecordCheck) { self.check = check }

    func visit(_ row: RecordRow) {
        let before = count
        check.visit(row) { _ in count += 1 }
        if count > before { rows.append(row.row) }
    }

    /// - Parameter store: with the records that were visited.
    func findings(in store: InspectedStore, _ reading: RepeatedReading) -> Findings.OfCheck? {
        guard let settings = store.settings else { return nil }
        let description = type(of: check).description
        return Findings.OfCheck(
            description.id, description.severity, count: count,
            from: RecordFindings(check: check, rows: rows, settings: settings, reading: reading))
    }
}

/// The findings about single records: each record is read again, and visited by the same check.
private struct RecordFindings: FindingSource, @unchecked Sendable {
    let check: any RecordCheck
    let rows: RowList
    let settings: SettingsTable
    let reading: RepeatedReading

    /// Rows read at a time.
    private static let most = 256

    func forEach(while body: (Finding) -> Bool) {
        rows.forEachPart(of: Self.most) { rows in
            reading.read { database in
                var isWanted = true
                try settings.forEachRow(of: rows, database) { row in
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

    var findings: Findings.OfCheck? {
        let description = type(of: check).description
        return Findings.OfCheck(description.id, description.severity, count: count, from: self)
    }
}

/// The numbers of rows about which a check has something to say: one byte for each as long as they follow one another.
struct RowList: Sendable {
    /// The differences from one to the next, seven bits to a byte, the last byte of each below 128. (LEB128, of the
    /// difference with its sign in the lowest bit.)
    private var differences: [UInt8] = []
    private var last: Int64 = 0
    private var isAscending = true
    private(set) var count = 0

    mutating func append(_ row: Int64) {
        if count > 0, row <= last { isAscending = false }
        let difference = row &- last
        var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
        while rest > 0x7F {
            differences.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        differences.append(UInt8(rest))
        last = row
        count += 1
    }

    /// Hands the rows out in ascending order, some at a time, as long as `body` wants more.
    /// - Parameter size: how many at a time.
    func forEachPart(of size: Int, while body: ([Int64]) -> Bool) {
        guard isAscending else {
            var start = 0
            let rows = self.rows
            while start < rows.count, body(Array(rows[start..<min(start + size, rows.count)])) { start += size }
            return
        }
        var part: [Int64] = []
        var isWanted = true
        forEachAsAppended { row in
            part.append(row)
            guard part.count == size else { return true }
            isWanted = body(part)
            part.removeAll(keepingCapacity: true)
            return isWanted
        }
        if isWanted, !part.isEmpty { _ = body(part) }
    }

    /// All of them, in ascending order.
    var rows: [Int64] {
        var rows: [Int64] = []
        rows.reserveCapacity(count)
        forEachAsAppended {
            rows.append($0)
            return true
        }
        return isAscending ? rows : rows.sorted()
    }

    private func forEachAsAppended(while body: (Int64) -> Bool) {
        var row: Int64 = 0
        var (rest, shift): (UInt64, UInt64) = (0, 0)
        for byte in differences {
            rest |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte < 0x80 else { continue }
            row &+= Int64(bitPattern: rest >> 1) ^ -Int64(bitPattern: rest & 1)
            (rest, shift) = (0, 0)
            guard body(row) else { return }
        }
    }
}
