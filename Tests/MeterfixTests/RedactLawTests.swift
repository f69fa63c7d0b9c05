import Foundation
import JSON
import MeterModel
import MeterTestSupport
import Testing

@Suite("a law of redaction")
struct RedactLawTests {
    /// A mirrored store of random records; some of it stays in free pages.
    private static func store(seed: UInt64) -> RedactStore {
        let records = RandomStores.records(seed: seed, meters: 4)
        let fixture = StoreFixture(records: records).with {
            $0.mirror = seed.isMultiple(of: 4) ? .none : .current
            $0.historyToken = RandomStores.historyToken(seed: seed, transactions: records.count)
            if seed.isMultiple(of: 5) { $0.lockEncoding = .blob }
            if seed.isMultiple(of: 3) { $0.logPlacement = .rowsInLogOnly }
        }
        return RedactStore.law("seed-\(seed)", fixture)
    }

    @Test(
        "holds for random stores: the same answers, nothing left, the same bytes each time",
        arguments: LawSeeds.first(4))
    func randomStores(seed: UInt64) throws {
        let store = Self.store(seed: seed)
        let copy = try RedactedCopy(of: store)
        try #require(copy.answer.code == 0, "\(copy.answer.code): \(copy.answer.stderr)\(copy.answer.stdout)")
        #expect(copy.trace == [])
        try RedactAnswersTests.expectSame(
            copy, at: [SampleSession.now, "2027-11-21T12:00:00Z"],
            [["rebuild", "--dry-run"], ["rebuild", "--dry-run", "--winner", "newest"], ["sync"], ["meters"]])
        try RedactOriginalsTests.expectNoOriginals(of: store, in: copy)

        let again = try RedactedCopy(of: store)
        #expect(try FileBytes.read(again.path) == FileBytes.read(copy.path))
    }

    @Test(
        "holds for repairs: a rebuild of the copy changes the same rows as one of the store, and leaves the same findings",
        arguments: LawSeeds.first(2))
    func rebuilt(seed: UInt64) throws {
        let copy = try RedactedCopy(of: Self.store(seed: seed))
        try #require(copy.answer.code == 0, "\(copy.answer.stderr)")
        let codes = try [copy.store.file, copy.copy].map { file in
            try copy.folder.meterfix("rebuild", "--quiet", "--now", SampleSession.now, file).code
        }
        #expect(codes[0] == codes[1])
        // What is new in the history is of now; who wrote it is meterfix in both.
        try RedactAnswersTests.expectSame(copy, at: [SampleSession.now], isWhole: false)
    }

    /// Records of a few meters that only the later steps tell apart: record names, dates of creation, ids, row numbers.
    private static func ties(seed: UInt64) -> RedactStore {
        var generator = SeededGenerator(seed: seed)
        func pick<Element>(_ choices: [Element]) -> Element {
            choices[Int.random(in: 0..<choices.count, using: &generator)]
        }
        var names =
            ["A", "AA", "a", "B", "b", "Record-9", "Record-10", "record-9", "", "Z", "é", "_x", "0", "00", "~"]
            + (1...9).map { FixtureUUID(seed &* 50 &+ $0).text }
            + (1...4).map { FixtureUUID(seed &* 50 &+ $0).text.lowercased() }
        names.shuffle(using: &generator)
        let records = (1...16).map { row in
            FixtureRecord(row: Int64(row), macAddress: "3C:71:BF:00:00:0\(row % 4)", meterName: "Lampe").with {
                $0.updatedAt = pick([FixtureClock.now - 5_000, FixtureClock.now - 5_000, nil])
                $0.createdAt = pick([FixtureClock.now - 90_000, FixtureClock.now - 80_000, nil])
                $0.id = pick([
                    nil, FixtureUUID(seed &+ UInt64(row % 3)).bytes, FixtureUUID(UInt64(row) &* 77 &+ seed).bytes,
                ])
                if Bool.random(using: &generator) { $0.cloudRecordName = names.popLast() }
            }
        }
        return RedactStore.law("ties-\(seed)", StoreFixture(records: records).with { $0.mirror = .current })
    }

    @Test(
        "holds for ties: the same record wins, where only names of records or ids decide", arguments: LawSeeds.first(4))
    func winners(seed: UInt64) throws {
        let copy = try RedactedCopy(of: Self.ties(seed: seed))
        try #require(copy.answer.code == 0, "\(copy.answer.stderr)\(copy.answer.stdout)")
        try RedactAnswersTests.expectSame(copy, at: [SampleSession.now], [["rebuild", "--dry-run"]])
    }

    @Test("holds for two stores and one map: what is equal in both stays equal, however an address is written")
    func twoStores() throws {
        let addresses = ["A4:C1:38:0B:7E:21", "A4:C1:38:5D:02:9F", "00:15:A6:00:3C:E8"]
        func fixture(_ spelled: (String) -> String, _ uuid: UInt64) -> StoreFixture {
            StoreFixture(
                records: addresses.enumerated().map { index, address in
                    FixtureRecord(row: Int64(index + 1), macAddress: spelled(address), meterName: "Lampe \(index)").with
                    {
                        $0.id = FixtureUUID(UInt64(30 + index)).bytes
                        $0.cloudRecordName = FixtureUUID(UInt64(60 + index)).text
                        $0 = $0.seen(by: index == 0 ? .anasPhone : .bogdansMac, at: FixtureClock.now - 5_000)
                    }
                }
            ).with {
                $0.mirror = .current
                $0.storeUUID = FixtureUUID(uuid).text
            }
        }
        let first = try RedactedCopy(
            of: RedactStore.law("first", fixture({ $0 }, 81)), continuing: RedactedCopy.otherNumbers)
        let second = try RedactedCopy(
            of: RedactStore.law("second", fixture({ $0.lowercased().replacing(":", with: "-") }, 82)),
            continuing: first.folder.text("map.json"))
        try #require(first.answer.code == 0 && second.answer.code == 0, "\(first.answer.stderr)\(second.answer.stderr)")
        let cells = try [first, second].map { try StoreCells(of: $0.path).tables["ZDEVICESETTINGS"] ?? [] }
        func texts(_ rows: [[String: StoreCells.Cell]], _ column: String) -> [String] {
            rows.map { String(decoding: $0[column]?.bytes ?? [], as: UTF8.self) }
        }
        for column in ["ZMETERNAME", "ZLASTSEENBYDEVICENAME", "ZLASTSEENBYDEVICEID"] {
            #expect(texts(cells[0], column) == texts(cells[1], column), "\(column)")
        }
        #expect(cells[0].map { $0["ZID"]?.bytes } == cells[1].map { $0["ZID"]?.bytes })
        let digits = cells.map { texts($0, "ZMACADDRESS").map { $0.lowercased().filter(\.isHexDigit) } }
        #expect(digits[0] == digits[1])
        #expect(Set(digits[0]).count == 3)
        #expect(texts(cells[1], "ZMACADDRESS").allSatisfy { $0.contains("-") && $0 == $0.lowercased() })
        let names = try [first, second].map { try StoreCells(of: $0.path).tables["ANSCKRECORDMETADATA"] ?? [] }
        #expect(texts(names[0], "ZCKRECORDNAME") == texts(names[1], "ZCKRECORDNAME"))
    }
}

extension RedactStore {
    /// A store that a law is tried on.
    static func law(_ name: String, _ fixture: StoreFixture) -> RedactStore {
        RedactStore(name: name, file: name + ".sqlite") { try fixture.write(to: $0.path + "/\(name).sqlite") }
    }
}
