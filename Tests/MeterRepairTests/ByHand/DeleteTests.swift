import CoreDataStore
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("delete")
struct DeleteTests {
    /// Row 8 has nothing that anybody needs, row 9 a name, row 5 is the record of a meter, and rows 3 and 7 of another.
    private static let fixture = StoreFixture(
        records: Meters.pair + [
            Meters.healthy, stray(8),
            stray(9).with {
                $0.macAddress = "02:00:00:00:00:00"
                $0.meterName = "Salon"
            },
        ]
    ).with {
        $0.mirror = .current
        for index in $0.records.indices { $0.records[index].cloudRecordName = FixtureUUID(UInt64(index)).text }
    }

    private static func stray(_ row: Int64) -> FixtureRecord {
        FixtureRecord(row: row, macAddress: nil).with {
            $0.id = FixtureUUID(UInt64(row)).bytes
            $0.createdAt = FixtureClock.now - 500.5
            $0.updatedAt = FixtureClock.now - 400.5
            $0.lastSeenByDeviceName = "Ana's iPhone"
        }
    }

    @discardableResult
    private func delete(
        _ row: Int64, _ store: TestStore, force: Bool = false, _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) throws(StoreError) -> ChangeReport { try store.change(DeletePlanner(row: row, force: force), adjust) }

    @Test("takes one record out, here and by the history in CloudKit, and nothing else")
    func deleted() throws {
        let store = try TestStore(Self.fixture)
        let (before, cells) = (try store.text(), try store.cells())
        let report = try delete(8, store)
        #expect(report.outcome == .applied)
        #expect((report.summary.deleted, report.summary.unchanged, report.plan.cloud.deletes) == (1, 4, 1))
        #expect(report.plan.notes == [])
        #expect(try store.cells() == cells.filter { $0.key != 8 })
        #expect(try OrphanFixTests.lastTransaction(store) == ["2 1 8 NULL"])
        let after = try store.text()
        #expect(after.isIntact && after.statements == before.statements)
        let written = ["ZDEVICESETTINGS", "Z_PRIMARYKEY", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
        for (table, rows) in before.tables where !written.contains(table) {
            #expect(after[table: table] == rows, "\(table)")
        }
        // It waits, and is no orphan.
        #expect(try !store.findings().contains("mirror-orphan"))
        let error = #expect(throws: StoreError.self) { try delete(8, store) }
        #expect(error?.kind == .unsuitable && error?.message == "no record in row 8")
    }

    @Test(
        "refuses what somebody may miss, says what, and does it by force:",
        arguments: [
            (9, "row 9 has values that may be nowhere else: meterName \"Salon\"", "meterfix set --row 9 --address MAC"),
            (5, "row 5 is the record of the meter A4:C1:38:0B:7E:99", "delete the meter in the app"),
            (3, "row 3 is a record of the meter A4:C1:38:0B:7E:21", "meterfix rebuild"),
        ] as [(Int64, String, String)])
    func refused(row: Int64, message: String, hint: String) throws {
        let store = try TestStore(Self.fixture)
        let error = try store.refusal { try delete(row, store) }
        #expect(error.kind == .unsuitable && error.message == message)
        #expect(error.hint?.contains(hint) == true && error.hint?.contains("--force") == true)
        let report = try delete(row, store, force: true)
        #expect(report.outcome == .applied && report.plan.notes.count == 1)
        #expect(try store.cells()[row] == nil)
    }

    @Test("also refuses a value of an attribute that meterfix does not know")
    func unknown() throws {
        let store = try TestStore(
            Self.fixture.with { $0.extraAttributes = [Attribute("note", .string)] }
                .damaged("UPDATE ZDEVICESETTINGS SET ZNOTE = 'mine' WHERE Z_PK = 8"))
        let error = #expect(throws: StoreError.self) { try delete(8, store) }
        #expect(error?.message.contains("note \"mine\"") == true)
    }

    @Test("is undone byte for byte, and the record alone comes back by its row")
    func back() throws {
        let store = try TestStore(Self.fixture)
        let (before, cells) = (try store.files(), try store.cells())
        try delete(8, store) { $0.makesBackup = true }
        let merged = try MergedRecords.of(nil, in: store.path, folder: nil, now: TestStore.now)
        #expect(merged.records.map(\.row) == [8] && merged.records[0].mergedInto == nil)
        let meter = try #require(MACAddress.parse(Meters.address)?.0)
        #expect(try MergedRecords.of(meter, in: store.path, folder: nil, now: TestStore.now).records.isEmpty)
        var options = ChangeOptions(now: TestStore.now)
        options.makesBackup = false
        let dry = try TestStore(Self.fixture)
        #expect(throws: StoreError.self) {
            try RestoreRecord.run(nil, on: dry.path, row: 8, entry: nil, options: options)
        }
        #expect(try RestoreRecord.run(nil, on: store.path, row: 8, entry: nil, options: options).outcome == .applied)
        var restored = cells
        let deleted = restored.removeValue(forKey: 8)
        var row = try #require(deleted)
        row["Z_PK"] = "10"
        restored[10] = row
        #expect(try store.cells() == restored)
        #expect(try RestoreRecord.run(nil, on: store.path, row: 8, entry: nil, options: options).outcome == .unchanged)
        #expect(try store.undo { $0.force = true }.outcome == .applied)
        #expect(try store.files() == before)
    }

    @Test("is the cure that verify names where nothing in the record is needed")
    func cure() throws {
        let store = try TestStore(Self.fixture)
        func cures() throws -> [String?] {
            try store.found("mac-missing", "mac-placeholder").map(\.cure.description)
        }
        let found = try cures()
        #expect(found.first == "meterfix delete --row 8 \(store.path)")
        #expect(found.last??.hasPrefix("row 9 has meterName \"Salon\"; if that shows which meter it is: ") == true)
        try delete(8, store)
        #expect(try cures().count == 1)
    }

    @Test(
        "is proven: no other row, and a history that says so",
        arguments: [
            "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 9", "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'x' WHERE Z_PK = 5",
            "UPDATE ACHANGE SET ZENTITYPK = 9 WHERE Z_PK = (SELECT MAX(Z_PK) FROM ACHANGE)",
        ])
    func proven(mistake: String) throws {
        try FaultyPlanner(DeletePlanner(row: 8, force: false), mistake: mistake, moment: .history)
            .expectCaught(in: Self.fixture, "\(mistake)")
    }
}
