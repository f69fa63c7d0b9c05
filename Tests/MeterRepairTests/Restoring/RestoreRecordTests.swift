import CoreDataStore
import Foundation
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@Suite("restore-record")
struct RestoreRecordTests {
    private static let address = MACAddress.parse(Meters.address)!.0
    private static let columns = ["Z_ENT", "ZID", "ZMACADDRESS", "ZMETERNAME", "ZCREATEDAT", "ZUPDATEDAT", "ZNOTE"]

    private static let fixture = StoreFixture(
        records: [Meters.pair[0].with { $0.extra = ["note": "fuse replaced", "color": 4] }, Meters.pair[1]]
    ).with { $0.extraAttributes = [Attribute("color", .integer16), Attribute("note", .string)] }

    private func rebuilt(_ fixture: StoreFixture = Self.fixture) throws -> TestStore {
        let store = try TestStore(fixture)
        try store.rebuild { $0.makesBackup = true }
        return store
    }

    @discardableResult
    private func restore(
        _ store: TestStore, row: Int64? = nil, entry: String? = nil, dryRun: Bool = false
    ) throws -> ChangeReport {
        var options = ChangeOptions(now: TestStore.now)
        options.isDryRun = dryRun
        return try RestoreRecord.run(Self.address, on: store.path, row: row, entry: entry, options: options)
    }

    private func values(_ store: TestStore, of row: Int) throws -> [String] {
        try Self.columns.map { column in
            try #require(try store.column(column).first { $0.hasPrefix("\(row): ") }).replacing("\(row): ", with: "")
        }
    }

