import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("undo changes nothing")
struct UndoRefusalTests {
    private func changed() throws -> (store: TestStore, entry: String) {
        let store = try TestStore(UndoTests.fixture)
        return (store, try #require(try store.rebuild { $0.makesBackup = true }.backup))
    }

    @Test("where the store has changed since the change, unless it is forced")
    func stale() throws {
        let store = try TestStore(UndoTests.fixture)
        let before = try store.files()
        try store.rebuild { $0.makesBackup = true }
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 5")
        let moved = try store.snapshot()
        #expect(try store.undo().outcome == .stale)
        #expect(try store.snapshot().hasSameBytes(as: moved))
        let report = try store.undo { $0.force = true }
        #expect(report.outcome == .applied)
        #expect(try store.files() == before)
        // What was lost by force can be brought back.
        #expect(try store.undo(redoes: true).outcome == .applied)
        #expect(try store.column("ZMETERNAME").contains("5: 'Garage'"))
    }

    @Test("nor in the files of a store that a process was killed in, which SQLite would mend as soon as it is opened")
    func staleWithJournal() throws {
        let store = try TestStore(UndoTests.fixture.with { $0.journalMode = .delete })
        try store.rebuild { $0.makesBackup = true }
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 5")
        let text = try store.text()
        try TestStore.leaveJournal(beside: store.path)
        #expect(try store.text() == text)
        let before = try store.snapshot()
        #expect(try store.undo().outcome == .stale)
        #expect(try store.snapshot().hasSameBytes(as: before))
    }

    @Test("where what it would save first is damaged, unless nothing is to be saved")
    func damagedStore() throws {
        let store = try TestStore(UndoTests.fixture)
        try store.rebuild { $0.makesBackup = true }
        try store.execute(
            """
            CREATE TABLE x (a); INSERT INTO x VALUES (NULL); PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = 'CREATE TABLE x (a NOT NULL)' WHERE name = 'x'
            """)
        let before = try store.snapshot()
        let error = #expect(throws: StoreError.self) { try store.undo { $0.force = true } }
        #expect(error?.kind == .inputOutput)
        #expect(try store.snapshot().hasSameBytes(as: before))
        let report = try store.undo {
            $0.force = true
            $0.makesBackup = false
        }
        #expect(report.outcome == .applied)
    }

    @Test("and says which rows moved since a rebuild, an import and a restored record, and no other")
    func movedRows() throws {
        let store = try TestStore(
            UndoTests.fixture.with {
                $0.logPlacement = .rowsInLogOnly
                $0.marker = nil
            })
        func expectMoved(_ row: Int) throws {
            let name = try #require(try store.column("ZMETERNAME").first { $0.hasPrefix("\(row): ") })
            try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = \(row)")
            let report = try store.undo()
            #expect(report.outcome == .stale)
            let moved = try #require(report.moved)
            #expect(moved.count == 1)
            #expect(moved.first?.row == Int64(row))
            #expect(moved.first?.fields.map(\.field.name) == ["ZMETERNAME"])
            #expect(moved.first?.fields.first?.after == .text("Garage"))
            let value = name.dropFirst("\(row): ".count)
            try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = \(value) WHERE Z_PK = \(row)")
            #expect(try store.undo { $0.isDryRun = true }.outcome == .planned)
        }
        try store.rebuild { $0.makesBackup = true }
        try expectMoved(7)
        var options = ChangeOptions(now: Timestamp(secondsSince2001: FixtureClock.now + 0.123))
        let address = try #require(MACAddress.parse(Meters.address)).0
        _ = try RestoreRecord.run(address, on: store.path, row: nil, entry: nil, options: options)
        try expectMoved(8)
        options.now = TestStore.now
        let planner = ImportPlanner(
            LegacyValues([
                DumpEntry(dictionary: .meterNames, key: "A4:C1:38:00:00:01", value: .text("Attic")),
                DumpEntry(dictionary: .temperatureUnits, key: "A4:C1:38:0B:7E:99", value: .text("celsius")),
            ]), sha256: String(repeating: "0", count: 64), policy: .keep)
        _ = try LegacyImport.run(planner, on: store.path, creates: false, options: options)
        try expectMoved(9)
        #expect(try store.undo().outcome == .applied)
        #expect(try store.undo().outcome == .applied)
        #expect(try store.undo().outcome == .applied)
    }

    @Test("where an undo is to be taken back and the store moved on, and says which rows did")
    func staleRedo() throws {
        let (store, _) = try changed()
        try store.undo()
        try store.execute(
            """
            UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 5;
            DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 3;
            INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT) VALUES (9, 1, 1);
            """)
        let report = try store.undo(redoes: true)
        #expect(report.outcome == .stale)
        let moved = try #require(report.moved)
        #expect(moved.map(\.table) == Array(repeating: "ZDEVICESETTINGS", count: 3))
        #expect(moved.map(\.row) == [3, 5, 9])
        #expect(moved.map(\.kind) == [.removed, .changed, .added])
        #expect(moved[1].fields.map(\.field.name) == ["ZMETERNAME"])
        #expect(moved[1].fields.map(\.before) == [.text("Lab")])
        #expect(moved[1].fields.map(\.after) == [.text("Garage")])
    }

    @Test("where the backups are of another store")
    func foreign() throws {
        let (store, _) = try changed()
        try store.execute("UPDATE Z_METADATA SET Z_UUID = 'another'")
        let error = try store.refusal { try store.undo() }
        #expect(error.kind == .unsuitable)
        #expect(error.message.contains(StoreFixture().storeUUID))
    }

    @Test("and finds its own entry in a folder that several stores share")
    func shared() throws {
        let folder = try TemporaryFolder()
        let stores = try [1, 2].map { number in
            try TestStore(UndoTests.fixture.with { $0.storeUUID = FixtureUUID(UInt64(number)).text })
        }
        let before = try stores.map { try $0.files() }
        for store in stores {
            try store.rebuild {
                $0.makesBackup = true
                $0.backupFolder = folder.path
            }
        }
        for (store, files) in zip(stores, before) {
            #expect(try store.undo { $0.backupFolder = folder.path }.outcome == .applied)
            #expect(try store.files() == files)
        }
    }

    @Test("where the backup is damaged", arguments: ["missing", "shorter", "other byte", "no journal", "not JSON"])
    func damaged(_ damage: String) throws {
        let (store, entry) = try changed()
        let copy = entry + "/CKModel.sqlite"
        var bytes = try FileBytes.read(copy)
        switch damage {
        case "missing": try FileManager.default.removeItem(atPath: copy)
        case "shorter": try FileBytes.write(Array(bytes.dropLast(4096)), to: copy)
        case "other byte":
            // One that is part of a value: others need not matter.
            bytes[try #require(bytes.firstRange(of: Array("Kitchen".utf8))).lowerBound] ^= 1
            try FileBytes.write(bytes, to: copy)
        case "no journal": try FileManager.default.removeItem(atPath: entry + "/journal.json")
        default: try FileBytes.write(Array("{".utf8), to: entry + "/journal.json")
        }
        let before = try store.snapshot()
        let items = try ChangeHistory.of(store.path, folder: nil, now: TestStore.now).items
        #expect(items.map(\.isDamaged) == [true] && items.map(\.state) == [.done])
        if damage == "no journal" {
            #expect(try store.undo().outcome == .unchanged)
        } else {
            let error = #expect(throws: StoreError.self) { try store.undo() }
            #expect(error?.kind == .damaged)
            #expect(error?.path == entry)
        }
        #expect(try store.snapshot().hasSameBytes(as: before))
    }
}
