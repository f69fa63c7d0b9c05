import CoreDataStore
import GRDB
import JSON
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@Suite("the record that a rebuild keeps")
struct SurvivorTests {
    private let fixture = StoreFixture(records: Meters.pair + [Meters.healthy])

    @Test("goes up by one in Z_OPT, and no other record does")
    func version() throws {
        let store = try TestStore(fixture.damaged("UPDATE ZDEVICESETTINGS SET Z_OPT = 41 WHERE Z_PK = 7"))
        try store.rebuild()
        #expect(try store.column("Z_OPT") == ["5: 1", "7: 42"])
    }

    @Test("goes up to one in a Z_OPT that is NULL, as the app reads that as 0")
    func unknownVersion() throws {
        let store = try TestStore(fixture.damaged("UPDATE ZDEVICESETTINGS SET Z_OPT = NULL WHERE Z_PK = 7"))
        try store.rebuild()
        #expect(try store.column("Z_OPT") == ["5: 1", "7: 1"])
    }

    @Test("has every value the rules give it and its own id")
    func values() throws {
        let store = try TestStore(fixture)
        try store.rebuild()
        #expect(try store.column("ZMETERNAME") == ["5: 'Lab'", "7: 'Kitchen'"])
        #expect(try store.column("ZMODELTYPE") == ["5: NULL", "7: 'TC66C'"])
        #expect(try store.column("ZUPDATEDAT") == ["5: 816954799.5", "7: 816955200"])
        #expect(try store.column("ZCREATEDAT") == ["5: 816954699.5", "7: 816954199.5"])
        let id = FixtureUUID(7).text.replacing("-", with: "")
        #expect(try store.column("ZID").last == "7: X'\(id)'")
    }

    @Test("may take a loser's exact text although schema v1 has a unique index on it")
    func uniqueIndex() throws {
        var records = Meters.pair
        records[1].macAddress = "a4-c1-38-0b-7e-21"
        let store = try TestStore(StoreFixture(.v1, records: records))
        let report = try store.rebuild()
        #expect(report.schemaVersion == 1)
        #expect(try store.column("ZMACADDRESS") == ["7: 'A4:C1:38:0B:7E:21'"])
        #expect(try store.text().isIntact)
        #expect(try store.text().statements.contains { $0.contains("CREATE UNIQUE INDEX Z_DeviceSettings_UNIQUE") })
    }

    @Test("takes text, blobs and whole dates with every byte they had")
    func verbatim() throws {
        let store = try TestStore(
            fixture.damaged(
                """
                UPDATE ZDEVICESETTINGS SET ZMETERNAME = CAST(X'4B69007400FF' AS TEXT), ZCREATEDAT = 700000000,
                ZCONNECTEDAT = 816950000, ZCONNECTEDBYDEVICEID = CAST(X'C3' AS TEXT), ZCONNECTEDBYDEVICENAME = X'00FF',
                ZLASTSEENAT = 816950000.25, ZLASTSEENBYDEVICENAME = CAST(X'4100' AS TEXT) WHERE Z_PK = 3
                """))
        let report = try store.rebuild()
        let row = try StoreText.read(store.path) { database in
            try String.fetchOne(
                database,
                sql: """
                    SELECT typeof(ZMETERNAME) || hex(ZMETERNAME) || ' ' || typeof(ZCREATEDAT) || ZCREATEDAT || ' '
                    || typeof(ZCONNECTEDAT) || ZCONNECTEDAT || ' ' || typeof(ZCONNECTEDBYDEVICEID)
                    || hex(ZCONNECTEDBYDEVICEID) || ' ' || typeof(ZCONNECTEDBYDEVICENAME)
                    || hex(ZCONNECTEDBYDEVICENAME) || ' ' || typeof(ZLASTSEENAT) || ZLASTSEENAT || ' '
                    || typeof(ZLASTSEENBYDEVICENAME) || hex(ZLASTSEENBYDEVICENAME)
                    FROM ZDEVICESETTINGS WHERE Z_PK = 7
                    """)
        }
        #expect(
            row == "text4B69007400FF integer700000000 integer816950000 textC3 blob00FF real816950000.25 text4100")
        // What went into the report can be printed.
        #expect(!report.text(pretty: true).isEmpty)
    }

    @Test("is left as it is where only the losers have to go")
    func untouched() throws {
        var records = Meters.pair
        records[0].meterName = nil
        let store = try TestStore(StoreFixture(records: records))
        let before = try store.text()[table: "ZDEVICESETTINGS"].last
        try store.rebuild()
        let after = try store.text()
        #expect(after[table: "ZDEVICESETTINGS"] == [before])
        #expect(after[table: "ACHANGE"].last == "3,16001,NULL,2,1,3,3,NULL")
    }

    @Test(
        "keeps lock and discovery in the encoding of its store",
        arguments: [USBMeterModel.LockEncoding.flat, .blob, .blobWithBinaryDiscovery, .both])
    func encodings(encoding: USBMeterModel.LockEncoding) throws {
        var records = Meters.pair
        records[0] = records[0].locked(by: .anasPhone, at: FixtureClock.now - 60)
            .seen(by: .bogdansMac, at: FixtureClock.now - 30)
        records[1] = records[1].locked(by: .chloesPad, at: FixtureClock.now - 600)
            .seen(by: .chloesPad, at: FixtureClock.now - 600)
        let store = try TestStore(StoreFixture(records: records).with { $0.lockEncoding = encoding })
        try store.rebuild()
        let blobs = [
            "{\"device\":\"\(FixtureDevice.anasPhone.id)\",\"timestamp\":\"2026-11-21T11:59:00Z\","
                + "\"expiry\":\"2026-11-21T12:01:00Z\"}",
            "{\"lastSeen\":\"2026-11-21T11:59:30Z\",\"seenBy\":\"\(FixtureDevice.bogdansMac.id)\"}",
        ]
        if encoding != .flat {
            #expect(
                try store.column("CAST(ZCONNECTIONMETADATA AS TEXT)") == ["7: '\(blobs[0])'"])
            #expect(try store.column("CAST(ZDISCOVERYMETADATA AS TEXT)") == ["7: '\(blobs[1])'"])
            let type = encoding == .blobWithBinaryDiscovery ? "blob" : "text"
            #expect(try store.column("typeof(ZDISCOVERYMETADATA)") == ["7: '\(type)'"])
        }
        if encoding == .flat || encoding == .both {
            #expect(try store.column("ZCONNECTEDBYDEVICENAME") == ["7: 'Ana''s iPhone'"])
            #expect(try store.column("ZCONNECTEDEXPIRYAT") == ["7: 816955260"])
            #expect(try store.column("ZLASTSEENBYDEVICEID") == ["7: '\(FixtureDevice.bogdansMac.id)'"])
        }
    }

    @Test("may have a column that the model no longer knows")
    func leftoverColumn() throws {
        let store = try TestStore(
            fixture.damaged(
                """
                ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZOLDNOTE VARCHAR;
                UPDATE ZDEVICESETTINGS SET ZOLDNOTE = 'left over' WHERE Z_PK = 3
                """))
        try store.rebuild()
        #expect(try store.column("ZOLDNOTE") == ["5: NULL", "7: 'left over'"])
        #expect(try store.text()[table: "ACHANGE"].last?.hasSuffix(",1,1,7,4,X'0012'") == true)
    }
}
