import CoreDataStore
import JSON
import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@Suite("locks")
struct LockListTests {
    private static let now = FixtureClock.now

    private func list(_ fixture: StoreFixture) throws -> LockList {
        let store = try TestStore(fixture)
        return try store.looking { try LockList.of(store.path, now: TestStore.now) }
    }

    private static func record(_ row: Int64, _ address: String?) -> FixtureRecord {
        FixtureRecord(row: row, macAddress: address)
    }

    @Test("lists each lock once, by meter, with what is wrong with it")
    func states() throws {
        let list = try list(
            StoreFixture(
                records: [
                    Self.record(1, "B0:00:00:00:00:01").locked(by: .anasPhone, at: Self.now - 60),
                    Self.record(2, nil).locked(by: .anasPhone, at: Self.now - 60),
                    Self.record(3, "A0:00:00:00:00:01").locked(by: .chloesPad, at: Self.now - 120.5),
                    Self.record(4, "b00000000001").with { $0.connectedByDeviceName = "iPad" },
                    Self.record(5, "C0:00:00:00:00:01")
                        .locked(by: .bogdansMac, at: Self.now + 2 * FixtureClock.day),
                    Self.record(6, "C0:00:00:00:00:02"),
                    // Its beginning is past: the end is always ahead.
                    Self.record(7, "C0:00:00:00:00:03")
                        .locked(by: .bogdansMac, at: Self.now - 60, for: 30 * FixtureClock.day),
                ]))
        #expect(list.locks.map(\.row) == [3, 1, 4, 5, 7, 2])
        #expect(list.locks.map(\.isExpired) == [true, false, false, false, false, false])
        #expect(list.locks.map(\.isTorn) == [false, false, true, false, false, false])
        #expect(list.locks.map(\.isClockAhead) == [false, false, false, true, false, false])
        #expect(list.locks.last?.address == nil)
    }

    @Test("lists a flat lock, one in JSON, and one that cannot be read")
    func spellings() throws {
        let records = [
            Self.record(1, "A0:00:00:00:00:01").locked(by: .anasPhone, at: Self.now - 60),
            Self.record(2, "A0:00:00:00:00:02").with { $0.connectionMetadata = "[]" },
        ]
        func spellings(_ list: LockList) -> [ConnectionLock.Encoding?] {
            list.locks.map { $0.lock?.encoding }
        }
        #expect(spellings(try list(StoreFixture(records: records))) == [.flat])
        let both = try list(StoreFixture(records: records).with { $0.lockEncoding = .both })
        #expect(spellings(both) == [.flat, .blob, nil])
        #expect(both.locks.last?.malformation == "JSON, but not an object")
        #expect(both.json["summary"]?["locks"] == .integer(3))
    }

    @Test("of a lock at its very last moment says that it is held")
    func lastMoment() throws {
        let record = Self.record(1, "A0:00:00:00:00:01").locked(by: .anasPhone, at: Self.now - 120)
        #expect(try list(StoreFixture(records: [record])).locks.map(\.isExpired) == [false])
    }

    @Test("refuses a database that is no store of the app")
    func refusal() throws {
        let store = try TestStore(StoreFixture())
        try store.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'DeviceSettings'")
        let error = try #require(throws: StoreError.self) { try LockList.of(store.path, now: TestStore.now) }
        #expect(error.kind == .unsuitable)
    }
}
