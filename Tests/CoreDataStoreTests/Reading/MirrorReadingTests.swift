import CoreDataStore
import GRDB
import MeterTestSupport
import Testing

@Suite("the CloudKit mirror, read")
struct MirrorReadingTests {
    @Test("is found under both names", arguments: [StoreFixture.Mirror.none, .current, .oldest])
    func names(mirror: StoreFixture.Mirror) throws {
        try OddStore { $0.mirror = mirror }.read { database, description in
            guard mirror != .none else {
                #expect(description.mirror == nil)
                return
            }
            var records: [CloudKitMirror.RecordMetadata] = []
            try description.mirror?.forEachRecord(database) { records.append($0) }
            #expect(records.map(\.row) == [4, 9])
            #expect(records.map(\.recordName) == ["name-4", "name-9"])
            #expect(try description.mirror?.lastEvents(database).map(\.kindName) == ["setup", "import", "export"])
        }
    }

    @Test("may lack every column except those that identify the object")
    func missingColumns() throws {
        let store = try OddStore(
            """
            DROP TABLE ANSCKEVENT; DROP INDEX Z_NSCKRecordMetadata_UNIQUE_ckRecordName_recordZone;
            ALTER TABLE ANSCKRECORDMETADATA DROP COLUMN ZCKRECORDNAME;
            ALTER TABLE ANSCKRECORDMETADATA DROP COLUMN ZNEEDSUPLOAD;
            ALTER TABLE ANSCKRECORDMETADATA DROP COLUMN ZNEEDSCLOUDDELETE
            """
        ) { $0.mirror = .current }
        try store.read { database, description in
            var names: [String?] = []
            try description.mirror?.forEachRecord(database) { names.append($0.recordName) }
            #expect(names == [nil, nil])
            #expect(try description.mirror?.lastEvents(database) == [])
        }
    }

    @Test("is not found if its table is a view or has no objects")
    func none() throws {
        for sql in [
            "ALTER TABLE ANSCKRECORDMETADATA RENAME COLUMN ZENTITYID TO ZE",
            "DROP TABLE ANSCKRECORDMETADATA; CREATE VIEW ANSCKRECORDMETADATA AS SELECT 1 AS ZENTITYID, 2 AS ZENTITYPK",
        ] {
            try OddStore(sql) { $0.mirror = .current }.read { _, description in #expect(description.mirror == nil) }
        }
    }

    @Test(
        "has an event that failed if it ended without success",
        arguments: [
            ("ZSUCCEEDED = 1", nil),
            ("ZSUCCEEDED = 1, ZERRORDOMAIN = 'CKErrorDomain', ZERRORCODE = 25", nil),
            ("ZSUCCEEDED = 0, ZENDEDAT = NULL, ZERRORDOMAIN = 'CKErrorDomain', ZERRORCODE = 25", nil),
            ("ZSUCCEEDED = NULL, ZENDEDAT = NULL", nil),
            (
                "ZSUCCEEDED = 0, ZERRORDOMAIN = 'CKErrorDomain', ZERRORCODE = 25",
                MirrorError(domain: "CKErrorDomain", code: 25)
            ),
            ("ZSUCCEEDED = 0, ZERRORDOMAIN = NULL, ZERRORCODE = NULL", MirrorError(domain: "", code: 0)),
            ("ZSUCCEEDED = NULL, ZERRORDOMAIN = '', ZERRORCODE = 0", MirrorError(domain: "", code: 0)),
        ] as [(String, MirrorError?)])
    func failed(assignments: String, error: MirrorError?) throws {
        let store = try OddStore("UPDATE ANSCKEVENT SET \(assignments) WHERE ZCLOUDKITEVENTTYPE = 2") {
            $0.mirror = .current
        }
        try store.read { database, description in
            let events = try description.mirror?.lastEvents(database)
            #expect(events?.map(\.error) == [nil, nil, error])
            #expect(events?.map { $0.error != nil } == [false, false, error != nil])
        }
    }

    @Test("has of each kind the last event that ended, and a later one that has not")
    func running() throws {
        // The dates are of the device's clock, which may have been wrong; row numbers only go up.
        let store = try OddStore("UPDATE ANSCKEVENT SET ZENDEDAT = NULL WHERE Z_PK IN (1, 4, 5)") {
            $0.mirror = .current
            $0.mirrorEvents += [
                MirrorEvent(.outgoing, at: FixtureClock.now),
                MirrorEvent(.incoming, at: FixtureClock.now - FixtureClock.day),
            ]
        }
        try store.read { database, description in
            let events = try #require(try description.mirror?.lastEvents(database))
            #expect(events.map(\.kindName) == ["setup", "import", "import", "export", "export"])
            #expect(events.map { $0.endedAt == nil } == [true, false, true, false, true])
        }
    }

    @Test("has strange values, never a trap")
    func strangeValues() throws {
        let store = try OddStore(
            """
            UPDATE ANSCKRECORDMETADATA SET ZENTITYPK = 9223372036854775807, ZCKRECORDNAME = X'FF' WHERE Z_PK = 1;
            UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 'one', ZNEEDSUPLOAD = 1e300 WHERE Z_PK = 2;
            UPDATE ANSCKEVENT SET ZCLOUDKITEVENTTYPE = -9223372036854775808, ZSTARTEDAT = 9e999, ZERRORDOMAIN = X'00';
            """
        ) { $0.mirror = .current }
        try store.read { database, description in
            var records: [CloudKitMirror.RecordMetadata] = []
            try description.mirror?.forEachRecord(database) { records.append($0) }
            #expect(records.count == 2)
            let events = try description.mirror?.lastEvents(database)
            #expect(events?.map(\.kindName) == ["event type -9223372036854775808"])
            _ = try description.mirror?.waitingCount(in: description, database)
        }
    }
}
