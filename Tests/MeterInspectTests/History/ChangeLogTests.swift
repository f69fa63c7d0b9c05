import CoreDataStore
import Foundation
import GRDB
import JSON
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import MeterJournal

@Suite("log")
struct ChangeLogTests {
    private static let kitchen = "A4:C1:38:0B:7E:21"
    static let lab = "A4:C1:38:0B:7E:99"

    /// Rows 3 and 7 of one meter, and row 9 of another, inserted by transactions 1, 2 and 3.
    static let fixture = StoreFixture(records: Meters.pair + [Meters.healthy.with { $0.row = 9 }])

    func log(_ store: TestStore, _ adjust: (inout ChangeLog.Request) -> Void = { _ in }) throws -> ChangeLog {
        var request = ChangeLog.Request()
        adjust(&request)
        return try store.looking { try ChangeLog.of(store.path, request, now: TestStore.now) }
    }

    func log(_ fixture: StoreFixture, _ adjust: (inout ChangeLog.Request) -> Void = { _ in }) throws
        -> ChangeLog
    { try log(TestStore(fixture), adjust) }

    static func address(_ text: String) throws -> MACAddress { try #require(MACAddress.parse(text)).address }

    @discardableResult
    private func set(
        _ store: TestStore, _ address: String = lab, name: String, minutes: Double = 0, hasBackup: Bool = true
    ) throws -> ChangeReport {
        var options = ChangeOptions(now: Timestamp(secondsSince2001: FixtureClock.now + minutes * FixtureClock.minute))
        options.makesBackup = hasBackup
        options.arguments = ["set", address, "--name", name]
        options.person = Person(user: "ana", host: "mac")
        return try ChangeRun.run(
            SetPlanner(Self.address(address), name: name, unit: nil), on: store.path, options: options)
    }

    private func field(_ name: String, _ entry: ChangeLog.Entry?) -> ChangeLog.Field? {
        entry?.fields?.first { $0.name == name }
    }

    // MARK: - What is told

    @Test("tells each change with its meter, newest first")
    func changes() throws {
        let log = try log(Self.fixture)
        #expect(log.entries.map(\.transaction.save.transaction) == [3, 2, 1])
        #expect(log.entries.map(\.row) == [9, 7, 3])
        #expect(log.entries.map(\.entity) == Array(repeating: "DeviceSettings", count: 3))
        #expect(log.entries.map { $0.address?.text(in: .upper) } == [Self.lab, Self.kitchen, Self.kitchen])
        #expect(log.entries.map(\.name) == ["Lab", nil, "Kitchen"])
        #expect(log.entries.allSatisfy { $0.kind == .insert && $0.waits == nil })
        #expect(log.entries.allSatisfy { $0.transaction.author == .program(StoreFixture.bundle) })
        #expect(log.total == 3 && log.hasHistory && log.warnings.isEmpty)
    }

    @Test("has the values before and after a change by meterfix, and who made it, while its backup is here")
    func values() throws {
        let store = try TestStore(Self.fixture)
        let report = try set(store, name: "Foo")
        var entry = try #require(try log(store).entries.first)
        #expect(entry.kind == .update && entry.transaction.author == .meterfix)
        #expect(entry.transaction.journal?.command == "set")
        #expect(entry.transaction.journal?.person?.description == "ana@mac")
        #expect(entry.transaction.backup?.path == report.backup)
        #expect(field("meterName", entry)?.delta?.before == .text("Lab"))
        #expect(field("meterName", entry)?.delta?.after == .text("Foo"))
        #expect(field("updatedAt", entry)?.delta?.after.timestamp == TestStore.now)
        try FileManager.default.removeItem(atPath: store.path + ".meterfix")
        entry = try #require(try log(store).entries.first)
        #expect(entry.transaction.journal == nil && entry.transaction.author == .meterfix)
        #expect(entry.fields?.map(\.name) == ["meterName", "updatedAt"])
        #expect(entry.fields?.allSatisfy { $0.delta == nil } ?? false)
    }

    @Test("of a change that was undone, whose number another change has now, tells nothing of the other's values")
    func numbersGivenOutAgain() throws {
        let store = try TestStore(Self.fixture)
        try set(store, name: "Undone")
        try store.undo()
        // The same moment, record and attributes as in the journal that was undone.
        try set(store, name: "Kept", hasBackup: false)
        #expect(try log(store).entries.first?.transaction.journal == nil)
        #expect(try field("meterName", log(store).entries.first)?.delta?.after == nil)
        try set(store, name: "Third", minutes: 1)
        let entries = try log(store).entries
        #expect(field("meterName", entries[0])?.delta?.before == .text("Kept"))
        #expect(field("meterName", entries[0])?.delta?.after == .text("Third"))
        #expect(field("meterName", entries[1])?.delta?.after == nil)
    }

    @Test(
        "takes no journal for a transaction's that does not fit it",
        arguments: [
            "UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP + 1 WHERE Z_PK = 4",
            "UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP - 1 WHERE Z_PK = 4",
            "UPDATE ATRANSACTION SET ZAUTHORTS = NULL WHERE Z_PK = 4",
            "UPDATE ACHANGE SET ZENTITYPK = 3 WHERE ZTRANSACTIONID = 4",
            "UPDATE ACHANGE SET ZCHANGETYPE = 2 WHERE ZTRANSACTIONID = 4",
            "UPDATE ACHANGE SET ZCOLUMNS = X'8000' WHERE ZTRANSACTIONID = 4",
            "INSERT INTO ACHANGE (ZENTITY, ZENTITYPK, ZCHANGETYPE, ZTRANSACTIONID) VALUES (1, 11, 0, 4)",
        ])
    func mismatch(sql: String) throws {
        let store = try TestStore(Self.fixture)
        try set(store, name: "Foo")
        #expect(try log(store).entries.first?.transaction.journal != nil)
        try store.execute(sql)
        let entries = try log(store).entries.filter { $0.transaction.save.transaction == 4 }
        #expect(!entries.isEmpty && entries.allSatisfy { $0.transaction.journal == nil })
        #expect(entries.allSatisfy { $0.fields?.allSatisfy { $0.delta == nil } ?? true })
    }

    @Test("takes the journal of a change whose clock was behind, where the history says so")
    func clockBehind() throws {
        let store = try TestStore(Self.fixture)
        try set(store, name: "First")
        try set(store, name: "Second", minutes: -60)
        let entries = try log(store).entries
        #expect(
            try #require(entries[0].transaction.time) < #require(entries[1].transaction.time), "each says its own time")
        #expect(field("meterName", entries[0])?.delta?.after == .text("Second"))
    }

    @Test("has the last values of records that meterfix deleted, and whose they were")
    func deleted() throws {
        let store = try TestStore(Self.fixture)
        try store.rebuild { $0.makesBackup = true }
        func gone() throws -> ChangeLog.Entry {
            try #require(try log(store).entries.first { $0.kind == .delete })
        }
        #expect(try gone().row == 3)
        #expect(try gone().address?.text(in: .upper) == Self.kitchen)
        #expect(try gone().name == "Kitchen")
        #expect(try field("meterName", gone())?.delta?.before == .text("Kitchen"))
        #expect(try field("meterName", gone())?.delta?.after == .null)
        // The insert of the row that is gone is of the same meter.
        let insert = try #require(try log(store).entries.first { $0.row == 3 && $0.kind == .insert })
        #expect(insert.address?.text(in: .upper) == Self.kitchen)
        try FileManager.default.removeItem(atPath: store.path + ".meterfix")
        #expect(try gone().address == nil && gone().name == nil && gone().fields == nil)
    }

    @Test("knows the meter of a record that the app deleted, from a backup or from what it left")
    func deletedByApp() throws {
        let store = try TestStore(Self.fixture)
        try set(store, name: "Foo")
        try store.execute(
            """
            DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 9;
            INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP) VALUES (5, 830000000.5);
            INSERT INTO ACHANGE (ZENTITY, ZENTITYPK, ZCHANGETYPE, ZTRANSACTIONID)
            SELECT Z_ENT, 9, 2, 5 FROM Z_PRIMARYKEY WHERE Z_NAME = 'DeviceSettings'
            """)
        let entry = try #require(try log(store).entries.first)
        #expect(entry.kind == .delete && entry.fields == nil)
        #expect(entry.address?.text(in: .upper) == Self.lab && entry.name == "Lab")
        #expect(
            try log(store) { $0.address = try? Self.address(Self.lab) }.entries.map(\.kind) == [
                .delete, .update, .insert,
            ])
    }

