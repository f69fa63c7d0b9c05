import CoreDataStore
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@Suite("one timeline")
struct TimelineTests {
    private static let start = FixtureClock.now - FixtureClock.day

    /// - Parameters:
    ///   - saves: with times after the start.
    ///   - first: the number of the first transaction.
    private static func store(
        _ number: UInt64, _ records: [FixtureRecord], _ saves: [FixtureSave], from first: Int64 = 1
    ) -> StoreFixture {
        StoreFixture(records: records).with {
            $0.mirror = .current
            $0.storeUUID = FixtureUUID(number).text
        }.told(saves.map { $0.with { $0.time += start } }, from: first)
    }

    private static func record(_ row: Int64, _ name: UInt64, address: String = Meters.address) -> FixtureRecord {
        FixtureRecord(row: row, macAddress: address, meterName: "Kitchen").with {
            $0.id = FixtureUUID(name).bytes
            $0.cloudRecordName = FixtureUUID(name + 70).text
            $0.updatedAt = start + Double(name) + 0.5
        }
    }

    private func timeline(
        _ fixtures: [StoreFixture], _ adjust: (inout ChangeLog.Request) -> Void = { _ in }
    ) throws -> (Timeline, FolderSnapshot, FolderSnapshot) {
        let folder = try TemporaryFolder()
        let paths = try fixtures.enumerated().map { try folder.store($1, named: "\(["a", "b", "c"][$0]).sqlite") }
        let before = try FolderSnapshot(folder.path)
        var request = ChangeLog.Request()
        adjust(&request)
        let timeline = try Timeline.of(paths, request, now: TestStore.now)
        return (timeline, before, try FolderSnapshot(folder.path))
    }

    private static func time(_ seconds: Double) -> String { Timestamp(secondsSince2001: start + seconds).description }

    private func sentences(_ timeline: Timeline) -> [String] {
        let labels = ["A", "B", "C"]
        return timeline.duplicates.flatMap(\.sentences).map { sentence in
            zip(timeline.sources, labels).reduce(sentence.description) { $0.replacing($1.0.label, with: $1.1) }
        }
    }

    /// A and B each make a record; A's comes to B afterwards.
    private static let pair = [
        store(1, [record(1, 1)], [.made(1, at: 10.5)]),
        store(2, [record(1, 2), record(2, 1)], [.made(1, at: 60.5), .came(2, at: 90.5)]),
    ]

