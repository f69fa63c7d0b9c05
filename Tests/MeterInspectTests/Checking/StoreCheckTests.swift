import CoreDataStore
import GRDB
import MeterStore
import MeterTestSupport
import Testing

/// Each check of the store as a whole at its limits. There is one record, row 5 of DeviceSettings.
@Suite("a check of the store")
struct StoreCheckTests {
    private static let plain = StoreFixture(records: [Meters.healthy])
    /// With a second entity, number 1, which has no rows; DeviceSettings is number 2.
    private static let twoEntities = plain.with {
        $0.extraEntities = [Entity("Bookmark", attributes: [Attribute("title", .string)])]
    }

    @Test(
        "finds what is beyond its limit and nothing else:",
        arguments: numbers + histories + markers + constraints + metadata + hashes + strangers)
    func limits(_ testCase: CheckCase) throws { try testCase.run() }

    @Test("finds nothing in a store with nothing wrong but that it is not mirrored")
    func healthy() throws { #expect(try TestStore(Self.plain).findings() == ["not-mirrored"]) }

    private static func damaged(
        _ sql: String, in fixture: StoreFixture = plain, finds rows: [[Int64]], _ words: String...
    ) -> CheckCase {
        CheckCase(sql, fixture.damaged(sql), finds: rows, words: words)
    }

    private static func setLast(_ number: Int, of entity: String) -> String {
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(number) WHERE Z_NAME = '\(entity)'"
    }

    private static let mirrored = plain.with { $0.mirror = .current }

    private static let numbers = CheckCase.of([
        "table-missing": [
            damaged("SELECT 1", in: mirrored, finds: []),
            damaged("DROP TABLE ANSCKEVENT", in: mirrored, finds: [[]], "no table for NSCKEvent,"),
            // Whoever takes a table out of the list, too.
            damaged(
                "DROP TABLE ANSCKRECORDMETADATA; DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'NSCKRecordMetadata'",
                in: mirrored, finds: [[]], "no table of record metadata, although there are others"),
            damaged(
                "DROP TABLE ANSCKRECORDZONEMETADATA; DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'NSCKRecordZoneMetadata'",
                in: mirrored, finds: [[]], "no table ANSCKRECORDZONEMETADATA, to which"),
            damaged("DROP TABLE ATRANSACTIONSTRING", finds: [[]], "no table for TRANSACTIONSTRING"),
            damaged("DROP TABLE ACHANGE; DROP TABLE ATRANSACTION", finds: [[]], "no table for CHANGE and TRANSACTION,"),
            // The history is broken.
            damaged("DROP TABLE ATRANSACTION", finds: []),
            damaged("DROP TABLE ZBOOKMARK", in: twoEntities, finds: [[]], "no table for Bookmark,"),
            // Said in other words.
            damaged("DROP TABLE ZDEVICESETTINGS", finds: []),
            CheckCase("off", plain.with { $0.history = .none }, finds: []),
        ],
        "row-number-invalid": [
            damaged("SELECT 1", finds: []),
            damaged("UPDATE ZDEVICESETTINGS SET Z_PK = 0", finds: [[0]], "1 row of DeviceSettings", "as 0"),
        ],
        "primary-key-behind": [
            damaged(
                "INSERT INTO ANSCKEVENT (Z_PK) VALUES (99)", in: mirrored, finds: [[99]], "of NSCKEvent is",
                "→ meterfix fix primary-key-behind"),
            damaged(setLast(6, of: "DeviceSettings"), finds: []),
            damaged(setLast(5, of: "DeviceSettings"), finds: []),
            damaged(
                setLast(4, of: "DeviceSettings"), finds: [[5]], "is 4", "is 5", "→ meterfix fix primary-key-behind"),
            damaged("DELETE FROM ZDEVICESETTINGS", finds: []),
            damaged("DROP TABLE ZBOOKMARK; CREATE TABLE ZBOOKMARK (ZTITLE)", in: twoEntities, finds: []),
        ],
        "entity-number-mismatch": [
            damaged("SELECT 1", in: twoEntities, finds: []),
            damaged("UPDATE ZDEVICESETTINGS SET Z_ENT = NULL", finds: [[5]], "number NULL instead of 1"),
            damaged("UPDATE ZDEVICESETTINGS SET Z_ENT = 7", finds: [[5]], "number 7 instead of 1"),
            damaged("ALTER TABLE ZBOOKMARK DROP COLUMN Z_ENT", in: twoEntities, finds: []),
            damaged("DROP TABLE ZBOOKMARK; CREATE TABLE ZBOOKMARK (Z_ENT, ZTITLE)", in: twoEntities, finds: []),
            // The rows of an entity with a parent are its parent's too.
            CheckCase(
                "of a child",
                plain.with {
                    $0.extraEntities = [
                        Entity("Place", attributes: [Attribute("title", .string)]),
                        Entity("Room", superentity: "Place", attributes: []),
                    ]
                    $0.damage = {
                        try $0.execute(
                            sql: "INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT) SELECT Z_ENT, Z_ENT, 1 FROM Z_PRIMARYKEY "
                                + "WHERE Z_NAME IN ('Place', 'Room'); UPDATE Z_PRIMARYKEY SET Z_MAX = 9")
                    }
                }, finds: []),
        ],
    ])

    private static let broken = "use an earlier copy"

    private static let histories = CheckCase.of([
        "history-broken": [
            damaged("DELETE FROM ATRANSACTION", finds: [[]], "1 change belongs to no transaction", broken),
            damaged("UPDATE ACHANGE SET ZTRANSACTIONID = NULL", finds: [[]], "1 change belongs"),
            damaged(
                "INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZTRANSACTIONID) VALUES (0, 0, 2), (-1, 0, NULL)", finds: [[]],
                "2 changes belong"),
            damaged("UPDATE ACHANGE SET ZCHANGETYPE = 1", finds: []),
            damaged("UPDATE ACHANGE SET ZCHANGETYPE = 2", finds: []),
            damaged("UPDATE ACHANGE SET ZCHANGETYPE = 3", finds: [[]], "1 change is of an unknown type"),
            damaged("UPDATE ACHANGE SET ZCHANGETYPE = -1", finds: [[]], "1 change is"),
            damaged("UPDATE ACHANGE SET ZCHANGETYPE = NULL", finds: [[]], "1 change is"),
            damaged(
                "INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZTRANSACTIONID) VALUES (0, 9, 1), (-1, 3, 1)", finds: [[]],
                "2 changes are of an unknown type"),
            damaged(setLast(0, of: "CHANGE"), finds: [[]], "Z_MAX of CHANGE is 0 but ACHANGE goes up to 1"),
            damaged(setLast(0, of: "TRANSACTION"), finds: [[]], "Z_MAX of TRANSACTION is 0"),
            damaged(setLast(2, of: "CHANGE"), finds: []),
            damaged(setLast(0, of: "TRANSACTIONSTRING"), finds: []),
            damaged("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'CHANGE'", finds: [[]], "Z_MAX of CHANGE is 0"),
            damaged(
                "DELETE FROM ACHANGE; DELETE FROM ATRANSACTION; DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000", finds: []
            ),
            damaged("DROP TABLE ATRANSACTION", finds: [[]], "table ACHANGE without ATRANSACTION", broken),
            damaged("DROP TABLE ACHANGE", finds: [[]], "table ATRANSACTION without ACHANGE"),
            CheckCase("off", plain.with { $0.history = .none }, finds: []),
            damaged("ALTER TABLE ACHANGE DROP COLUMN ZCOLUMNS", finds: []),
        ],
        "history-off": [
            CheckCase("off", plain.with { $0.history = .none }, finds: [[]], "no history tables"),
            damaged("DROP TABLE ATRANSACTION", finds: []),
            damaged(
                "ALTER TABLE ACHANGE DROP COLUMN ZCOLUMNS", finds: [[]], "ACHANGE and ATRANSACTION",
                "has an unknown format"),
        ],
    ])

    private static let duplicates = StoreFixture(records: Meters.pair)

    private static func marked(_ marker: Int64?, _ fixture: StoreFixture) -> StoreFixture {
        fixture.with { $0.marker = marker }
    }

    /// In the metadata, behind Core Data's back.
    private static func noting(_ key: String, _ value: PropertyList?, in fixture: StoreFixture) -> StoreFixture {
        fixture.with {
            $0.damage = { database in
                var metadata = try StoreMetadata(database, schema: StoreSchema(database))
                metadata.dictionary?[key] = value
                try metadata.write(to: database)
            }
        }
    }

    private static func markedByKey(_ value: PropertyList) -> StoreFixture {
        noting("cloudStoreRebuildVersion.3", value, in: marked(nil, duplicates))
    }

    /// A store in which meterfix has deleted a record, and whose marker is gone.
    private static func rebuilt(_ sql: String = "SELECT 1", finds rows: [[Int64]], _ words: String...) -> CheckCase {
        CheckCase(
            "deleted by meterfix: \(sql)",
            marked(nil, plain).damaged("\(StoreFixture.deletionByMeterfix); \(sql)"), finds: rows, words: words)
    }

    private static let markers = CheckCase.of([
        "rebuild-marker-lies": [
            CheckCase("none", marked(nil, duplicates), finds: []),
            CheckCase("2", marked(2, duplicates), finds: []),
            CheckCase("3", marked(3, duplicates), finds: [[]], "rebuild 3, but 1 meter has several"),
            CheckCase("4", marked(4, duplicates), finds: [[]], "rebuild 4"),
            CheckCase("as a key", markedByKey(.bool(true)), finds: [[]], "rebuild 3"),
            CheckCase("as a key, no", markedByKey(.bool(false)), finds: []),
            CheckCase("3, no duplicates", marked(3, plain), finds: []),
            CheckCase(
                "3, two meters",
                marked(3, duplicates).with { fixture in
                    fixture.records += Meters.pair.map { record in
                        record.with {
                            $0.row += 10
                            $0.macAddress = "A4:C1:38:0B:7E:77"
                        }
                    }
                }, finds: [[]], "2 meters have several"),
            CheckCase(
                "4 as a key beside 2", noting("cloudStoreRebuildVersion.4", .bool(true), in: marked(2, duplicates)),
                finds: [[]], "rebuild 4"),
        ],
        "rebuild-marker-old": [
            CheckCase("none", marked(nil, plain), finds: []),
            CheckCase(
                "2", marked(2, plain), finds: [[]], "the marker says rebuild 2", "→ meterfix fix rebuild-marker-old"),
            CheckCase("2, with duplicates", marked(2, duplicates), finds: [[]], "→ meterfix rebuild"),
            CheckCase("0", marked(0, plain), finds: [[]]),
            CheckCase("3", marked(3, plain), finds: []),
            CheckCase("4", marked(4, plain), finds: []),
            CheckCase("3 as a key", markedByKey(.bool(true)), finds: []),
            CheckCase(
                "2 as a key", noting("cloudStoreRebuildVersion.2", .bool(true), in: marked(nil, plain)), finds: [[]]),
        ],
        "rebuild-marker-missing": [
            CheckCase("a store of the app", marked(nil, plain), finds: []),
            rebuilt(
                finds: [[]], "meterfix deleted 1 record 2026-11-20T12:00:00.250Z, but the metadata has no cloudStore",
                "→ meterfix fix rebuild-marker-missing"),
            CheckCase(
                "with duplicates", marked(nil, duplicates).damaged(StoreFixture.deletionByMeterfix), finds: [[]],
                "→ meterfix rebuild"),
            CheckCase("2", marked(2, plain).damaged(StoreFixture.deletionByMeterfix), finds: []),
            CheckCase(
                "as a key",
                markedByKey(.bool(true)).with { fixture in
                    let damage = fixture.damage
                    fixture.damage = {
                        try damage?($0)
                        try $0.execute(sql: StoreFixture.deletionByMeterfix)
                    }
                }, finds: []),
            CheckCase(
                "no metadata",
                marked(nil, plain).with { $0.hasPropertyList = false }.damaged(StoreFixture.deletionByMeterfix),
                finds: []),
            // Of several times the last one.
            rebuilt(
                """
                INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS)
                    SELECT Z_PK + 1, Z_ENT, ZTIMESTAMP + 60, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS
                    FROM ATRANSACTION ORDER BY Z_PK DESC LIMIT 1;
                INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
                    SELECT Z_PK + 1, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK + 1, ZTRANSACTIONID + 1
                    FROM ACHANGE ORDER BY Z_PK DESC LIMIT 1
                """, finds: [[]], "meterfix deleted 1 record 2026-11-20T12:01:00.250Z"),
            rebuilt("DROP TABLE ZDEVICESETTINGS", finds: []),
            rebuilt("UPDATE ACHANGE SET ZCHANGETYPE = 1", finds: []),
            rebuilt("UPDATE ACHANGE SET ZENTITY = 2 WHERE ZCHANGETYPE = 2", finds: []),
            rebuilt("UPDATE ATRANSACTIONSTRING SET ZNAME = 'meterfixer' WHERE ZNAME = 'meterfix'", finds: []),
            rebuilt("DROP TABLE ATRANSACTION", finds: []),
        ],
    ])

    private static let v1 = StoreFixture(.v1, records: [Meters.healthy])
    private static let index = "Z_DeviceSettings_UNIQUE_macAddress"

    private static let constraints = CheckCase.of([
        "uniqueness-constraint": [
            CheckCase("both", v1, finds: [[]], "by the unique index \(index) and the constraint of the cached model →"),
            CheckCase(
                "the index alone", v1.with { $0.cachedModel = USBMeterModel.v2 }, finds: [[]],
                "by the unique index \(index) →"),
            damaged("DROP INDEX \(index)", in: v1, finds: [[]], "by the constraint of the cached model →"),
            damaged(
                "CREATE UNIQUE INDEX a ON ZDEVICESETTINGS (ZMACADDRESS, ZID)", in: v1, finds: [[]],
                "by the unique index \(index) and the constraint"),
            damaged("CREATE UNIQUE INDEX a ON ZDEVICESETTINGS (ZMACADDRESS)", finds: []),
            damaged("CREATE UNIQUE INDEX \(index) ON ZDEVICESETTINGS (ZMACADDRESS)", finds: []),
            damaged("CREATE INDEX a ON ZDEVICESETTINGS (ZMACADDRESS)", finds: []),
            damaged("CREATE UNIQUE INDEX a ON ZDEVICESETTINGS (ZID)", finds: []),
            damaged("CREATE TABLE a (ZMACADDRESS); CREATE UNIQUE INDEX b ON a (ZMACADDRESS)", finds: []),
            damaged("DELETE FROM Z_MODELCACHE", in: v1, finds: [[]], "by the unique index \(index) →"),
        ],
        "no-device-settings": [
            damaged("DROP TABLE ZDEVICESETTINGS", finds: [[]], "has the entity DeviceSettings, but the table"),
            damaged(
                "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'DeviceSettings'", finds: [[]],
                "Z_PRIMARYKEY does not list the entity"),
        ],
    ])

    private static let metadata = CheckCase.of([
        "metadata-missing": [
            damaged(
                "UPDATE Z_METADATA SET Z_PLIST = NULL", finds: [[]], "is NULL", "→ meterfix migrate --restore-metadata"),
            damaged("UPDATE Z_METADATA SET Z_PLIST = NULL, Z_UUID = NULL", finds: [[]], "→ ask for the store"),
            damaged("DELETE FROM Z_METADATA", finds: [[]], "has no row", "→ ask for the store"),
            damaged(
                "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA", finds: [[]], "has 2 rows",
                "→ ask for the store"),
            damaged(
                "UPDATE Z_METADATA SET Z_PLIST = NULL; DROP TABLE ZDEVICESETTINGS", finds: [[]], "→ ask for the store"),
            damaged("ALTER TABLE Z_METADATA DROP COLUMN Z_PLIST", finds: [[]], "no table Z_METADATA with"),
            damaged("ALTER TABLE Z_METADATA RENAME COLUMN Z_UUID TO Z_ID", finds: [[]], "no table Z_METADATA with"),
        ],
        "model-cache-missing": [
            damaged("DELETE FROM Z_MODELCACHE", finds: [[]], "no cached model"),
            damaged("UPDATE Z_MODELCACHE SET Z_CONTENT = X'00'", finds: [[]], "cannot be used"),
        ],
    ])

    private static func with(_ attribute: String, in fixture: StoreFixture) -> ManagedObjectModel {
        fixture.with { $0.extraAttributes = [Attribute(attribute, .string)] }.model
    }

    private static let hashes = CheckCase.of([
        "model-hash-mismatch": [
            CheckCase("none", twoEntities, finds: []),
            CheckCase(
                "another model's", plain.with { $0.hashedModel = with("note", in: plain) }, finds: [[]],
                "the stored hash of DeviceSettings is ", "→ show the store"),
            CheckCase(
                "of another version", v1.with { $0.hashedModel = USBMeterModel.v2 }, finds: [[]],
                "the stored hash of DeviceSettings is ", "→ meterfix migrate"),
            CheckCase(
                "of one entity less", twoEntities.with { $0.hashedModel = plain.model }, finds: [[]],
                "Bookmark is in the cached model but has no stored hash"),
            CheckCase(
                "of two entities more",
                plain.with {
                    $0.hashedModel =
                        plain.with { $0.extraEntities = ["Zone", "Bookmark"].map { Entity($0, attributes: []) } }.model
                }, finds: [[], []],
                "Bookmark has a stored hash but is not in the cached model → show the store to the app's developers before "
                    + "changing it\nZone has a stored hash"),
            CheckCase(
                "an empty one",
                noting("NSStoreModelVersionHashes", .dictionary(["DeviceSettings": .data([])]), in: plain), finds: [[]],
                "DeviceSettings is empty,"),
            CheckCase(
                "no hashes", noting("NSStoreModelVersionHashes", nil, in: plain), finds: [[]], "no version hashes",
                "→ meterfix migrate --restore-metadata"),
            CheckCase("no metadata", plain.with { $0.hasPropertyList = false }, finds: []),
            CheckCase(
                "another digest", noting("NSStoreModelVersionHashesDigest", .string("x"), in: plain), finds: [[]],
                "the digest of"),
            CheckCase(
                "another checksum", noting("NSStoreModelVersionChecksumKey", .string("x"), in: plain), finds: [[]],
                "the checksum of"),
            // Only where all hashes are as they should be: otherwise these differ in any case.
            CheckCase(
                "another digest, and another model's hashes",
                noting(
                    "NSStoreModelVersionHashesDigest", .string("x"),
                    in: plain.with { $0.hashedModel = with("note", in: plain) }),
                finds: [[]], "!digest"),
        ]
    ])

    private static let strangers = CheckCase.of([
        "mirror-pending": [
            damaged(
                "DROP TABLE ZBOOKMARK; CREATE TABLE ZBOOKMARK (Z_ENT, ZTITLE)",
                in: twoEntities.with {
                    $0.mirror = .current
                    $0.records[0].cloudRecordName = "A"
                }, finds: [])
        ]
    ])
}
