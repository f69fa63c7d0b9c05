import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

/// Laws over stores that nobody thought of. A failure names its seed.
@Suite("a rebuild of any store")
struct RandomStoreTests {
    private static let seeds = LawSeeds.first(35)

    private static func fixture(_ records: [FixtureRecord], seed: UInt64) -> StoreFixture {
        StoreFixture(records: records).with {
            $0.mirror = seed % 3 == 0 ? .none : .current
            $0.historyToken = RandomStores.historyToken(seed: seed, transactions: records.count)
            $0.lockEncoding = [.flat, .flat, .both, .blob][Int(seed % 4)]
            $0.history = seed % 5 == 0 ? .withoutStrings : .current
            $0.journalMode = seed % 2 == 0 ? .wal : .delete
        }
    }

    @Test("done twice changes nothing the second time, and loses nothing the first time", arguments: seeds)
    func repeated(seed: UInt64) throws {
        let records = RandomStores.records(seed: seed)
        let store = try TestStore(Self.fixture(records, seed: seed))
        let policy: WinnerPolicy = seed % 7 == 0 ? .newest : .mostComplete
        let before = try userValues(store)
        let report = try store.rebuild(policy: policy)
        let done = try store.text()
        #expect(done.isIntact)
        #expect(try store.rebuild(policy: policy).outcome == .unchanged)
        #expect(try store.text() == done)
        try checkNothingIsLost(before, store, report)
        try checkStrays(records, store)
        // Of every meter there is one record.
        let addresses = try userValues(store).compactMap(\.address)
        #expect(Set(addresses).count == addresses.count)
        #expect(Set(addresses) == Set(before.compactMap(\.address)))
    }

    /// Two devices have other row numbers, and rows in another order, and must keep the same records.
    @Test("keeps the same records whatever their row numbers are", arguments: seeds)
    func shuffled(seed: UInt64) throws {
        // Records that no device can tell apart have no id that could be compared.
        var seen: Set<[UInt8]> = []
        let records = RandomStores.records(seed: seed).filter { record in
            record.id.map { seen.insert($0).inserted } ?? false
        }
        let one = try TestStore(Self.fixture(records, seed: seed))
        let other = try TestStore(Self.fixture(RandomStores.shuffledRows(records, seed: seed + 1), seed: seed))
        try one.rebuild()
        try other.rebuild()
        #expect(try synced(one) == synced(other))
    }

    private struct UserValue: Hashable {
        let row: Int64
        /// Twelve hexadecimal digits; nil for what is no meter's.
        let address: String?
        /// Name, unit and type.
        let values: [String]
    }

    /// Reads with GRDB alone. Addresses are compared by their digits.
    private func userValues(_ store: TestStore) throws -> [UserValue] {
        try StoreText.read(store.path) { database in
            try Row.fetchAll(
                database,
                sql: "SELECT Z_PK, ZMACADDRESS, ZMETERNAME, ZTC66TEMPERATUREUNIT, ZMODELTYPE FROM ZDEVICESETTINGS"
            ).map { row in
                UserValue(
                    row: row[0], address: Self.digits(row[1]),
                    values: (2...4).compactMap { (row[$0] as String?).flatMap(Self.unlessBlank) })
            }
        }
    }

    static func asItReads(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased().precomposedStringWithCanonicalMapping
    }

    static func unlessBlank(_ text: String) -> String? {
        text.allSatisfy { $0.isWhitespace } ? nil : text
    }

    /// The digits of an address in one of the four ways to write one; nil for anything else and for placeholders.
    static func digits(_ text: String?) -> String? {
        guard let text else { return nil }
        let plain = text.filter { !$0.isWhitespace }.lowercased()
        let patterns = [
            "^[0-9a-f]{12}$", "^([0-9a-f]{2}:){5}[0-9a-f]{2}$", "^([0-9a-f]{2}-){5}[0-9a-f]{2}$",
            "^([0-9a-f]{4}\\.){2}[0-9a-f]{4}$",
        ]
        guard patterns.contains(where: { plain.range(of: $0, options: .regularExpression) != nil }) else { return nil }
        let digits = plain.filter(\.isHexDigit)
        return ["000000000000", "ffffffffffff", "020000000000"].contains(digits) ? nil : digits
    }