    @Test("says which device made the second record before it had the first, and leaves no trace")
    func story() throws {
        let (timeline, before, after) = try timeline(Self.pair)
        #expect(
            sentences(timeline) == [
                "B made another record of this meter on \(Self.time(60.5)), before it had imported the one that A made "
                    + "on \(Self.time(10.5)); it came on \(Self.time(90.5))"
            ])
        #expect(timeline.duplicates.map(\.isKnown) == [true])
        #expect(timeline.entries.map(\.source) == [1, 1, 0])
        #expect(timeline.entries[0].origin.map { [Int64($0.source), $0.transaction] } == [0, 1])
        #expect(timeline.entries[1].origin == nil)
        #expect(after.differences(from: before).isEmpty)
    }

    @Test("says that a record has not come yet only where the whole history is there")
    func notYet() throws {
        let b = Self.store(2, [Self.record(1, 2)], [.made(1, at: 60.5)])
        #expect(try sentences(timeline([Self.pair[0], b]).0)[0].hasSuffix("; it has not come there yet"))
        let purged = Self.store(2, [Self.record(1, 2)], [.made(1, at: 60.5)], from: 5)
        let (timeline, _, _) = try timeline([Self.pair[0], purged])
        #expect(sentences(timeline)[0].hasSuffix("whether it had the other by then, its history does not say"))
        #expect(timeline.duplicates.map(\.isKnown) == [false])
    }

    @Test("is not certain where a record came and went of which nothing tells which it was")
    func unknownVisitor() throws {
        let b = Self.store(
            2, [Self.record(2, 2), Self.record(3, 1)],
            [.came(1, at: 20.5), .went(1, at: 30.5), .made(2, at: 60.5), .came(3, at: 90.5)])
        #expect(try sentences(timeline([Self.pair[0], b]).0)[0].hasSuffix("its history does not say"))
        // When it came first is not certain either.
        let later = Self.store(
            2, [Self.record(2, 2), Self.record(3, 1)],
            [.made(2, at: 60.5), .came(1, at: 70.5), .went(1, at: 80.5), .came(3, at: 90.5)])
        #expect(try sentences(timeline([Self.pair[0], later]).0)[0].hasSuffix("that A made on \(Self.time(10.5))"))
    }

    @Test("explains a second record on a device that had the first by two spellings of the address")
    func spellings() throws {
        let other = Meters.address.lowercased()
        let b = Self.store(
            2, [Self.record(1, 1), Self.record(2, 2, address: other)], [.came(1, at: 20.5), .made(2, at: 60.5)])
        let a = Self.store(1, [Self.record(1, 1)], [.made(1, at: 10.5)])
        let sentence = try sentences(timeline([a, b]).0)[0]
        #expect(sentence.contains("although it had the one that A made"))
        #expect(sentence.hasSuffix("as \"\(Meters.address)\" and as \"\(other)\", which are two meters to the app"))
        let same = Self.store(2, [Self.record(1, 1), Self.record(2, 2)], [.came(1, at: 20.5), .made(2, at: 60.5)])
        #expect(try sentences(timeline([a, same]).0)[0].hasSuffix("; why, the histories do not say"))
    }

    @Test("says so where no history has the maker of a record")
    func unknownMakers() throws {
        let a = Self.store(1, [Self.record(1, 1), Self.record(2, 2)], [.came(1, at: 5.5), .made(2, at: 10.5)])
        let c = Self.store(3, [], [])
        #expect(
            try sentences(timeline([a, c]).0) == [
                "A made a record of this meter on \(Self.time(10.5)); on which device the other one was made, these "
                    + "histories do not say; to that device it came from CloudKit on \(Self.time(5.5)), before that"
            ])
        let b = Self.store(2, [Self.record(1, 1), Self.record(2, 2)], [.came(1, at: 5.5), .came(2, at: 6.5)])
        #expect(
            try sentences(timeline([b, c]).0) == [
                "these histories do not say on which device the records of this meter were made"
            ])
    }

    @Test("does not say who made a record that two copies of one store both have as their own")
    func copies() throws {
        let (timeline, _, _) = try timeline([Self.pair[0], Self.pair[0]])
        #expect(timeline.duplicates.isEmpty)
        #expect(timeline.entries.allSatisfy { $0.origin == nil })
        #expect(timeline.warnings.count == 1 && timeline.warnings[0].contains("are copies of one store"))
    }

    @Test("puts an imported update beside the save with the very same updatedAt, and nothing else")
    func updates() throws {
        let a = Self.store(1, [Self.record(1, 1)], [.made(1, at: 10.5), .changed(1, at: 30.5)])
        let b = Self.store(2, [Self.record(1, 1)], [.came(1, at: 20.5), .changed(1, isImport: true, at: 40.5)])
        #expect(try timeline([a, b]).0.entries[0].origin.map { [Int64($0.source), $0.transaction] } == [0, 2])
        let newer = Self.store(
            2, [Self.record(1, 1).with { $0.updatedAt = Self.start + 7 }],
            [.came(1, at: 20.5), .changed(1, isImport: true, at: 40.5)])
        #expect(try timeline([a, newer]).0.entries[0].origin == nil)
    }

    @Test("says that clocks differ where a record came before it was saved")
    func clocks() throws {
        let a = Self.store(1, [Self.record(1, 1)], [.made(1, at: 500.5)])
        let b = Self.store(2, [Self.record(1, 1)], [.came(1, at: 200.25)])
        let (timeline, _, _) = try timeline([a, b])
        #expect(
            timeline.warnings == [
                "the clock of \(timeline.sources[0].label) is ahead of that of \(timeline.sources[1].label), by at least 300.25 s"
            ])
    }

    @Test("shows as many changes as are asked for, counts all, and tells of the asked meter alone")
    func request() throws {
        let (limited, _, _) = try timeline(Self.pair) { $0.limit = 2 }
        #expect(limited.entries.count == 2 && limited.total == 3)
        #expect(limited.duplicates.count == 1)
        let (other, _, _) = try timeline(Self.pair) { $0.address = MACAddress(bits: 0xA4C1_380B_7E99) }
        #expect(other.entries.isEmpty && other.duplicates.isEmpty)
    }

    @Test("keeps the order of each history, whatever its clock says")
    func order() throws {
        let a = Self.store(1, [Self.record(1, 1)], [.made(1, at: 300.5), .changed(1, at: 30.5)])
        let b = Self.store(2, [Self.record(1, 2)], [.made(1, at: 100.5)])
        let entries = try timeline([a, b]).0.entries
        #expect(entries.filter { $0.source == 0 }.map(\.change.kind) == [.update, .insert])
    }
}
