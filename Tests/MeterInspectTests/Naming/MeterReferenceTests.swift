import CoreDataStore
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("a meter that a command names")
struct MeterReferenceTests {
    private static let records = [
        FixtureRecord(row: 1, macAddress: "A4:C1:38:00:00:01", meterName: "Kitchen"),
        FixtureRecord(row: 2, macAddress: "A4:C1:38:00:00:02", meterName: " Café \n"),
        // Two records of one meter.
        FixtureRecord(row: 3, macAddress: "A4:C1:38:00:00:03", meterName: "Balcony solar"),
        FixtureRecord(row: 4, macAddress: "a4c138000003", meterName: "Balcony solar"),
        FixtureRecord(row: 5, macAddress: "a4c138000003", meterName: "Solar 2"),
        FixtureRecord(row: 6, macAddress: "A4:C1:38:00:00:04", meterName: "bench"),
        FixtureRecord(row: 7, macAddress: "A4:C1:38:00:00:05", meterName: "BENCH"),
        FixtureRecord(row: 8, macAddress: "A4:C1:38:00:00:06", meterName: "Desk"),
        FixtureRecord(row: 9, macAddress: "A4:C1:38:00:00:07", meterName: "Desk "),
        FixtureRecord(row: 10, macAddress: "A4:C1:38:77:70:42"),
        FixtureRecord(row: 11, macAddress: "A4:C1:38:99:90:1", meterName: "Lost"),
        FixtureRecord(row: 12, macAddress: nil, meterName: "Nowhere"),
    ]

    private func address(of word: String, in store: TestStore) throws(StoreError) -> String {
        try MeterReference(word).address(in: store.path, now: TestStore.now).text(in: .upper)
    }