    @Test("reads an address among tombstones only where the model keeps it")
    func tombstones() throws {
        func address(preserved: Bool, _ left: String...) throws -> String? {
            let values = left.enumerated().map { "ZTOMBSTONE\($0) = '\($1)'" }.joined(separator: ", ")
            let fixture = Self.fixture.with { fixture in
                fixture.cachedModel = ManagedObjectModel(
                    entities: fixture.model.entities.map { entity in
                        var entity = entity
                        let index = entity.attributes.firstIndex { $0.name == "macAddress" }!
                        entity.attributes[index].preservesValueAfterDeletion = preserved
                        return entity
                    })
            }.damaged(
                """
                ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE0 BLOB; ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE1 BLOB;
                DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 9; UPDATE ACHANGE SET ZCHANGETYPE = 2, \(values) WHERE ZENTITYPK = 9
                """)
            let entry = try #require(try log(fixture).entries.first { $0.kind == .delete })
            let found = try log(fixture) { $0.address = try? Self.address(Self.lab) }
            #expect(found.total == (entry.address == nil ? 0 : 1))
            return entry.address?.text(in: .upper)
        }
        #expect(try address(preserved: true, "Lab", Self.lab) == Self.lab)
        #expect(try address(preserved: true, Self.lab, Self.lab.lowercased()) == Self.lab)
        #expect(try address(preserved: true, Self.lab, Self.kitchen) == nil)
        #expect(try address(preserved: true, "Lab", "02:00:00:00:00:00") == nil)
        #expect(try address(preserved: false, "Lab", Self.lab) == nil)
    }

