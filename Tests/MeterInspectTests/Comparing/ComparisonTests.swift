import CoreDataStore
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@Suite("compare")
struct ComparisonTests {
    private static let now = FixtureClock.now

    private static func record(
        _ row: Int64, _ address: String?, _ name: String?, at updatedAt: Double = now - 1000
    ) -> FixtureRecord {
        FixtureRecord(row: row, macAddress: address, meterName: name).with {
            $0.id = FixtureUUID(UInt64(row)).bytes
            $0.updatedAt = updatedAt
        }
    }

    /// Compares two stores, and looks that neither is touched.
    private func compare(_ a: StoreFixture, _ b: StoreFixture) throws -> ComparisonReport {
        let folder = try TemporaryFolder()
        let paths = [
            try folder.store(a, named: "a.sqlite"), try folder.store(Self.ofAnotherDevice(b), named: "b.sqlite"),
        ]
        let before = try FolderSnapshot(folder.path)
        let report = try ComparisonReport.of(paths[0], paths[1], now: TestStore.now)
        #expect(try FolderSnapshot(folder.path) == before)
        return report
    }

    private func compare(_ a: [FixtureRecord], _ b: [FixtureRecord]) throws -> ComparisonReport {
        try compare(StoreFixture(records: a), StoreFixture(records: b))
    }

    @Test("finds a store equal to its copy, whatever its row numbers")
    func equal() throws {
        let records = [Meters.pair[0], Meters.healthy]
        let renumbered = records.map { record in record.with { $0.row += 40 } }
        let report = try compare(records, renumbered)
        #expect(report.isEqual)
        #expect(report.count(.equal) == 2)
        #expect(report.several == 0)
        #expect(report.meters.isEmpty)
        #expect(report.steps == [])
    }

