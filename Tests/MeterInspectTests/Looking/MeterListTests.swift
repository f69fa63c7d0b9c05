import CoreDataStore
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@Suite("meters")
struct MeterListTests {
    private static let now = FixtureClock.now

    private func list(_ fixture: StoreFixture) throws -> MeterList {
        let store = try TestStore(fixture)
        return try store.looking { try MeterList.of(store.path, now: TestStore.now) }
    }

    private static let records = [
        FixtureRecord(row: 1, macAddress: "B0:00:00:00:00:01").with {
            $0.meterName = "Kitchen"
            $0.updatedAt = now - 30
            $0.cloudRecordName = "ONE"
        },
        FixtureRecord(row: 2, macAddress: "b00000000001").with {
            $0.meterName = "Cellar"
            $0.modelType = "TC66C"
            $0.updatedAt = now - 20
            $0.lastSeenAt = now - 15
            $0.lastSeenByDeviceID = "phone"
            $0.lastSeenByDeviceName = "Ana's iPhone"
            $0.cloudRecordName = "TWO"
        },
        FixtureRecord(row: 3, macAddress: nil).with { $0.meterName = "nowhere" },
        FixtureRecord(row: 4, macAddress: "A0:00:00:00:00:01").locked(by: .anasPhone, at: now - 60).with {
            $0.meterName = "attic"
            $0.updatedAt = now - 10
            $0.needsUpload = true
            $0.cloudRecordName = "FOUR"
        },
        FixtureRecord(row: 5, macAddress: "02:00:00:00:00:00"),
    ]
    private static let fixture = StoreFixture(records: records).with { $0.mirror = .current }

    @Test("never show the digits of bytes as a name")
    func bytes() throws {
        let fixture = StoreFixture(records: [Meters.healthy]).damaged(
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = X'010203FF', ZMODELTYPE = X'5544'")
        let meter = try #require(list(fixture).meters.first)
        #expect(meter.name == nil && meter.recordNames == [] && meter.modelType == nil)
    }

    @Test("are a line each, by address, with those of no usable address last")
    func lines() throws {
        let meters = try list(Self.fixture).meters
        #expect(meters.map(\.rows) == [[4], [1, 2], [3], [5]])
        #expect(meters.map { $0.address?.text(in: .upper) } == ["A0:00:00:00:00:01", "B0:00:00:00:00:01", nil, nil])
        #expect(meters.map(\.lockState) == ["held", nil, nil, nil])
        #expect(meters[0].waiting.map(\.object.row) == [4])
        #expect(meters.dropFirst().map { $0.waiting.map(\.object.row) } == [[], [3], [5]])
        #expect(meters[0].lock?.deviceName == "Ana's iPhone")
    }

    @Test("with several records show what a rebuild would make of them")
    func groups() throws {
        let meter = try #require(try list(Self.fixture).meters.first { $0.rows.count > 1 })
        #expect(meter.name == "Cellar")
        #expect(meter.modelType == "TC66C")
        #expect(meter.updatedAt == Timestamp(secondsSince2001: Self.now - 20))
        #expect(meter.seenBy == "Ana's iPhone")
        #expect(meter.seenAt == Timestamp(secondsSince2001: Self.now - 15))
        #expect(meter.waiting.isEmpty)
    }

    @Test(
        "are sorted as asked, what is missing last",
        arguments: [
            (MeterList.Order.address, [4, 1, 3, 5]), (.name, [4, 1, 3, 5]), (.seen, [1, 4, 3, 5]),
            (.updated, [4, 1, 3, 5]),
        ])
    func sorted(order: MeterList.Order, firstRows: [Int64]) throws {
        #expect(try list(Self.fixture).sorted(by: order).meters.map { $0.rows[0] } == firstRows)
    }

    @Test(
        "are found by address, type, device and the name of any record, in whatever case",
        arguments: [
            ("KITCH", [1]), ("cellar", [1]), ("a0:00", [4]), ("tc66", [1]), ("ana's", [4, 1]), ("nowhere", [3]),
            ("zzz", []),
            ("", [4, 1, 3, 5]),
        ] as [(String, [Int64])])
    func find(text: String, firstRows: [Int64]) throws {
        #expect(try list(Self.fixture).finding(text).meters.map { $0.rows[0] } == firstRows)
    }
}
