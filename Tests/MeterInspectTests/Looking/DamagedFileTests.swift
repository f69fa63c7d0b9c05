import CoreDataStore
import Foundation
import GRDB
import MeterFuzz
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

/// Pages that are not where they belong, and files that were cut short or mixed up.
@Suite("a store with a damaged file is read, and repaired or refused:")
struct DamagedFileTests {
    private static let pageSize = 4096

    private func look(
        _ fixture: StoreFixture = StoreTrial.fixture, _ damage: (inout [UInt8], TestStore) throws -> Void
    ) throws {
        let store = try TestStore(fixture)
        var bytes = try FileBytes.read(store.path)
        try damage(&bytes, store)
        try FileBytes.write(bytes, to: store.path)
        try StoreTrial(path: store.path, in: store.folder).run()
    }

    /// What the checks find where one of them meets a page that cannot be read.
    @discardableResult
    private func findings(
        _ fixture: StoreFixture, _ damage: (inout [UInt8]) throws -> Void
    ) throws -> VerifyReport {
        let store = try TestStore(fixture)
        var bytes = try FileBytes.read(store.path)
        try damage(&bytes)
        try FileBytes.write(bytes, to: store.path)
        let report = try Verify.report(store.path, VerifyOptions(now: TestStore.now))
        #expect(
            report.findings.contains {
                $0.id == "not-intact" && $0.message.hasPrefix("part of the store cannot be read: ")
            })
        return report
    }

    @Test("a partly unreadable record is a finding, and the records are still counted")
    func overflow() throws {
        // Too long for its page: the rest is in others, each of which begins with the number of the next.
        let name = String(repeating: "x", count: 3 * Self.pageSize)
        let report = try findings(
            Meters.fixture.with {
                $0.records.append(FixtureRecord(row: 9, macAddress: "A4:C1:38:00:00:01", meterName: name))
            }
        ) { bytes in
            let page = try #require(
                stride(from: 0, to: bytes.count, by: Self.pageSize).first { start in
                    bytes[start + 4..<start + Self.pageSize].allSatisfy { $0 == UInt8(ascii: "x") }
                })
            bytes.replaceSubrange(page..<page + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        }
        #expect(report.records == 4)
        // Not once by each check of records.
        #expect(report.findings.count { $0.message.hasPrefix("part of the store cannot be read: ") } == 1)
    }

    @Test("an unreadable history table is a finding of the checks that read it")
    func history() throws {
        let store = try TestStore(Meters.fixture)
        let root = try StoreText.read(store.path) { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'ACHANGE'")
        }
        let start = (try #require(root) - 1) * Self.pageSize
        try findings(Meters.fixture) { bytes in
            bytes.replaceSubrange(start..<start + Self.pageSize, with: [UInt8](repeating: 0xFF, count: Self.pageSize))
        }
    }

    @Test("verify finds the damage also where a store has backups and its empty log was taken away")
    func backedUp() throws {
        let store = try TestStore(Meters.fixture)
        try store.rebuild { $0.makesBackup = true }
        let root = try StoreText.read(store.path) { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'ACHANGE'")
        }
        try PageDamage.zeros.apply(to: #require(root), of: store.path)
        try? FileManager.default.removeItem(atPath: store.path + "-wal")
        let findings = try Verify.report(store.path, VerifyOptions(now: TestStore.now)).findings
        #expect(findings.contains { $0.id == Check.notIntact.id })
    }

    private static let mirrored = Meters.fixture.with { fixture in
        fixture.mirror = .current
        fixture.records = fixture.records.map { record in
            var record = record
            record.cloudRecordName = "record-\(record.row)"
            return record
        }
    }

    @Test("status and sync give no all-clear, whichever page is damaged, though neither reads every page")
    func noAllClear() throws {
        let store = try TestStore(Self.mirrored)
        #expect(try StatusReport.of(store.path, now: TestStore.now).pages == .whole)
        #expect(try SyncReport.of(store.path, now: TestStore.now).mirror?.forecast.outcome == .nothingWaits)
        let whole = try FileBytes.read(store.path)
        for page in try PageOwners(of: store.path).pages.keys where page > 1 {
            try PageDamage.zeros.apply(to: page, of: store.path)
            do {
                let status = try StatusReport.of(store.path, now: TestStore.now)
                #expect(status.alerts.damage != nil && status.pages == .damaged, "page \(page)")
                let sync = try SyncReport.of(store.path, now: TestStore.now)
                #expect(sync.alerts.damage != nil && sync.mirror?.forecast.outcome != .nothingWaits, "page \(page)")
            } catch {
                #expect(error.kind == .damaged, "page \(page)")
            }
            try FileBytes.write(whole, to: store.path)
        }
    }

    @Test("of a large store status and sync say that not every page was read")
    func large() throws {
        let store = try TestStore(
            Self.mirrored.damaged("CREATE TABLE T (A); INSERT INTO T VALUES (zeroblob(5000000))"))
        #expect(try StatusReport.of(store.path, now: TestStore.now).pages == .notMade)
        let sync = try SyncReport.of(store.path, now: TestStore.now)
        #expect(sync.mirror?.signs.pages == .notMade)
        #expect(!sync.next.contains { $0.text.description.contains("nothing is pending") })
    }

    @Test("pages were swapped", arguments: LawSeeds.first(2))
    func swapped(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try look { bytes, _ in
            let count = bytes.count / Self.pageSize
            let (left, right) = (
                Int.random(in: 0..<count, using: &generator), Int.random(in: 1..<count, using: &generator)
            )
            let pages = [left, right].map { Array(bytes[$0 * Self.pageSize..<($0 + 1) * Self.pageSize]) }
            bytes.replaceSubrange(left * Self.pageSize..<(left + 1) * Self.pageSize, with: pages[1])
            bytes.replaceSubrange(right * Self.pageSize..<(right + 1) * Self.pageSize, with: pages[0])
        }
    }

    @Test("a page consists of a single repeated byte", arguments: [UInt8](arrayLiteral: 0, 0xFF))
    func blank(byte: UInt8) throws {
        let store = try TestStore(StoreTrial.fixture)
        let count = try withExtendedLifetime(store) { try FileBytes.read(store.path).count / Self.pageSize }
        for page in stride(from: Int(byte & 1) + 1, to: count, by: 4) {
            try look { bytes, _ in
                bytes.replaceSubrange(
                    page * Self.pageSize..<(page + 1) * Self.pageSize,
                    with: [UInt8](repeating: byte, count: Self.pageSize))
            }
        }
    }

    @Test("it was truncated", arguments: [0, 1, 100, 4095, 8192, 40_000])
    func truncated(count: Int) throws { try look { bytes, _ in bytes.removeSubrange(count...) } }

    @Test("its page size is wrong", arguments: [0, 256, 1000, 8192, 65_535])
    func pageSizes(size: Int) throws {
        try look { bytes, _ in bytes.replaceSubrange(16..<18, with: [UInt8(size >> 8), UInt8(size & 0xFF)]) }
    }

    @Test("a field of its header has an extreme value", arguments: [18, 19, 20, 24, 28, 36, 44, 56, 60, 96])
    func header(offset: Int) throws {
        for value: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0]] {
            try look { bytes, _ in
                bytes.replaceSubrange(offset..<offset + (offset < 24 ? 1 : 4), with: value.suffix(offset < 24 ? 1 : 4))
            }
        }
    }

    @Test("the WAL beside it is garbage, or of another store", arguments: [UInt64](1...6))
    func log(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try look(StoreTrial.fixture.with { $0.logPlacement = .rowsInLogOnly }) { _, store in
            var log = try FileBytes.read(store.path + "-wal")
            switch seed {
            case 1: log = (0..<10_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            case 2: log.removeSubrange((log.count / 2)...)
            case 3: log[log.count / 2] ^= 1
            case 4: log.replaceSubrange(8..<12, with: [0, 0, 2, 0])
            case 5: log = [UInt8](repeating: 0, count: 100_000)
            default: log += log
            }
            try FileBytes.write(log, to: store.path + "-wal")
        }
        try look { _, store in
            let bytes = (0..<40_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            for suffix in ["-wal", "-shm", "-journal"] { try FileBytes.write(bytes, to: store.path + suffix) }
        }
    }
}