    @Test("never finds a meter equal that has several records, whatever they have, and says what to run")
    func duplicates() throws {
        let records = Meters.pair + [Meters.healthy]
        let both = try compare(records, records)
        #expect(!both.isEqual)
        #expect(both.count(.equal) == 1 && both.count(.different) == 1)
        #expect(both.several == 1)
        let meter = try #require(both.meters.first)
        #expect(meter.differences.isEmpty && meter.isSameRecord == true && meter.hasSeveral)
        #expect(meter.a?.names == [nil, "Kitchen"] && meter.b?.names == [nil, "Kitchen"])
        #expect(
            both.steps.map { $0.text.description.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "`meterfix verify", "`meterfix fix", "then give",
            ])
        let one = try compare([Meters.pair[1], Meters.healthy], records)
        #expect(
            one.steps.compactMap(\.command?.description) == [
                "meterfix verify \(one.b.path)", "meterfix fix --dry-run --all \(one.b.path)",
            ])
        #expect(one.steps.count == 3)
    }

    @Test(
        "advises no second repair where one side is repaired, and its deletes reach the other",
        arguments: [true, false])
    func repaired(isFirst: Bool) throws {
        let fixture = StoreFixture(
            records: [(1, "7E:66"), (2, "7E:66"), (3, "7E:67")].map { (row: Int64, end: String) in
                Meters.other(row, "A4:C1:38:0B:" + end, "Meter \(row)", inCloudAs: "NAME-\(row)")
            }
        ).with { $0.mirror = .current }
        let (repaired, other) = (try TestStore(fixture), try TestStore(Self.ofAnotherDevice(fixture)))
        try repaired.change(WholeRepair())
        let stores = isFirst ? [repaired, other] : [other, repaired]
        let report = try ComparisonReport.of(stores[0].path, stores[1].path, now: TestStore.now)
        #expect(report.several == 1 && report.steps.map(\.kind) == [.openHereFirst, .thenOthers])
        #expect(report.steps[0].text.description.contains("the device of \(isFirst ? "A" : "B"), \(repaired.path)"))
    }

    @Test("lets a side sync first that has not downloaded since the other one deleted records, all uploaded by now")
    func repairedAndUploaded() throws {
        let fixture = StoreFixture(
            records: [(1, "7E:66"), (2, "7E:66"), (3, "7E:67")].map { (row: Int64, end: String) in
                Meters.other(row, "A4:C1:38:0B:" + end, "Meter \(row)", inCloudAs: "NAME-\(row)")
            }
        ).with {
            $0.mirror = .current
            $0.mirrorEvents = [MirrorEvent(.incoming, at: Self.now - 500)]
        }
        let (repaired, other) = (try TestStore(fixture), try TestStore(Self.ofAnotherDevice(fixture)))
        try repaired.change(WholeRepair())
        try repaired.uploadAll(ofStore: fixture.storeUUID)
        func steps() throws -> [Step] {
            try ComparisonReport.of(other.path, repaired.path, now: TestStore.now).steps
        }
        let first = try #require(try steps().first)
        #expect(first.kind == .syncAndClose && first.text.description.contains("repair nothing yet"))
        #expect(first.text.description.contains("the device of A, \(other.path)"))
        // Whatever is there after a later download is there for good.
        try other.execute("UPDATE ANSCKEVENT SET ZENDEDAT = \(Self.now + 60)")
        #expect(try steps().contains { $0.command?.description.contains("fix") == true })
    }

    @Test("says field by field what differs, which side wins and what that loses")
    func different() throws {
        let a = Self.record(1, "A0:00:00:00:00:01", "Kitchen").with { $0.tc66TemperatureUnit = "celsius" }
        let b = Self.record(9, "a0-00-00-00-00-01", "Lab", at: Self.now - 10).with { $0.id = a.id }
        let report = try compare([a], [b])
        let meter = try #require(report.meters.first)
        #expect(meter.outcome == .different)
        #expect(meter.differences.map(\.field.name) == ["macAddress", "meterName", "tc66TemperatureUnit", "updatedAt"])
        #expect(meter.equalFields == ["id"])
        #expect(meter.winner == .b)
        #expect(meter.losses.map(\.value) == [.text("Kitchen"), .text("celsius")])
        #expect(meter.losses.map(\.side) == [.a, .a])
        #expect(report.losing == 1)
        #expect(!report.isEqual)
    }

    @Test("of versions with the same date lets neither win, and says what is at stake")
    func tie() throws {
        let report = try compare(
            [Self.record(1, "A0:00:00:00:00:01", "Kitchen")],
            [Self.record(1, "A0:00:00:00:00:01", "Lab", at: Self.now - 1000 + 0.0004)])
        let meter = try #require(report.meters.first)
        #expect(meter.winner == nil)
        #expect(meter.differences.map(\.field.name) == ["meterName"])
        #expect(meter.losses.map(\.value) == [.text("Kitchen"), .text("Lab")])
        // Which of them is lost is up to the devices, so no command brings one back beforehand.
        #expect(meter.losses.map(\.first) == [.b, .a])
        #expect(!report.steps.isEmpty && !report.steps.contains { $0.text.description.hasPrefix("`meterfix set") })
    }

    @Test("loses nothing if the winner fills what was empty")
    func nothingLost() throws {
        let a = Self.record(1, "A0:00:00:00:00:01", " ")
        let report = try compare([a], [a.with { $0.meterName = "Lab" }.with { $0.updatedAt = Self.now }])
        #expect(report.meters.first?.winner == .b)
        #expect(report.meters.first?.losses == [])
        let silent = try compare([a.with { $0.updatedAt = nil }], [a])
        #expect(silent.meters.first?.winner == .b)
    }

    @Test("lists what only one side has")
    func onlyOne() throws {
        let report = try compare(
            [Self.record(1, "A0:00:00:00:00:01", "Kitchen"), Self.record(2, "A0:00:00:00:00:03", "Lab")],
            [Self.record(1, "A0:00:00:00:00:02", "Attic"), Self.record(2, "A0:00:00:00:00:03", "Lab")])
        #expect(report.meters.map(\.outcome) == [.onlyA, .onlyB])
        #expect(report.count(.equal) == 1)
        #expect(report.meters.allSatisfy { $0.losses.isEmpty && $0.winner == nil })
    }

    @Test("compares the record that a rebuild would keep, and names a meter with several")
    func several() throws {
        let named = Self.record(1, "A0:00:00:00:00:01", "Kitchen")
        let nameless = Self.record(2, "a00000000001", nil, at: Self.now)
        let report = try compare([nameless, named], [named])
        let meter = try #require(report.meters.first)
        #expect(meter.outcome == .different)
        #expect(meter.differences.isEmpty)
        #expect(meter.a?.rows == [1, 2])
        #expect(meter.a?.record.row == 1)
        #expect(report.several == 1)
        #expect(report.losing == 0)
    }

    @Test("distinguishes two records of a meter from the same one, by CloudKit's names before ids")
    func identity() throws {
        func same(_ a: FixtureRecord, _ b: FixtureRecord) throws -> MeterComparison {
            func fixture(_ record: FixtureRecord) -> StoreFixture {
                StoreFixture(records: [record]).with { $0.mirror = .current }
            }
            let report = try compare(fixture(a.with { $0.meterName = "A" }), fixture(b.with { $0.meterName = "B" }))
            return try #require(report.meters.first)
        }
        let record = Self.record(1, "A0:00:00:00:00:01", nil)
        let other = record.with { $0.id = FixtureUUID(2).bytes }
        #expect(try same(record, record).isSameRecord == true)
        #expect(try same(record, other).isSameRecord == false)
        #expect(try same(record, other.with { $0.id = nil }).isSameRecord == nil)
        let inCloud = [record, record, other].enumerated().map { index, record in
            record.with { $0.cloudRecordName = FixtureUUID(index == 1 ? 8 : 7).text }
        }
        #expect(try same(inCloud[0], inCloud[1]).isSameRecord == false)
        #expect(try same(inCloud[0], inCloud[2]).isSameRecord == true)
        // Equal values, but two records: not equal.
        let mirrored = inCloud.map { record in StoreFixture(records: [record]).with { $0.mirror = .current } }
        #expect(try !compare(mirrored[0], mirrored[1]).isEqual)
    }

    private static func ofAnotherDevice(_ fixture: StoreFixture) -> StoreFixture {
        fixture.with { $0.storeUUID = FixtureUUID(9).text }
    }

    @Test("knows two copies of one store, says nothing of what syncing does, and asks for the later one to be verified")
    func copies() throws {
        let fixture = StoreFixture(records: Meters.pair + [Meters.healthy]).with { $0.mirror = .current }
        let (older, later) = (try TestStore(fixture), try TestStore(fixture))
        try later.rebuild()
        for isFirst in [true, false] {
            let stores = isFirst ? [older, later] : [later, older]
            let report = try ComparisonReport.of(stores[0].path, stores[1].path, now: TestStore.now)
            #expect(
                report.copies?.older == (isFirst ? .a : .b) && report.areCopies && !report.forecasts
                    && report.losing == 0)
            #expect(report.steps.map(\.text.description) == ["`meterfix verify \(later.path)`"])
        }
        // meterfix has changed each of them without the other's changes.
        try older.change(
            DeletePlanner(row: 3, force: true), at: Timestamp(secondsSince2001: TestStore.now.secondsSince2001 + 60))
        let both = try ComparisonReport.of(older.path, later.path, now: TestStore.now)
        let copies = try #require(both.copies)
        #expect(copies.older == nil && copies.isChangedByMeterfix && both.steps.first?.kind == .stop)
    }

    @Test("says which records go because the other side has deleted them, and what that loses")
    func deleted() throws {
        let records = [(1, "01"), (2, "01"), (3, "02")].map { (row: Int64, end: String) in
            Self.record(row, "A0:00:00:00:00:" + end, "Meter \(row)").with { $0.cloudRecordName = "NAME-\(row)" }
        }
        let fixture = StoreFixture(records: records).with {
            $0.mirror = .current
            $0.historyToken = .lastExported
        }
        let (store, other) = (try TestStore(fixture), try TestStore(Self.ofAnotherDevice(fixture)))
        try store.rebuild()
        var report = try ComparisonReport.of(store.path, other.path, now: TestStore.now)
        let rebuilt = try #require(report.meters.first)
        #expect(rebuilt.b?.goes.map(\.row) == [2])
        #expect(rebuilt.b?.record.row == 1)
        #expect(rebuilt.going == nil)
        #expect(rebuilt.losses.map { "\($0.value.text ?? "") \($0.side)" } == ["Meter 2 b"])
        // One that is deleted as a whole.
        try store.change(DeletePlanner(row: 3, force: true))
        report = try ComparisonReport.of(other.path, store.path, now: TestStore.now)
        let gone = try #require(report.meters.last)
        #expect(gone.outcome == .onlyA)
        #expect(gone.going == .a)
        #expect(gone.losses.map { "\($0.value.text ?? "") \($0.side)" } == ["Meter 3 a"])
        #expect(report.losing == 2)
    }

    @Test("compares no field that only one side can have, and names it")
    func layouts() throws {
        let record = Self.record(1, "A0:00:00:00:00:01", "Lab").locked(by: .anasPhone, at: Self.now - 60)
        let blob = StoreFixture(records: [record]).with {
            $0.lockEncoding = .blob
            $0.extraAttributes = [Attribute("note", .string)]
        }
        let report = try compare(StoreFixture(records: [record]), blob)
        #expect(report.isEqual)
        #expect(report.fieldsOnlyA.contains("connectedAt"))
        #expect(report.fieldsOnlyB == ["connectionMetadata", "discoveryMetadata", "note"])
    }

    @Test("counts records that cannot be matched, and is not equal if their numbers differ")
    func withoutAddress() throws {
        let meter = Self.record(1, "A0:00:00:00:00:01", "Lab")
        let hidden = Self.record(2, "02:00:00:00:00:00", "Hidden")
        #expect(try compare([meter, hidden], [meter, hidden]).isEqual)
        let report = try compare([meter, hidden], [meter])
        #expect(report.meters.isEmpty && !report.isEqual)
        #expect([report.a.withoutUsableAddress, report.b.withoutUsableAddress] == [1, 0])
    }

    @Test(
        "says the same the other way round, and finds nothing between a store and itself but its duplicates",
        arguments: UInt64(1)...12)
    func mirrored(_ seed: UInt64) throws {
        let stores = [seed, seed + 1000].map { StoreFixture(records: RandomStores.records(seed: $0)) }
        let there = try compare(stores[0], stores[1])
        let back = try compare(stores[1], stores[0])
        #expect(there.isEqual == back.isEqual)
        #expect(there.count(.onlyA) == back.count(.onlyB))
        #expect(there.count(.equal) == back.count(.equal))
        #expect(there.meters.map(\.address) == back.meters.map(\.address))
        for (left, right) in zip(there.meters, back.meters) {
            #expect(left.winner == right.winner.map { $0 == .a ? .b : .a })
            #expect(Set(left.differences.map(\.field.name)) == Set(right.differences.map(\.field.name)))
            #expect(left.losses.count == right.losses.count)
            #expect(left.isSameRecord == right.isSameRecord)
        }
        let itself = try compare(stores[0], stores[0])
        #expect(itself.isEqual == (itself.several == 0))
        #expect(itself.meters.count == itself.several)
        #expect(itself.meters.allSatisfy { $0.hasSeveral && $0.differences.isEmpty && $0.losses.isEmpty })
    }

    @Test("refuses what is no store, such as JSON")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store(StoreFixture(records: [Meters.healthy]))
        try FileBytes.write(Array("{\"records\": []}".utf8), to: folder.path + "/text")
        func kind(_ a: String, _ b: String) throws -> StoreError.Kind {
            try #require(throws: StoreError.self) { try ComparisonReport.of(a, b, now: TestStore.now) }.kind
        }
        #expect(try kind(store, folder.path + "/missing") == .notFound)
        #expect(try kind(folder.path + "/missing", store) == .notFound)
        #expect(try kind(folder.path + "/text", store) == .damaged)
        #expect(try kind(store, folder.path + "/text") == .damaged)
        #expect(try kind(store, folder.path) == .damaged)
    }
}
