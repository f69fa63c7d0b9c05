import MeterFuzz
import MeterTestSupport
import Testing

/// What a customer sends is never the cause of a trap: it is answered, or there is an error that says why not.
@Suite("a strange store")
struct StrangeStoreTests {
    private static let fixture = StoreFixture(records: Meters.pair + [Meters.healthy]).with {
        $0.mirror = .current
        for index in $0.records.indices {
            $0.records[index].cloudRecordName = FixtureUUID(UInt64(index)).text
            $0.records[index] = $0.records[index].locked(by: .anasPhone, at: FixtureClock.now - 60)
        }
    }

    @Test(
        "is looked at, and repaired or refused:",
        arguments: [
            "UPDATE ZDEVICESETTINGS SET Z_PK = 9223372036854775807 WHERE Z_PK = 7",
            "UPDATE ZDEVICESETTINGS SET Z_PK = -9223372036854775808 WHERE Z_PK = 3",
            "UPDATE ZDEVICESETTINGS SET Z_OPT = 9223372036854775806",
            "UPDATE ZDEVICESETTINGS SET Z_OPT = 9223372036854775807",
            "UPDATE ZDEVICESETTINGS SET Z_OPT = 'x', Z_ENT = X'00'",
            "UPDATE ZDEVICESETTINGS SET Z_OPT = NULL, Z_ENT = NULL", "UPDATE ZDEVICESETTINGS SET Z_OPT = 1e300",
            "UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = 9e999, ZCREATEDAT = -9e999",
            "UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = 1e300, ZCREATEDAT = 9223372036854775807 WHERE Z_PK = 3",
            "UPDATE ZDEVICESETTINGS SET ZCONNECTEDAT = -9e999, ZCONNECTEDEXPIRYAT = 9e999",
            "UPDATE ZDEVICESETTINGS SET ZCONNECTEDAT = 9e999, ZCONNECTEDEXPIRYAT = 9e999",
            "UPDATE ZDEVICESETTINGS SET ZCONNECTEDAT = 1e300, ZCONNECTEDEXPIRYAT = -1e300, ZLASTSEENAT = 9e999",
            "UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = 'now', ZCREATEDAT = X'00', ZCONNECTEDAT = 'x', ZLASTSEENAT = ''",
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = X'FF', ZMODELTYPE = CAST(X'FF' AS TEXT), ZTC66TEMPERATUREUNIT = X''",
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = hex(zeroblob(500000))",
            "UPDATE ZDEVICESETTINGS SET ZMACADDRESS = CAST(X'413400' AS TEXT) WHERE Z_PK = 5",
            "UPDATE ZDEVICESETTINGS SET ZMACADDRESS = CAST(ZMACADDRESS AS BLOB)",
            "UPDATE ZDEVICESETTINGS SET ZID = 'text'; UPDATE ZDEVICESETTINGS SET ZID = X'00' WHERE Z_PK = 3",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = -9223372036854775808", "UPDATE Z_PRIMARYKEY SET Z_MAX = 'x'",
            "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT", "UPDATE Z_PRIMARYKEY SET Z_NAME = 'DeviceSettings'",
            "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL", "INSERT INTO ACHANGE (Z_PK) VALUES (9223372036854775807)",
            "INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP) VALUES (9223372036854775807, 9e999)",
            "UPDATE ATRANSACTION SET ZTIMESTAMP = 9e999", "UPDATE ATRANSACTION SET ZTIMESTAMP = 'later'",
            "UPDATE ATRANSACTIONSTRING SET ZNAME = 'meterfix' WHERE Z_PK = 2",
            "UPDATE ATRANSACTIONSTRING SET Z_PK = 9223372036854775807 WHERE Z_PK = 2",
            "UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 9223372036854775807, ZENTITYPK = -9223372036854775807 + Z_PK - 2",
            "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = X'00', ZNEEDSUPLOAD = 'x' WHERE Z_PK = 1",
            "UPDATE ANSCKEVENT SET ZSTARTEDAT = 9e999, ZENDEDAT = -9e999, ZERRORCODE = -9223372036854775808, ZSUCCEEDED = 0",
            "UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = zeroblob(40)",
            "UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = substr(ZTRANSFORMEDVALUE, 1, 200), ZBOOLVALUENUM = 'x'",
            "UPDATE ANSCKMETADATAENTRY SET ZKEY = 'NSCloudKitMirroringDelegateLastHistoryTokenKey'",
            "INSERT INTO ANSCKHISTORYANALYZERSTATE (Z_PK, ZENTITYID, ZENTITYPK) VALUES (9223372036854775807, 'x', X'00')",
            "DELETE FROM Z_METADATA", "INSERT INTO Z_METADATA (Z_VERSION) VALUES (9223372036854775807)",
            "UPDATE Z_METADATA SET Z_PLIST = zeroblob(40)", "UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(40)",
            "INSERT INTO Z_MODELCACHE SELECT randomblob(10)", "PRAGMA user_version = -1",
            "ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZCONNECTIONMETADATA; UPDATE ZDEVICESETTINGS SET "
                + "ZCONNECTIONMETADATA = '{\"device\":\"x\",\"timestamp\":1e999,\"expiry\":-1e300}'",
            "ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZDISCOVERYMETADATA; UPDATE ZDEVICESETTINGS SET "
                + "ZDISCOVERYMETADATA = replace(hex(zeroblob(20000)), '00', '[')",
            "DELETE FROM Z_PRIMARYKEY", "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA",
            "UPDATE Z_METADATA SET Z_UUID = X'FF', Z_PLIST = 'text'",
            "UPDATE Z_METADATA SET Z_UUID = NULL, Z_VERSION = 7",
            "CREATE TABLE strange (a PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO strange VALUES (1, 2)",
            "CREATE TABLE strange (rowid TEXT, oid, _rowid_); INSERT INTO strange VALUES ('b', 1, 2), ('a', 1, 2)",
        ])
    func strange(sql: String) throws { try look(Self.fixture.damaged(sql)) }

    @Test(
        "whose mirror has read the history up to a strange place is looked at, and repaired or refused:",
        arguments: [.none, .transaction(0), .transaction(.min), .transaction(.max), .otherStore(1)]
            as [StoreFixture.HistoryToken])
    func token(_ token: StoreFixture.HistoryToken) throws { try look(Self.fixture.with { $0.historyToken = token }) }

    @Test("of ten thousand entities is read")
    func manyEntities() throws {
        try look(
            Self.fixture.damaged(
                """
                WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
                INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, (i % 2) * (i - 2), 0 FROM n
                """))
    }

    @Test("with flipped bytes is read", arguments: LawSeeds.first(4))
    func bytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let store = try TestStore(Self.fixture)
        var bytes = try FileBytes.read(store.path)
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            // Most of the harm is done at the beginning of a page.
            let page = Int.random(in: 0..<(bytes.count / 4096), using: &generator) * 4096
            let offset = Int.random(in: 0..<(Bool.random(using: &generator) ? 64 : 4096), using: &generator)
            bytes[page + offset] = UInt8.random(in: .min ... .max, using: &generator)
        }
        try FileBytes.write(bytes, to: store.path)
        try look(store)
    }

    private func look(_ fixture: StoreFixture) throws { try look(TestStore(fixture)) }

    private func look(_ store: TestStore) throws { try StoreTrial(path: store.path, in: store.folder).run() }
}