    /// Every value a user put in is still in the meter's record, or is listed as given up, or is in a record that the
    /// report has whole.
    private func checkNothingIsLost(_ before: [UserValue], _ store: TestStore, _ report: ChangeReport) throws {
        let after = try userValues(store)
        let plan = report.plan
        let dropped = Set(plan.conflicts.flatMap { $0.dropped.compactMap(\.value.text) })
        let inReport = Set(
            plan.meters.flatMap(\.deletions).flatMap { $0.record.values.compactMap(\.text) })
        for record in before {
            let survivors = after.filter { record.address == nil ? $0.row == record.row : $0.address == record.address }
            #expect(survivors.count == 1)
            // A text that reads like the one that is kept is none that anybody misses.
            let kept = Set(survivors.flatMap(\.values).map(Self.asItReads))
            for value in record.values where !kept.contains(Self.asItReads(value)) {
                #expect(dropped.contains(value), "\(value) of row \(record.row)")
                // The winner is updated, not deleted: its own value is then among the conflicts alone.
                let isWinner = after.contains { $0.row == record.row }
                #expect(isWinner || inReport.contains(value), "\(value) of row \(record.row)")
            }
            // A meter that had a name, a unit, a type still has each.
            #expect(record.values.count <= survivors.first?.values.count ?? 0)
        }
    }

    /// What has no usable address is untouched, each row of its own.
    private func checkStrays(_ records: [FixtureRecord], _ store: TestStore) throws {
        let rows = records.filter { Self.digits($0.macAddress) == nil }.map(\.row)
        let versions = try StoreText.read(store.path) { database in
            try Row.fetchAll(database, sql: "SELECT Z_PK, Z_OPT, ZMACADDRESS, ZUPDATEDAT FROM ZDEVICESETTINGS")
        }
        for row in rows {
            let found = try #require(versions.first { $0[0] == row })
            let record = try #require(records.first { $0.row == row })
            #expect(found[1] == 1)
            #expect(found[2] == record.macAddress)
            #expect(found[3] == record.updatedAt)
        }
    }

    /// All synced columns of all records, in the order of ids.
    private func synced(_ store: TestStore) throws -> [String] {
        try StoreText.read(store.path) { database in
            let columns = try String.fetchAll(
                database,
                sql: "SELECT name FROM pragma_table_info('ZDEVICESETTINGS') WHERE name NOT LIKE 'Z\\_%' ESCAPE '\\'")
            let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
            return try String.fetchAll(database, sql: "SELECT \(values) || Z_OPT FROM ZDEVICESETTINGS ORDER BY ZID")
        }
    }
}

@Suite("records without an address")
struct NaiveMergeTests {
    /// `… WHERE Z_PK NOT IN (SELECT MAX(Z_PK) FROM … GROUP BY ZMACADDRESS)` makes one of all of them.
    @Test("are never merged, as the popular one-liner does")
    func naive() throws {
        let addresses: [String?] = [nil, nil, nil, "", "", " ", "?", "?", "00:00:00:00:00:00", "00-00-00-00-00-00"]
        let records = addresses.enumerated().map { index, address in
            FixtureRecord(row: Int64(index + 1), macAddress: address, meterName: "Meter \(index)")
        }
        let store = try TestStore(
            StoreFixture(records: records + Meters.pair.map { pair in pair.with { $0.row += 100 } }))
        let before = try store.text()[table: "ZDEVICESETTINGS"].prefix(addresses.count)
        let lost = try StoreText.read(store.path) {
            try $0.execute(
                sql: """
                    DELETE FROM ZDEVICESETTINGS WHERE Z_PK NOT IN
                    (SELECT MAX(Z_PK) FROM ZDEVICESETTINGS GROUP BY ZMACADDRESS)
                    """)
            return $0.changesCount
        }
        #expect(lost == 5)
        let report = try store.rebuild()
        #expect(report.summary.deleted == 1)
        #expect(try store.text()[table: "ZDEVICESETTINGS"].prefix(addresses.count) == before)
    }
}