    @Test("says which record the next rebuild keeps, and whose value wins")
    func outlook() throws {
        let store = try rebuilt(
            StoreFixture(records: [Meters.pair[0], Meters.pair[1].with { $0.meterName = "Kitchen charger" }]))
        let note = try #require(try restore(store, dryRun: true).plan.notes.first)
        #expect(
            note.hasSuffix(
                ": the next rebuild keeps row 7 and merges row 8 into it; of meterName, \"Kitchen charger\" of row 7 wins over \"Kitchen\" of row 8"
            ), "\(note)")
        // And so it does.
        try restore(store)
        let plan = try store.rebuild().plan
        #expect(plan.discarded.map(\.value) == [.text("Kitchen")])
        #expect(plan.discarded.map(\.row) == [8])
    }

    @Test("brings the record back as a new row with every value it had, and its history")
    func values() throws {
        let original = try TestStore(Self.fixture)
        let before = try values(original, of: 3)
        let store = try rebuilt()
        let report = try restore(store)
        #expect(report.outcome == .applied)
        #expect(report.summary.inserted == 1)
        #expect(try values(store, of: 8) == before)
        #expect(try store.column("Z_OPT").last == "8: 1")
        let text = try store.text()
        #expect(text.isIntact)
        #expect(text[table: "Z_PRIMARYKEY"].contains("1,'DeviceSettings',0,8"))
        #expect(text[table: "ACHANGE"].last?.contains(",0,1,8,") == true)
        #expect(
            report.plan.notes == [
                "the meter now has 2 records, which verify reports as duplicate-mac: the next rebuild keeps row 7 and merges row 8 into it, and no value the user typed is discarded"
            ])
        #expect(report.findings.map(\.id).contains("duplicate-mac"))
    }

    @Test("does nothing the second time, and a rebuild merges the record again")
    func again() throws {
        let store = try rebuilt()
        let merged = try store.text()
        try restore(store)
        #expect(try restore(store).outcome == .unchanged)
        #expect(try store.rebuild { $0.makesBackup = true }.summary.deleted == 1)
        #expect(try store.text()[table: "ZDEVICESETTINGS"].count == merged[table: "ZDEVICESETTINGS"].count)
        // Now two backups have one; the last one is taken.
        let records = try MergedRecords.of(Self.address, in: store.path, folder: nil, now: TestStore.now).records
        #expect(records.map(\.row) == [8, 3])
        #expect(try restore(store).plan.changeCount == 1)
    }

    @Test("takes the row or the entry it is told")
    func choice() throws {
        let third = FixtureRecord(row: 4, macAddress: Meters.address, meterName: "Cellar").with {
            $0.id = FixtureUUID(4).bytes
            $0.updatedAt = FixtureClock.now - 5000.5
        }
        let store = try rebuilt(Self.fixture.with { $0.records.append(third) })
        let records = try MergedRecords.of(Self.address, in: store.path, folder: nil, now: TestStore.now).records
        #expect(records.map(\.row) == [3, 4])
        #expect(records.map(\.mergedInto) == [7, 7])
        try restore(store, row: 4, entry: records[0].entry)
        #expect(try store.column("ZMETERNAME").last == "8: 'Cellar'")
        let error = #expect(throws: StoreError.self) { try restore(store, row: 99) }
        #expect(error?.kind == .unsuitable)
    }

    @Test("gives the record another id where its own is in use")
    func identity() throws {
        let store = try rebuilt()
        try store.execute(
            "INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZID) SELECT 8, 1, 1, X'\(FixtureUUID(3).bytes.hex)'")
        try restore(store)
        let ids = try store.column("ZID")
        let values: [Substring] = ids.map { $0.split(separator: ":")[1] }
        #expect(Set(values).count == 3)
        #expect(try store.column("ZNOTE").last == "9: 'fuse replaced'")
        #expect(try restore(store).outcome == .unchanged)
    }

    @Test("in a dry run plans the same and leaves no trace")
    func dryRun() throws {
        let store = try rebuilt()
        let planned = try store.looking { try restore(store, dryRun: true) }
        #expect(planned.outcome == .planned)
        #expect(try restore(store).plan == planned.plan)
    }

    @Test("is refused where the record is in the store, where there is no backup, and where schema v1 forbids it")
    func refused() throws {
        let undone = try rebuilt()
        try undone.undo()
        #expect(throws: StoreError.self) { try restore(undone) }
        let bare = try TestStore(Self.fixture)
        try bare.rebuild()
        let none = #expect(throws: StoreError.self) { try restore(bare) }
        #expect(none?.message.contains("has a deleted record of \(Meters.address)") == true)
        let first = StoreFixture(
            .v1,
            records: [
                Meters.pair[0].with { $0.macAddress = Meters.address.lowercased() }, Meters.pair[1], Meters.healthy,
            ])
        let old = try rebuilt(first)
        // Another spelling of the address is another one to the constraint.
        #expect(try restore(old).outcome == .applied)
        let constrained = try rebuilt(first)
        try constrained.execute(
            "UPDATE ZDEVICESETTINGS SET ZMACADDRESS = '\(Meters.address.lowercased())' WHERE Z_PK = 7")
        let before = try constrained.files()
        let error = #expect(throws: StoreError.self) { try restore(constrained) }
        #expect(error?.kind == .unsuitable)
        #expect(try constrained.files() == before)
    }

    @Test("is refused where the store has no place for one of the values")
    func noPlace() throws {
        let store = try rebuilt()
        let plain = try TestStore(StoreFixture())
        try store.execute(
            """
            ALTER TABLE ZDEVICESETTINGS DROP COLUMN ZNOTE;
            ATTACH '\(plain.path)' AS plain;
            UPDATE Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM plain.Z_METADATA);
            UPDATE Z_MODELCACHE SET Z_CONTENT = (SELECT Z_CONTENT FROM plain.Z_MODELCACHE)
            """)
        let error = #expect(throws: StoreError.self) { try restore(store) }
        #expect(error?.message.contains("no attribute note") == true)
    }

    @Test("can be undone like every change")
    func undone() throws {
        let store = try rebuilt()
        let before = try store.files()
        try restore(store)
        #expect(try store.undo().outcome == .applied)
        #expect(try store.files() == before)
    }
}

extension [UInt8] {
    fileprivate var hex: String { Hexadecimal.text(of: self) }
}
