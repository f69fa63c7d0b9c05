import CoreDataStore
import Foundation
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("an undo of a store that has changed since")
struct StaleUndoTests {
    private static let fixture = UndoTests.fixture.with { $0.mirror = .current }
    private static let address = MACAddress.parse(Meters.address)!.0
    private static let other = MACAddress.parse(Meters.healthy.macAddress!)!.0

    private func rebuilt(_ fixture: StoreFixture = Self.fixture) throws -> TestStore {
        let store = try TestStore(fixture)
        try store.rebuild { $0.makesBackup = true }
        return store
    }

    private func stale(_ store: TestStore, shownNames: Int = 40) throws -> UndoReport {
        let report = try store.undo { $0.shownNames = shownNames }
        #expect(report.outcome == .stale)
        return report
    }

    private func rename(_ store: TestStore, to name: String, at now: Timestamp = TestStore.now) throws {
        var options = ChangeOptions(now: now)
        options.makesBackup = false
        try ChangeRun.run(SetPlanner(Self.other, name: name, unit: nil), on: store.path, options: options)
    }

    @Test("names the values that would be lost, when they were changed and by whom")
    func values() throws {
        let later = Timestamp(secondsSince2001: FixtureClock.now + 60)
        for (author, expected) in [
            ("meterfix", Author.meterfix), ("ro.xdev.USB-Meter", .program("ro.xdev.USB-Meter")),
            ("ro.xdev.USB-Meter.widget", .program("ro.xdev.USB-Meter.widget")),
            ("NSCloudKitMirroringDelegate.import", .otherDevice), ("sqlite3", .program("sqlite3")),
        ] {
            let store = try rebuilt()
            try rename(store, to: "Garage", at: later)
            try store.execute(
                """
                INSERT OR IGNORE INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (900, 16003, '\(author)');
                UPDATE ATRANSACTION SET ZAUTHORTS = (SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = '\(author)')
                WHERE Z_PK = (SELECT MAX(Z_PK) FROM ATRANSACTION)
                """)
            let meter = try #require(try stale(store).changedMeters.first)
            #expect(meter.row == 5 && meter.kind == .changed && meter.address == Self.other, "\(author)")
            #expect(meter.values.map(\.field.name) == ["meterName"])
            #expect(meter.values.map(\.before) == [.text("Lab")] && meter.values.map(\.after) == [.text("Garage")])
            #expect(meter.time == later && meter.author == expected, "\(author)")
            #expect(expected.isUSBMeter == author.hasPrefix("ro.xdev"))
        }
    }

    @Test("knows no author of what is not in the history, and no time where nothing says it")
    func outside() throws {
        let store = try rebuilt()
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 5")
        var meter = try #require(try stale(store).changedMeters.first)
        #expect(meter.time == nil && meter.author == nil && meter.isOfUser)
        try store.execute("UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = \(FixtureClock.now + 9) WHERE Z_PK = 5")
        meter = try #require(try stale(store).changedMeters.first)
        #expect(meter.time == Timestamp(secondsSince2001: FixtureClock.now + 9) && meter.author == nil)
    }

    @Test("tells records that came and went, and those of which only a date differs")
    func kinds() throws {
        let store = try rebuilt()
        try store.execute(
            """
            DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 5;
            UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = 1 WHERE Z_PK IN (3, 7);
            INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMETERNAME) VALUES (9, 1, 1, 'Attic')
            """)
        let meters = try stale(store).changedMeters
        #expect(Set(meters.prefix(2).map(\.kind)) == [.added, .removed])
        #expect(Set(meters.prefix(2).map(\.name)) == ["Attic", "Lab"])
        #expect(meters.count == 3)
        #expect(meters.last?.kind == .changed && meters.last?.isOfUser == false)
        // JSON has the rows.
        #expect(try stale(store, shownNames: 0).changedMeters == [])
        #expect(try stale(store, shownNames: 0).parts == [])
    }

    @Test("names the one row that changed since among a thousand that the change wrote")
    func many() throws {
        let records = (0..<500).flatMap { number in
            Meters.pair.enumerated().map { index, record in
                record.with {
                    $0.row = Int64(2 * number + index + 1)
                    $0.id = FixtureUUID(UInt64(2 * number + index + 1)).bytes
                    $0.macAddress = MACAddress(bits: 0xA4C1_380B_0000 + UInt64(number)).text(in: .upper)
                }
            }
        }
        let store = try TestStore(StoreFixture(records: records))
        let entry = try #require(try store.rebuild { $0.makesBackup = true }.backup)
        // Enough to be read by two threads.
        #expect(try FileBytes.read(entry + "/changes.jsonl").count > 1 << 17)
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 998")
        let report = try stale(store)
        #expect(report.moved?.map(\.row) == [998])
        #expect(report.moved?.first?.fields.map(\.field.name) == ["ZMETERNAME"])
        #expect(report.parts.count == 100)
    }

    @Test("offers what can be taken back by itself: values first, each once, then records")
    func parts() throws {
        let records = [
            Meters.pair[0].with { $0.tc66TemperatureUnit = "fahrenheit" },
            Meters.pair[1].with { $0.meterName = "Kitchen charger" }, Meters.healthy,
        ]
        let store = try rebuilt(StoreFixture(records: records))
        let kept = try #require(try store.column("ZMETERNAME").first { !$0.contains("Lab") })
        #expect(kept == "7: 'Kitchen charger'")
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 5")
        #expect(
            try stale(store).parts == [
                .name("Kitchen", Self.address), .unit(.fahrenheit, Self.address), .record(row: 3, Self.address),
            ])
    }

    @Test("says whether the change has perhaps gone up, and what waits once it is undone")
    func cloud() throws {
        let store = try TestStore(Self.fixture)
        let waiting = try store.rebuild {
            $0.makesBackup = true
            $0.isDryRun = true
        }.forecast?.after
        try store.rebuild { $0.makesBackup = true }
        let planned = try store.undo { $0.isDryRun = true }
        #expect(planned.cloud?.hasGoneUp == false)
        #expect(planned.cloud?.after != waiting)
        try setToken(of: store, to: "(SELECT MAX(Z_PK) FROM ATRANSACTION)")
        let done = try store.undo { $0.force = true }
        #expect(done.outcome == .applied)
        #expect(done.cloud?.hasGoneUp == true)
        #expect(done.cloud?.after == planned.cloud?.after)
        let again = try store.rebuild { $0.isDryRun = true }.forecast?.after
        #expect(again == waiting)
        let bare = try rebuilt(UndoTests.fixture)
        #expect(try bare.undo { $0.isDryRun = true }.cloud == nil)
    }

    /// Lets the mirror have read the history up to a transaction.
    private func setToken(of store: TestStore, to transaction: String) throws {
        let number = try StoreText.read(store.path) { try Int64.fetchOne($0, sql: "SELECT \(transaction)") } ?? 0
        let archive = MirrorArchive.historyToken(store: Self.fixture.storeUUID, transaction: number)
        let hex = archive.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let key = "NSCloudKitMirroringDelegateLastHistoryTokenKey"
        try store.execute(
            """
            DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY = '\(key)';
            INSERT INTO ANSCKMETADATAENTRY (Z_PK, ZKEY, ZTRANSFORMEDVALUE) VALUES (900, '\(key)', x'\(hex)')
            """)
    }
}
