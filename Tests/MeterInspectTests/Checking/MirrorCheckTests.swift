import CoreDataStore
import GRDB
import MeterStore
import MeterTestSupport
import Testing

/// Each check of the CloudKit mirror at its limits. Rows 5 and 6 are records with record metadata; row 1 of Bookmark,
/// entity 1, has none of its own.
@Suite("a check of the mirror")
struct MirrorCheckTests {
    static let mirrored = StoreFixture(
        records: [
            Meters.healthy.with { $0.cloudRecordName = "FIVE" },
            Meters.other(6, "A4:C1:38:0B:7E:66", "Shed", inCloudAs: "SIX"),
        ]
    ).with {
        $0.mirror = .current
        $0.extraEntities = [Entity("Bookmark", attributes: [Attribute("title", .string)])]
    }

    @Test(
        "finds what is wrong and nothing else:",
        arguments: metadata + orphans + relationships + backlog + forecasts + tokens + identities + never)
    func objects(_ testCase: CheckCase) throws { try testCase.run() }

    @Test("finds the last event of a kind if it failed:", arguments: events)
    func lastEvents(_ testCase: CheckCase) throws { try testCase.run() }

    @Test("finds nothing in a mirrored store with nothing wrong")
    func healthy() throws { #expect(try TestStore(Self.mirrored).findings() == []) }

    static func damaged(_ sql: String, finds rows: [[Int64]], _ words: String...) -> CheckCase {
        CheckCase(sql, mirrored.damaged(sql), finds: rows, words: words)
    }

    /// The index of schema v1.
    static let constraint =
        "CREATE UNIQUE INDEX Z_DeviceSettings_UNIQUE_macAddress ON ZDEVICESETTINGS (ZMACADDRESS COLLATE BINARY ASC)"

    static func add(_ entity: String, _ row: String) -> String {
        "INSERT INTO ANSCKRECORDMETADATA (Z_PK, ZENTITYID, ZENTITYPK) VALUES (90, \(entity), \(row))"
    }

    private static let unique = "DROP INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK; "

    private static let metadata = CheckCase.of([
        "mirror-unknown-entity": [
            damaged(add("42", "1"), finds: [[]], "1 record in", "number 42"),
            damaged(add("42", "1") + ", (91, 42, 2)", finds: [[]], "2 records in"),
            damaged(add("17001", "1"), finds: []),
            damaged(add("NULL", "1"), finds: []),
            damaged("DELETE FROM Z_PRIMARYKEY", finds: []),
        ],
        "mirror-duplicate-metadata": [
            damaged(unique + add("2", "5"), finds: [[5]], "2 rows", "row 5 of DeviceSettings"),
            damaged(unique + add("42", "5") + ", (91, 42, 5)", finds: [[5]], "of entity 42"),
            damaged(add("NULL", "5") + ", (91, NULL, 5)", finds: []),
            damaged(add("2", "NULL") + ", (91, 2, NULL)", finds: []),
            CheckCase("no mirror", mirrored.with { $0.mirror = .none }, finds: []),
        ],
    ])

    private static let gone = "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 6; "

    /// - Parameter transaction: the mirror has read 2, and 3 is new.
    static func change(_ type: Int, entity: Int, row: Int, in transaction: Int = 3) -> String {
        "INSERT OR IGNORE INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (\(transaction), 16002, 1); "
            + "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) "
            + "VALUES (3, 16001, \(type), \(entity), \(row), \(transaction))"
    }

    private static func set(_ assignment: String) -> String {
        "UPDATE ANSCKRECORDMETADATA SET \(assignment) WHERE ZENTITYPK = 6"
    }

    private static let orphans = CheckCase.of([
        "mirror-orphan": [
            damaged(gone, finds: [[6]], "1 object of DeviceSettings deleted", "in CloudKit as SIX →"),
            damaged("DELETE FROM ZDEVICESETTINGS", finds: [[5, 6]], "2 objects", "as FIVE and SIX →"),
            damaged(gone + change(2, entity: 2, row: 6), finds: []),
            damaged(gone + change(2, entity: 2, row: 6, in: 2), finds: [[6]], "→ meterfix fix mirror-orphan"),
            damaged(gone + change(1, entity: 2, row: 6), finds: [[6]]),
            damaged(gone + change(2, entity: 3, row: 6), finds: [[6]]),
            damaged(gone + change(2, entity: 2, row: 5), finds: [[6]]),
            damaged("DELETE FROM ZDEVICESETTINGS; " + change(2, entity: 2, row: 5), finds: [[6]]),
            damaged(gone + set("ZNEEDSCLOUDDELETE = 1"), finds: []),
            damaged(gone + set("ZNEEDSCLOUDDELETE = NULL"), finds: [[6]]),
            damaged(gone + set("ZCKRECORDNAME = NULL"), finds: [[6]], "!still in CloudKit"),
            damaged(gone + set("ZCKRECORDNAME = X'41'"), finds: [[6]], "!still in CloudKit"),
            damaged(add("2", "NULL"), finds: []),
            damaged(add("1", "1"), finds: [[1]], "of Bookmark"),
            damaged("DROP TABLE ZBOOKMARK; CREATE TABLE ZBOOKMARK (ZTITLE); " + add("1", "1"), finds: []),
            CheckCase(
                "the oldest mirror, without history",
                mirrored.with {
                    $0.mirror = .oldest
                    $0.history = .none
                    $0.damage = { try $0.execute(sql: gone) }
                }, finds: [[6]], "in CloudKit as SIX →"),
        ]
    ])

    private static let relationship = "INSERT INTO ANSCKIMPORTPENDINGRELATIONSHIP (Z_PK, ZCDENTITYNAME) VALUES (1, 'A')"

    private static let relationships = CheckCase.of([
        "mirror-relationship-pending": [
            damaged(
                relationship, finds: [[]], "1 relationship to a record that has not been downloaded from CloudKit →",
                "→ open the app"),
            damaged(
                relationship + ", (2, NULL)", finds: [[]], "2 relationships to records that have not been downloaded"),
            damaged("DROP TABLE ANSCKIMPORTPENDINGRELATIONSHIP", finds: []),
            CheckCase("no mirror", mirrored.with { $0.mirror = .none }, finds: []),
            CheckCase("the oldest", mirrored.with { $0.mirror = .oldest }, finds: []),
        ]
    ])

    private static let backlog = CheckCase.of([
        "mirror-pending": [
            damaged(
                set("ZNEEDSUPLOAD = 1"), finds: [[]],
                "pending for CloudKit: 1 upload: row 6 of A4:C1:38:0B:7E:66 \"Shed\" → open the app and leave it open",
                "; `meterfix sync "),
            damaged(
                set("ZNEEDSCLOUDDELETE = 1"), finds: [[]], "1 delete: row 6 of A4:C1:38:0B:7E:66 \"Shed\" (deleted) →"),
            damaged(set("ZENTITYPK = 7"), finds: []),
            damaged(set("ZNEEDSUPLOAD = 1, ZNEEDSCLOUDDELETE = 1"), finds: [[]], ": 1 delete: row 6"),
            damaged(
                change(1, entity: 2, row: 6), finds: [[]], "1 upload, since 2001-01-01T00:00:01.000Z: row 6 of A4:",
                "→ they have been pending for more than a day: have the user open the app"),
            damaged(
                change(1, entity: 2, row: 6)
                    + "; UPDATE ATRANSACTION SET ZTIMESTAMP = \(FixtureClock.now - 86_400) WHERE Z_PK = 3", finds: [[]],
                "since 2026-11-20T12:00:00.000Z: row 6", "→ open the app and leave it open"),
            damaged(
                change(1, entity: 2, row: 6) + "; UPDATE ACHANGE SET ZCOLUMNS = X'FFFE' WHERE Z_PK = 3", finds: [[]],
                "\"Shed\" (meterName, tc66TemperatureUnit, modelType and 12 more) →"),
            damaged(change(0, entity: 1, row: 9), finds: [[]], ": row 9 of Bookmark (new) →"),
            damaged(
                change(0, entity: 1, row: 9)
                    + ", (4, 16001, 0, 1, 10, 3), (5, 16001, 0, 1, 11, 3), (6, 16001, 0, 1, 12, 3)", finds: [[]],
                "row 9 of Bookmark (new), row 10 of Bookmark (new), row 11 of Bookmark (new) and 1 more →"),
            damaged(
                set("ZNEEDSUPLOAD = 1") + "; DELETE FROM ATRANSACTION; DELETE FROM ACHANGE", finds: [[]],
                "→ rows are deleted here when the app opens this store: save a copy of it, with its -wal, before; `meterfix sync "
            ),
            damaged(
                set("ZNEEDSUPLOAD = 1") + "; UPDATE ANSCKEVENT SET ZSUCCEEDED = 0 WHERE ZCLOUDKITEVENTTYPE = 2",
                finds: [[]], "→ it is not known whether it is sent: see mirror-failing"),
            CheckCase(
                "a store of schema v1",
                mirrored.with { $0.hashedModel = USBMeterModel.v1 }
                    .damaged(set("ZNEEDSUPLOAD = 1") + "; " + constraint), finds: [[]],
                "→ nothing is sent before a migration: see uniqueness-constraint"),
            damaged(
                set("ZNEEDSUPLOAD = 1") + "; " + change(2, entity: 2, row: 5), finds: [[]],
                "1 upload and 1 delete, since", "row 5 of A4:C1:38:0B:7E:99 \"Lab\" (deleted) and row 6 of A4:"),
            CheckCase(
                "a row without metadata, and no token",
                mirrored.with {
                    $0.historyToken = .none
                    $0.history = .none
                    $0.damage = { try $0.execute(sql: set("ZENTITYPK = 7")) }
                }, finds: [[]], ": 1 upload: row 6 of A4:C1:38:0B:7E:66 \"Shed\" (new) → open the app"),
            damaged(
                "DROP TABLE ZBOOKMARK; CREATE TABLE ZBOOKMARK (Z_PK, ZTITLE); INSERT INTO ZBOOKMARK VALUES (1, 'a')",
                finds: []),
            damaged(
                "DROP TABLE ZBOOKMARK; CREATE TABLE ZBOOKMARK (Z_ENT, ZTITLE); INSERT INTO ZBOOKMARK VALUES (1, 'a')",
                finds: []),
        ]
    ])

    /// Stores that have never been to CloudKit.
    private static let never = CheckCase.of([
        "not-mirrored": [
            damaged("DELETE FROM ANSCKRECORDMETADATA", finds: []),
            damaged("DELETE FROM ANSCKEVENT", finds: []),
            damaged(
                "DELETE FROM ANSCKRECORDMETADATA; DELETE FROM ANSCKEVENT", finds: [[]],
                "the tables of CloudKit's mirror are there", "no record and no export that succeeded"),
            damaged(
                "DELETE FROM ANSCKRECORDMETADATA; UPDATE ANSCKEVENT SET ZSUCCEEDED = 0 WHERE ZCLOUDKITEVENTTYPE = 2",
                finds: [[]], "no export that succeeded"),
            damaged("DELETE FROM ANSCKRECORDMETADATA; DELETE FROM ANSCKEVENT", finds: [[]]),
            // It was there once: a table is missing.
            damaged("DELETE FROM ANSCKRECORDMETADATA; DROP TABLE ANSCKEVENT", finds: []),
            CheckCase(
                "no tables of the mirror", mirrored.with { $0.mirror = .none }, finds: [[]],
                "no tables of CloudKit's mirror → have the user sign in to iCloud"),
            CheckCase(
                "schema v1, which cannot be mirrored",
                mirrored.with {
                    $0.version = .v1
                    $0.mirror = .none
                }, finds: []),
            CheckCase(
                "a store of another app",
                mirrored.with { $0.mirror = .none }.damaged("ALTER TABLE ZDEVICESETTINGS RENAME TO ZOTHER"), finds: []),
        ]
    ])

    private static let tokens = CheckCase.of([
        "mirror-token-lost": [
            damaged("DELETE FROM ATRANSACTION WHERE Z_PK = 1", finds: []),
            damaged("DELETE FROM ATRANSACTION WHERE Z_PK = 2", finds: [[]], "names transaction 2", "goes up to 1"),
            damaged("DELETE FROM ATRANSACTION", finds: [[]], "the history is empty", "deleted here"),
            damaged("UPDATE Z_METADATA SET Z_UUID = 'X'", finds: [[]], "from another store"),
            damaged("UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = X'00'", finds: [[]], "cannot be decoded"),
            CheckCase(
                "a token ahead of the history", mirrored.with { $0.historyToken = .transaction(9) }, finds: [[]],
                "names transaction 9"),
            CheckCase(
                "no token", mirrored.with { $0.historyToken = .none }, finds: [[]],
                "uploads what it has uploaded before"),
            CheckCase("no mirror", mirrored.with { $0.mirror = .none }, finds: []),
        ],
        "mirror-unfinished": [
            damaged("INSERT INTO ANSCKHISTORYANALYZERSTATE (Z_PK) VALUES (1), (2)", finds: [[]], "2 objects left"),
            damaged(
                "INSERT INTO ANSCKMETADATAENTRY (Z_PK, ZKEY, ZBOOLVALUENUM) VALUES "
                    + "(90, 'NSCloudKitMirroringDelegateBypassHistoryOnExportKey', 1), "
                    + "(91, 'PFCloudKitMetadataModelMigratorMigrationBeganCommitKey', 1)", finds: [[], []],
                "leaves out the history"),
            damaged(
                "INSERT INTO ANSCKMETADATAENTRY (Z_PK, ZKEY, ZBOOLVALUENUM) VALUES "
                    + "(90, 'NSCloudKitMirroringDelegateBypassHistoryOnExportKey', 0)", finds: []),
        ],
    ])

    private static let identities = CheckCase.of([
        "mirror-collision": [
            damaged(add("3", "5"), finds: [[5]], "entity 3", "does not open any more"),
            damaged(add("3", "5") + ", (91, 3, 6), (92, 4, 6)", finds: [[5, 6], [6]]),
            damaged(add("3", "99"), finds: []),
            damaged(add("17001", "5"), finds: []),
            damaged(add("1", "5"), finds: []),
            damaged("DELETE FROM Z_PRIMARYKEY", finds: []),
            damaged(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (3, 'DeviceSettings', 0, 6); "
                    + add("3", "5"), finds: [[5]]),
        ],
        "mirror-unnamed": [
            damaged(set("ZCKRECORDNAME = NULL"), finds: [[6]], "1 object of DeviceSettings"),
            damaged(set("ZRECORDZONE = NULL"), finds: [[6]]),
            damaged(set("ZCKRECORDNAME = NULL, ZNEEDSUPLOAD = 1"), finds: []),
            damaged(set("ZCKRECORDNAME = NULL") + "; " + change(1, entity: 2, row: 6), finds: []),
            damaged(gone + set("ZCKRECORDNAME = NULL"), finds: []),
        ],
        "entity-name-duplicate": [
            damaged(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (9, 'Bookmark', 0, 0)", finds: [[]],
                "Bookmark has the numbers 1 and 9")
        ],
        "column-missing": [
            damaged(
                "ALTER TABLE ZBOOKMARK DROP COLUMN ZTITLE", finds: [[]], "ZBOOKMARK has no column for title of Bookmark"
            ),
            damaged("DROP TABLE ZBOOKMARK", finds: []),
            CheckCase(
                "a model of other hashes",
                mirrored.with {
                    $0.hashedModel = $0.model
                    $0.extraEntities[0].attributes.append(Attribute("url", .string))
                    $0.damage = { try $0.execute(sql: "ALTER TABLE ZBOOKMARK DROP COLUMN ZURL") }
                }, finds: []),
        ],
    ])

    private static let hour = FixtureClock.hour
    private static let now = FixtureClock.now

    private static func happened(
        _ description: String, _ events: [MirrorEvent], in fixture: StoreFixture = mirrored,
        after sql: String = "SELECT 1", finds count: Int, _ word: String = "", _ otherWord: String = ""
    ) -> CheckCase {
        CheckCase(
            description,
            fixture.with {
                $0.mirrorEvents = events
                $0.damage = { try $0.execute(sql: sql) }
            }, finds: Array(repeating: [], count: count), word, otherWord)
    }

    private static func failed(
        _ kind: MirrorEvent.Kind, at time: Double, domain: String? = "NSCocoaErrorDomain", code: Int64? = 134_421
    ) -> MirrorEvent {
        MirrorEvent(kind, at: time, succeeded: false, errorDomain: domain, errorCode: code)
    }

    private static let events = CheckCase.of([
        "mirror-failing": [
            happened("all well", MirrorEvent.allWell, finds: 0),
            happened("a failure", [failed(.outgoing, at: now - hour)], finds: 1, "the last export failed at"),
            happened("put off", [failed(.outgoing, at: now - hour, code: 134_419)], finds: 0),
            happened(
                "a failure, and one after it that was put off",
                [failed(.outgoing, at: now - hour), failed(.outgoing, at: now - hour + 1, code: 134_417)], finds: 1,
                "NSCocoaErrorDomain 134421, the mirror's own code failed"),
            happened(
                "a failure, and a success after it",
                [failed(.outgoing, at: now - hour), MirrorEvent(.outgoing, at: now - hour + 1)], finds: 0),
            happened(
                "a failure, and a success after it, when the clock was set back",
                [failed(.outgoing, at: now - hour), MirrorEvent(.outgoing, at: now - hour - 1)], finds: 0),
            happened(
                "a success, and a failure after it, when the clock was set back",
                [MirrorEvent(.outgoing, at: now + 700 * 24 * hour), failed(.outgoing, at: now - hour)], finds: 1),
            happened(
                "a failure, and a success of the same moment after it",
                [failed(.outgoing, at: now - hour), MirrorEvent(.outgoing, at: now - hour)], finds: 0),
            happened(
                "a failure, and a success of another kind",
                [failed(.outgoing, at: now - hour), MirrorEvent(.incoming, at: now - hour + 1)], finds: 1),
            happened(
                "two failures", [failed(.outgoing, at: now - hour), failed(.setup, at: now - hour)], finds: 2,
                "the last setup failed"),
            happened(
                "one that has not ended", [failed(.outgoing, at: now - hour)],
                after: "UPDATE ANSCKEVENT SET ZENDEDAT = NULL", finds: 0),
            happened(
                "a failure, and one after it that has not ended",
                [failed(.outgoing, at: now - hour), MirrorEvent(.outgoing, at: now - hour + 1)],
                after: "UPDATE ANSCKEVENT SET ZENDEDAT = NULL WHERE ZSUCCEEDED = 1", finds: 1),
            happened(
                "a failure, one that has not ended, and a success after both",
                [
                    failed(.outgoing, at: now - hour), MirrorEvent(.outgoing, at: now - hour + 1),
                    MirrorEvent(.outgoing, at: now - hour + 2),
                ], after: "UPDATE ANSCKEVENT SET ZENDEDAT = NULL WHERE Z_PK = 2", finds: 0),
            happened(
                "without an error", [failed(.outgoing, at: now - hour, domain: nil, code: nil)], finds: 1,
                ": the mirror stopped without a reason; "),
            happened(
                "of no domain", [failed(.outgoing, at: now - hour, domain: "", code: 25)], finds: 1,
                "error 25 without a domain, the mirror stopped without a reason"),
            happened(
                "unknown", [failed(.outgoing, at: now - hour, domain: "CKErrorDomain", code: 134_400)], finds: 1,
                "CKErrorDomain 134400, an error that meterfix does not know; "),
            happened(
                "no account", [failed(.outgoing, at: now - hour, code: 134_400)], finds: 1, "→ have the user sign in"),
            happened(
                "iCloud full", [failed(.outgoing, at: now - hour, domain: "CKErrorDomain", code: 25)], finds: 1,
                "CKErrorDomain 25, the user's iCloud storage is full",
                "; the store has 2 rows of DeviceSettings → have the user make room in iCloud"),
            happened(
                "rows that will be deleted", [failed(.setup, at: now - hour, code: 134_301)], finds: 1,
                "; the mirror deletes the rows on this device", "→ save a copy of the store"),
            happened(
                "a constraint, in v2", [failed(.setup, at: now - hour, code: 134_060)], finds: 1,
                "→ open the app once more"),
            happened(
                "a constraint, in v1", [failed(.setup, at: now - hour, code: 134_060)],
                in: mirrored.with { $0.version = .v1 }, finds: 1, "→ meterfix migrate"),
            happened(
                "that code of another domain, in v1",
                [failed(.setup, at: now - hour, domain: "CKErrorDomain", code: 134_060)],
                in: mirrored.with { $0.version = .v1 }, finds: 1, "!→ meterfix migrate"),
        ]
    ])
}
