import CoreDataStore
import MeterModel
import MeterTestSupport
import Testing

/// Row for row as Core Data writes a save, here one from a store of an app:
/// `ACHANGE (22,16001,NULL,1,2,1,16,X'20')`, `ATRANSACTION (16,16002,NULL,NULL,1,NULL,2,743911561.45309102,NULL …)`.
@Suite("the history of a rebuild")
struct WrittenHistoryTests {
    private let fixture = StoreFixture(records: Meters.pair)

    @Test("has the rows of a native save: numbers, types, bits of the columns and NULLs")
    func rows() throws {
        let store = try TestStore(fixture)
        let before = try store.text()
        try store.rebuild()
        let after = try store.text()
        // Attributes by name: meterName is the 12th, updatedAt the 15th.
        #expect(
            after[table: "ACHANGE"] == before[table: "ACHANGE"] + [
                "3,16001,NULL,2,1,3,3,NULL",
                "4,16001,NULL,1,1,7,3,X'0012'",
            ])
        #expect(
            after[table: "ATRANSACTION"] == before[table: "ATRANSACTION"] + [
                "3,16002,NULL,3,3,NULL,3,816955200.0,NULL,NULL,NULL,NULL,NULL"
            ])
        #expect(
            after[table: "ATRANSACTIONSTRING"] == [
                "1,16003,NULL,'ro.xdev.USB-Meter'", "2,16003,NULL,'USB Meter'", "3,16003,NULL,'meterfix'",
            ])
        #expect(
            after[table: "Z_PRIMARYKEY"] == [
                "1,'DeviceSettings',0,7", "16001,'CHANGE',0,4", "16002,'TRANSACTION',0,3",
                "16003,'TRANSACTIONSTRING',0,3",
            ])
    }

    @Test("uses the author's string again")
    func stringReuse() throws {
        let store = try TestStore(fixture)
        try store.rebuild()
        try store.execute(
            """
            INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMACADDRESS) VALUES (8, 1, 1, 'A4:C1:38:0B:7E:21');
            UPDATE Z_PRIMARYKEY SET Z_MAX = 8 WHERE Z_ENT = 1
            """)
        try store.rebuild(at: Timestamp(secondsSince2001: FixtureClock.now + 0.5))
        let after = try store.text()
        #expect(after[table: "ATRANSACTIONSTRING"].count == 3)
        #expect(after[table: "ACHANGE"].last == "5,16001,NULL,2,1,8,4,NULL")
        #expect(
            after[table: "ATRANSACTION"].last == "4,16002,NULL,3,3,NULL,3,816955200.5,NULL,NULL,NULL,NULL,NULL")
        #expect(
            after[table: "Z_PRIMARYKEY"] == [
                "1,'DeviceSettings',0,8", "16001,'CHANGE',0,5", "16002,'TRANSACTION',0,4",
                "16003,'TRANSACTIONSTRING',0,3",
            ])
    }

    @Test("never reuses a number, also after the history was purged")
    func purged() throws {
        let store = try TestStore(
            fixture.damaged(
                """
                DELETE FROM ACHANGE; DELETE FROM ATRANSACTION; DELETE FROM ATRANSACTIONSTRING;
                UPDATE Z_PRIMARYKEY SET Z_MAX = Z_ENT - 15900 WHERE Z_ENT > 16000
                """))
        try store.rebuild()
        let after = try store.text()
        #expect(after[table: "ACHANGE"].map { $0.prefix(4) } == ["102,", "103,"])
        #expect(
            after[table: "ATRANSACTION"]
                == ["103,16002,NULL,104,104,NULL,104,816955200.0,NULL,NULL,NULL,NULL,NULL"])
        #expect(after[table: "ATRANSACTIONSTRING"] == ["104,16003,NULL,'meterfix'"])
        #expect(
            after[table: "Z_PRIMARYKEY"].dropFirst() == [
                "16001,'CHANGE',0,103", "16002,'TRANSACTION',0,103", "16003,'TRANSACTIONSTRING',0,104",
            ])
    }

    @Test("goes on from the largest row where Z_MAX is behind")
    func behind() throws {
        let store = try TestStore(fixture.damaged("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT > 16000"))
        try store.rebuild()
        #expect(
            try store.text()[table: "Z_PRIMARYKEY"].dropFirst() == [
                "16001,'CHANGE',0,4", "16002,'TRANSACTION',0,3", "16003,'TRANSACTIONSTRING',0,3",
            ])
    }

    @Test("adds its entities to Z_PRIMARYKEY where there was no transaction yet")
    func first() throws {
        let store = try TestStore(
            fixture.damaged(
                """
                DELETE FROM ACHANGE; DELETE FROM ATRANSACTION; DELETE FROM ATRANSACTIONSTRING;
                DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000
                """))
        try store.rebuild()
        let after = try store.text()
        #expect(after[table: "ACHANGE"] == ["1,16001,NULL,2,1,3,1,NULL", "2,16001,NULL,1,1,7,1,X'0012'"])
        #expect(
            after[table: "ATRANSACTION"] == ["1,16002,NULL,1,1,NULL,1,816955200.0,NULL,NULL,NULL,NULL,NULL"])
        #expect(
            after[table: "Z_PRIMARYKEY"] == [
                "1,'DeviceSettings',0,7", "16001,'CHANGE',0,2", "16002,'TRANSACTION',0,1",
                "16003,'TRANSACTIONSTRING',0,1",
            ])
    }

    @Test("of macOS 10.13 has its author in the transaction itself")
    func withoutStrings() throws {
        let store = try TestStore(fixture.with { $0.history = .withoutStrings })
        try store.rebuild()
        let after = try store.text()
        #expect(
            after[table: "ATRANSACTION"].last
                == "3,16002,NULL,816955200.0,'meterfix','meterfix',NULL,'meterfix',NULL")
        #expect(after[table: "ACHANGE"].last == "4,16001,NULL,1,1,7,3,X'0012'")
        #expect(
            after[table: "Z_PRIMARYKEY"]
                == ["1,'DeviceSettings',0,7", "16001,'CHANGE',0,4", "16002,'TRANSACTION',0,3"])
        #expect(after.tables["ATRANSACTIONSTRING"] == nil)
    }

    @Test("is stamped with the time of the change, also behind a clock that was ahead")
    func time() throws {
        let store = try TestStore(fixture.damaged("UPDATE ATRANSACTION SET ZTIMESTAMP = 900000000.25 WHERE Z_PK = 1"))
        try store.rebuild()
        #expect(
            try store.column("ZTIMESTAMP", of: "ATRANSACTION").last == "3: 816955200.0")
        #expect(try store.column("ZUPDATEDAT") == ["7: 816955200"])
    }

    @Test("is not begun in a store that never had one")
    func none() throws {
        let store = try TestStore(fixture.with { $0.history = .none })
        try store.rebuild()
        let after = try store.text()
        #expect(after[table: "Z_PRIMARYKEY"] == ["1,'DeviceSettings',0,7"])
        #expect(after.tables.keys.sorted() == ["ZDEVICESETTINGS", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"])
    }

    @Test("names its entity by the number it has in this store, and each changed attribute by its place in the model")
    func numbersAndPlaces() throws {
        let extra = fixture.with {
            $0.extraEntities = [Entity("Bookmark", attributes: [Attribute("title", .string)])]
            $0.extraAttributes = [Attribute("note", .string), Attribute("shelf", .integer16)]
            $0.records[0].extra = ["note": "fuse blown", "shelf": 4]
            $0.records[1].extra = ["shelf": 9]
            $0.records[1].macAddress = "a4c1380b7e21"
        }
        let store = try TestStore(extra)
        try store.rebuild()
        // 0 cloudKitRecordID … 10 macAddress, 11 meterName, 12 modelType, 13 note, 14 shelf, 15 tc66…, 16 updatedAt.
        #expect(
            try store.text()[table: "ACHANGE"].suffix(2) == [
                "3,16001,NULL,2,2,3,3,NULL", "4,16001,NULL,1,2,7,3,X'003480'",
            ])
        #expect(try store.column("ZNOTE") == ["7: 'fuse blown'"])
        #expect(try store.column("ZSHELF") == ["7: 9"])
    }
}
