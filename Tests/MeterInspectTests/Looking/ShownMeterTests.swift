import CoreDataStore
import MeterInspect
import MeterJournal
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("show")
struct ShownMeterTests {
    private func show(_ reference: RecordReference, in store: TestStore) throws -> ShownMeter {
        try store.looking { try ShownMeter.of(reference, in: store.path, folder: nil, now: TestStore.now) }
    }

    private func show(_ word: String, in store: TestStore) throws -> ShownMeter {
        try show(.meter(MeterReference(word)), in: store)
    }

    private static let mirrored = StoreFixture(records: Meters.pair + [Meters.healthy]).with {
        $0.mirror = .current
        for index in $0.records.indices { $0.records[index].cloudRecordName = "RECORD-\($0.records[index].row)" }
        $0.records[0].needsUpload = true
    }

    @Test("says what a rebuild then does, record for record")
    func rebuild() throws {
        let store = try TestStore(Self.mirrored)
        let details = try show(Meters.address, in: store).details
        let merge = try #require(details.merge)
        #expect(details.records.map(\.row) == [merge.winner.row] + merge.losers.map(\.row))
        #expect(details.records.count == 2)
        let expected = details.valuesAfterRebuild
        try store.rebuild()
        let after = try show(Meters.address, in: store).details
        #expect(after.records.map(\.row) == [merge.winner.row])
        #expect(after.records[0].record.values.elementsEqual(expected.values))
        #expect(after.name == details.name)
        #expect(after.next == nil)
    }

    @Test("of a row shows all records of its meter, and of a name too")
    func references() throws {
        let store = try TestStore(Self.mirrored)
        let rows = try show(Meters.address, in: store).details.records.map(\.row)
        for row in rows { #expect(try show(.row(row), in: store).details.records.map(\.row) == rows) }
        #expect(try show("kitchen", in: store).details.records.map(\.row) == rows)
        let error = try #require(throws: StoreError.self) { try show(.row(4_711), in: store) }
        #expect(error.kind == .unsuitable)
        #expect(error.message == "no record in row 4711")
    }

    @Test(
        "of a record without a usable address shows that record alone",
        arguments: [nil, "", "02:00:00:00:00:00", "UM34C"])
    func withoutAddress(address: String?) throws {
        let strange = [8, 9].map { FixtureRecord(row: $0, macAddress: address, meterName: "Shed") }
        let store = try TestStore(StoreFixture(records: Meters.pair + strange))
        let details = try show(.row(9), in: store).details
        #expect(details.address == nil)
        #expect(details.records.map(\.row) == [9])
        #expect(details.merge == nil)
        #expect(details.valuesAfterRebuild.values.elementsEqual(details.records[0].record.values))
    }

    @Test("says of each record what the mirror knows and what waits")
    func mirror() throws {
        let store = try TestStore(Self.mirrored)
        let records = try show(Meters.address, in: store).details.records
        let flagged = try #require(records.first { $0.row == Self.mirrored.records[0].row })
        #expect(flagged.known.map(\.recordName) == ["RECORD-\(flagged.row)"])
        #expect(flagged.known.map(\.zone) == ["com.apple.coredata.cloudkit.zone"])
        #expect(flagged.waiting?.waiting.reason == .flag)
        #expect(records.filter { $0.row != flagged.row }.allSatisfy { $0.waiting == nil && $0.known.count == 1 })
        try store.change(SetPlanner(MACAddress.parse(Meters.healthy.macAddress!)!.0, name: "Roof", unit: nil))
        let changed = try show(.row(Meters.healthy.row), in: store).details.records[0]
        #expect(changed.waiting?.waiting.reason == .history)
        #expect(changed.waiting?.fields == ["meterName", "updatedAt"])
        // Damage: two rows of record metadata for one object.
        try store.execute(
            """
            DROP INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK;
            UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = \(Meters.healthy.row)
            """)
        #expect(try show(.row(Meters.healthy.row), in: store).details.records[0].known.count == 3)
    }

    @Test("names the most urgent thing to do")
    func next() throws {
        func next(_ record: FixtureRecord) throws -> String? {
            let store = try TestStore(StoreFixture(records: [record]))
            return try show(.row(record.row), in: store).details.next?.description.replacing(store.path, with: "STORE")
        }
        let named = FixtureRecord(row: 1, macAddress: Meters.address, meterName: "Kitchen")
        #expect(try next(named) == nil)
        #expect(try next(named.with { $0.macAddress = "a4c1380b7e21" }) == "meterfix rebuild STORE")
        #expect(try next(named.with { $0.meterName = "iPad" }) == "meterfix set \(Meters.address) --name NAME STORE")
        #expect(try next(named.with { $0.meterName = nil }) == "meterfix set \(Meters.address) --name NAME STORE")
        #expect(
            try next(named.with { $0.connectedByDeviceName = "Ana's iPhone" })
                == "meterfix unlock \(Meters.address) STORE")
        let unused = named.locked(by: .anasPhone, at: FixtureClock.now - 60)
        #expect(try next(unused) == nil)
        #expect(try next(unused.with { $0.connectedExpiryAt = FixtureClock.now + 1e7 })?.contains("unlock") == true)
    }

    @Test("lists the backups of changes of this meter, and whether they were undone")
    func backups() throws {
        let store = try TestStore(StoreFixture(records: Meters.pair + [Meters.healthy]))
        #expect(try show(Meters.address, in: store).backups.isEmpty)
        var options = ChangeOptions(now: TestStore.now)
        _ = try ChangeRun.run(
            SetPlanner(MACAddress.parse(Meters.healthy.macAddress!)!.0, name: "Roof", unit: nil), on: store.path,
            options: options)
        #expect(try show(Meters.address, in: store).backups.isEmpty)
        #expect(try show("Roof", in: store).backups.map(\.journal.command) == ["set"])
        options.now = Timestamp(secondsSince2001: FixtureClock.now + 60)
        _ = try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: store.path, options: options)
        let rebuilt = try #require(try show(Meters.address, in: store).backups.first)
        #expect(rebuilt.isInStore)
        #expect(rebuilt.journal.command == "rebuild")
        #expect(try show("Roof", in: store).backups.count == 1)
    }
}