    private func refusal(of word: String, _ records: [FixtureRecord] = Self.records) throws -> StoreError {
        let store = try TestStore(StoreFixture(records: records))
        let error = try store.looking { try #require(throws: StoreError.self) { try address(of: word, in: store) } }
        #expect(error.kind == .unsuitable)
        return error
    }

    @Test("by its address needs no store")
    func byAddress() throws {
        #expect(
            try MeterReference("a4-c1-38-00-00-01").address(in: "missing.sqlite", now: TestStore.now)
                == MACAddress(bits: 0xA4C1_3800_0001))
        #expect(throws: StoreError.self) {
            try MeterReference("Kitchen").address(in: "missing.sqlite", now: TestStore.now)
        }
    }

    @Test(
        "is found by its name: the exact one first, then in another letter case or notation",
        arguments: [
            ("Kitchen", "A4:C1:38:00:00:01"), (" Kitchen\t", "A4:C1:38:00:00:01"), ("KITCHEN", "A4:C1:38:00:00:01"),
            ("Café", "A4:C1:38:00:00:02"), ("Cafe\u{301}", "A4:C1:38:00:00:02"), ("CAFE\u{301}", "A4:C1:38:00:00:02"),
            // A meter with several records that have the name counts once, and is found by each of its names.
            ("Balcony solar", "A4:C1:38:00:00:03"), ("solar 2", "A4:C1:38:00:00:03"),
            ("bench", "A4:C1:38:00:00:04"), ("BENCH", "A4:C1:38:00:00:05"),
        ])
    func byName(name: String, address: String) throws {
        let store = try TestStore(StoreFixture(records: Self.records))
        #expect(try store.looking { try self.address(of: name, in: store) } == address)
    }

    @Test("is refused where several have the name, with the address of each")
    func several() throws {
        let error = try refusal(of: "Desk")
        #expect(error.message == "2 meters are named \"Desk\"")
        #expect(
            error.hint == "name one by its address: A4:C1:38:00:00:06, row 8, \"Desk\"; "
                + "or A4:C1:38:00:00:07, row 9, \"Desk \"")
        #expect(try refusal(of: "Bench").message == "2 meters are named \"Bench\"")
        let many = (1...8).map { FixtureRecord(row: Int64($0), macAddress: "A4:C1:38:00:00:0\($0)", meterName: "M") }
        #expect(try refusal(of: "M", many).hint?.hasSuffix("; or A4:C1:38:00:00:05, row 5, \"M\", and 3 more") == true)
    }

    @Test(
        "that is not there is refused with what nearly fits",
        arguments: [
            ("Kitchn", "did you mean A4:C1:38:00:00:01, row 1, \"Kitchen\"?"),
            ("iktchen", "did you mean A4:C1:38:00:00:01, row 1, \"Kitchen\"?"),
            ("balcony", "did you mean A4:C1:38:00:00:03, rows 3, 4 and 5, \"Balcony solar\" and \"Solar 2\"?"),
            ("Kitchen charger", "did you mean A4:C1:38:00:00:01, row 1, \"Kitchen\"?"),
            ("balkony", "did you mean A4:C1:38:00:00:03, rows 3, 4 and 5, \"Balcony solar\" and \"Solar 2\"?"),
            ("lost", "did you mean row 11, address \"A4:C1:38:99:90:1\", \"Lost\"?"),
            ("nowhere", "did you mean row 12, no address, \"Nowhere\"?"),
            // Eleven digits are no address.
            ("A4:C1:38:77:70:4", "did you mean A4:C1:38:77:70:42, row 10, no name?"),
        ])
    func nearName(name: String, question: String) throws {
        let error = try refusal(of: name)
        #expect(error.message == "no meter is named \"\(name)\"")
        #expect(error.hint == question)
    }

    @Test("of which nothing is near gets no suggestion")
    func nothingNear() throws {
        #expect(try refusal(of: "Workshop").hint?.hasSuffix("CKModel.sqlite` lists the meters") == true)
        #expect(try refusal(of: "x").hint?.hasSuffix("CKModel.sqlite` lists the meters") == true)
    }

    @Test(
        "by an address that has no record is refused with the addresses that are one slip away",
        arguments: [
            (0xA4C1_3877_7043, "did you mean A4:C1:38:77:70:42, row 10, no name?"),
            (0xA4C1_3877_7024, "did you mean A4:C1:38:77:70:42, row 10, no name?"),
            (0xA4C1_3877_0742, "did you mean A4:C1:38:77:70:42, row 10, no name?"),
            (0xA4C1_3899_9012, "did you mean row 11, address \"A4:C1:38:99:90:1\", \"Lost\"?"),
            (0xA4C1_3877_7055, nil),
        ] as [(UInt64, String?)])
    func nearAddress(bits: UInt64, question: String?) throws {
        let store = try TestStore(StoreFixture(records: Self.records))
        let error = try #require(throws: StoreError.self) {
            try store.change(UnlockPlanner(MACAddress(bits: bits), force: false)) { $0.makesBackup = true }
        }
        #expect(error.message.hasPrefix("no record of the meter A4:C1:38:"))
        #expect(
            error.hint == question
                ?? "check the address; the app makes a record when it first sees the meter, import-kv from a dump")
    }
}

@Suite("the distance between two texts")
struct EditDistanceTests {
    @Test(
        "counts what is missing, added, replaced and swapped",
        arguments: [
            ("", "", 0), ("kitchen", "kitchen", 0), ("kitchen", "kitchn", 1), ("kitchn", "kitchen", 1),
            ("kitchen", "kitcehn", 1), ("kitchen", "mitchen", 1), ("", "abc", 3), ("abc", "", 3),
            ("verfy", "verify", 1),
            ("ab", "ba", 1), ("kitten", "sitting", 3), ("a cat", "an act", 2),
        ])
    func distance(one: String, other: String, distance: Int) {
        #expect(one.editDistance(to: other, limit: 9) == distance)
        #expect(one.editDistance(to: other, limit: distance) == distance)
        #expect(other.editDistance(to: one, limit: distance - 1) == nil)
    }
}