    @Test("names the attributes of an update, and none that it does not know")
    func attributes() throws {
        let entity = try #require(USBMeterModel.v2[entity: "DeviceSettings"])
        let columns = try #require(USBMeterModel.v2.changedColumns(["meterName", "updatedAt"], of: entity))
        func names(_ blob: String, _ edit: (inout StoreFixture) -> Void = { _ in }) throws -> [String]? {
            var fixture = Self.fixture.damaged(
                "UPDATE ACHANGE SET ZCHANGETYPE = 1, ZCOLUMNS = \(blob) WHERE ZENTITYPK = 9")
            edit(&fixture)
            return try log(fixture).entries.first?.fields?.map(\.name)
        }
        let right = "X'\(Hexadecimal.text(of: columns))'"
        #expect(try names(right) == ["meterName", "updatedAt"])
        #expect(try names(right) { $0.modelCache = .absent } == ["meterName", "updatedAt"])
        for garbage in ["NULL", "X''", "X'FFFFFF'", "X'FFFF'", "'text'", "7", "randomblob(100000)"] {
            #expect(try names(garbage) == nil, "\(garbage)")
        }
        // Without a model nobody knows what the column of another version is called.
        #expect(
            try names(right) {
                $0.modelCache = .absent
                $0.extraAttributes = [Attribute("aRank", .integer16)]
            } == nil)
    }

    @Test("does not name attributes by a version of the model that came later", arguments: [true, false])
    func olderModel(isBefore: Bool) throws {
        // With fifteen attributes as with sixteen, an update has two bytes.
        let store = try TestStore(Self.fixture)
        if isBefore { try set(store, name: "Foo") }
        var target = USBMeterModel.v2.entities[0]
        target.attributes.append(Attribute("battery", .string))
        let path = store.folder.path + "/CKModel.mom"
        try FileBytes.write(ModelArchive.encode(ManagedObjectModel(entities: [target])), to: path)
        #expect(try store.migrate(MigrationPlanner(model: ModelFile.read(path))).outcome == .applied)
        if !isBefore { try set(store, name: "Foo") }
        let entry = try #require(try log(store).entries.first)
        #expect(entry.kind == .update)
        if isBefore {
            // Its own journal says what they were.
            #expect(entry.fields?.map(\.name) == ["meterName", "updatedAt"])
        }
        try FileManager.default.removeItem(atPath: store.path + ".meterfix")
        // The last bit has a column only since: the update can be of no version before.
        #expect(try log(store).entries.first?.fields?.map(\.name) == (isBefore ? nil : ["meterName", "updatedAt"]))
    }

    @Test("says which changes wait for CloudKit")
    func waiting() throws {
        let mirrored = Self.fixture.with { fixture in
            fixture.mirror = .current
            for index in fixture.records.indices { fixture.records[index].cloudRecordName = "R\(index)" }
        }
        #expect(try log(mirrored).entries.map(\.waits) == [false, false, false])
        let store = try TestStore(mirrored)
        try set(store, name: "Foo")
        #expect(try log(store).entries.map(\.waits) == [true, false, false, false])
        #expect(try log(store) { $0.limit = 1 }.entries.map(\.waits) == [true])
        #expect(
            try log(mirrored.with { $0.historyToken = .transaction(1) }).entries.map(\.waits) == [true, true, false])
        #expect(try log(mirrored.with { $0.historyToken = .none }).entries.map(\.waits) == [true, true, true])
        // The mirror has read the transaction and marked the record, and has not sent it.
        let marked = mirrored.damaged(
            "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1, ZLASTEXPORTEDTRANSACTIONNUMBER = 2 WHERE ZENTITYPK = 9")
        #expect(try log(marked).entries.map(\.waits) == [true, false, false])
        #expect(
            try log(marked.damaged("UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE ZENTITYPK = 9")).entries
                .map(\.waits) == [false, false, false])
        // What came from there does not go back, and an insert that was deleted again goes nowhere.
        let imported = mirrored.with {
            $0.historyToken = .transaction(1)
            $0.damage = {
                try $0.execute(
                    sql: """
                        INSERT INTO ATRANSACTIONSTRING (Z_PK, ZNAME) VALUES (9, 'NSCloudKitMirroringDelegate.import');
                        UPDATE ATRANSACTION SET ZAUTHORTS = 9 WHERE Z_PK = 3;
                        INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP) VALUES (4, 830000000.5);
                        INSERT INTO ACHANGE (ZENTITY, ZENTITYPK, ZCHANGETYPE, ZTRANSACTIONID)
                        SELECT ZENTITY, 7, 2, 4 FROM ACHANGE WHERE Z_PK = 1
                        """)
            }
        }
        #expect(try log(imported).entries[0].waits == true, "CloudKit has a record of it")
        let unnamed = imported.with {
            $0.damage = { [damage = imported.damage] in
                try damage?($0)
                try $0.execute(sql: "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = NULL WHERE ZENTITYPK = 7")
            }
        }
        #expect(try log(unnamed).entries.map(\.waits) == [false, false, false, false])
        #expect(try log(imported).entries[1].transaction.author == .otherDevice)
    }

    // MARK: - What is asked for

    @Test("of one meter, one author or one entity tells only that")
    func asked() throws {
        let store = try TestStore(Self.fixture)
        try set(store, name: "Foo")
        func rows(_ adjust: (inout ChangeLog.Request) -> Void) throws -> [Int64?] {
            try log(store, adjust).entries.map(\.row)
        }
        #expect(try rows { $0.address = try? Self.address(Self.kitchen) } == [7, 3])
        #expect(try rows { $0.address = try? Self.address("A4:C1:38:00:00:00") } == [])
        #expect(try rows { $0.author = "METERFIX" } == [9])
        #expect(try rows { $0.author = "usb meter" } == [9, 7, 3])
        #expect(try rows { $0.author = "nobody" } == [])
        #expect(try rows { $0.entity = "DeviceSettings" } == [9, 9, 7, 3])
        let error = #expect(throws: StoreError.self) { try rows { $0.entity = "Devices" } }
        #expect(error?.kind == .unsuitable && error?.hint == "it has DeviceSettings")
        let limited = try log(store) { $0.limit = 2 }
        #expect(limited.entries.map(\.row) == [9, 9] && limited.total == 4)
    }

    @Test("of a store without a history, or with one of another kind, tells nothing, and says so")
    func none() throws {
        for fixture in [
            Self.fixture.with { $0.history = .none }, Self.fixture.damaged("ALTER TABLE ACHANGE DROP COLUMN ZCOLUMNS"),
        ] {
            let log = try log(fixture)
            #expect(!log.hasHistory && log.entries.isEmpty && log.total == 0)
        }
    }

    @Test("of a damaged history is told as far as it goes")
    func hostile() throws {
        let log = try log(
            Self.fixture.with { $0.mirror = .current }.damaged(
                """
                INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP, ZAUTHORTS) VALUES (9, 9e999, 99), (10, -1e300, 1), (11, NULL, NULL);
                INSERT INTO ACHANGE (ZENTITY, ZENTITYPK, ZCHANGETYPE, ZTRANSACTIONID, ZCOLUMNS) VALUES
                (NULL, NULL, NULL, NULL, NULL), (99, 5, 1, 9, X'FF'), (1, -5, 7, 10, NULL), (16001, 1, 0, 11, NULL),
                (1, 9223372036854775807, 1, 77, randomblob(50))
                """))
        #expect(log.total == 8)
        #expect(log.entries.map(\.transaction.save.transaction) == [11, 10, 9, 3, 2, 1, 77, nil])
        #expect(log.entries[1].kind == nil && log.entries[1].type == 7)
        #expect(log.entries[2].entity == "entity 99")
        // JSON has no number for these times.
        let json = try JSONValue(parsing: Array(log.text(pretty: false).utf8))
        guard case .array(let entries)? = json["entries"] else {
            Issue.record("no entries")
            return
        }
        #expect(entries.map { $0["at"] == .null } == [true, false, false, false, false, false, true, true])
    }

    @Test("of a hundred thousand changes takes only what is asked for", .timeLimit(.minutes(5)))
    func large() throws {
        let fixture = Self.fixture.damaged(
            """
            WITH n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
            INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP, ZPROCESSIDTS) SELECT i, 830000000.5 + i, 2 FROM n;
            INSERT INTO ACHANGE (ZENTITY, ZENTITYPK, ZCHANGETYPE, ZTRANSACTIONID, ZCOLUMNS)
            SELECT 1, 9 + Z_PK % 2, 1, Z_PK, X'0000' FROM ATRANSACTION WHERE Z_PK > 9;
            INSERT INTO ACHANGE (ZENTITY, ZENTITYPK, ZCHANGETYPE, ZTRANSACTIONID, ZCOLUMNS)
            SELECT 1, 9, 1, Z_PK, randomblob(2) FROM ATRANSACTION WHERE Z_PK > 9
            """)
        let log = try log(fixture) { $0.limit = 10 }
        #expect(log.entries.count == 10 && log.total == 99_985)
        #expect(log.entries.first?.transaction.save.transaction == 50_000)
    }
}
