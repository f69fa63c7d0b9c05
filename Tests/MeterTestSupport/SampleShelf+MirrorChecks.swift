internal import CoreDataStore

/// One sample a check of the CloudKit mirror.
extension SampleShelf {
    private typealias Clock = FixtureClock
    private static let mirrored = StoreFixture(records: SampleRecords.mirrored(SampleRecords.household)).with {
        $0.mirror = .current
    }

    private static let storm = mirrored.saved([
        .init(
            deleting: Array(1...5),
            making: SampleRecords.household.map { record in
                record.with {
                    $0.row += 5
                    $0.id = FixtureUUID(600 + UInt64($0.row)).bytes
                }
            }, at: Clock.now - 3 * Clock.hour + 0.453125)
    ])

    private static let restart = mirrored.with {
        $0.mirrorEvents =
            [
                MirrorEvent(
                    .outgoing, at: Clock.now - 10 * Clock.day, succeeded: false, errorDomain: "NSCocoaErrorDomain",
                    errorCode: 134_301)
            ] + MirrorEvent.allWell
    }.saved([
        .init(deleting: Array(1...5), at: Clock.now - 10 * Clock.day + 5.25).with {
            $0.author = "NSCloudKitMirroringDelegate.reset"
            $0.isUploaded = true
        },
        .init(
            making: SampleRecords.mirrored(SampleRecords.household).dropLast().map { record in
                record.with { $0.row += 5 }
            }, at: Clock.now - 10 * Clock.day + 60.5
        ).with { $0.author = FixtureSave.mirrorImport },
    ]).damagedFurther(
        // What was downloaded again is known to the mirror.
        """
        INSERT INTO ANSCKRECORDMETADATA (Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZNEEDSCLOUDDELETE,
            ZNEEDSLOCALDELETE, ZNEEDSUPLOAD, ZRECORDZONE, ZCKRECORDNAME)
        SELECT 100 + s.Z_PK, m.Z_ENT, 1, s.Z_ENT, s.Z_PK, 0, 0, 0, 1, hex(s.ZID)
        FROM ZDEVICESETTINGS s, Z_PRIMARYKEY m WHERE m.Z_NAME = 'NSCKRecordMetadata';
        UPDATE Z_PRIMARYKEY SET Z_MAX = 200 WHERE Z_NAME = 'NSCKRecordMetadata'
        """)

    static let mirrorChecks = [
        Sample(
            "check-mirror-unknown-entity", "Record metadata of entity 42, which the store does not have.",
            expects: ["mirror-unknown-entity"],
            mirrored.damaged(addRecordMetadata(row: 6, entity: "42", object: 99, name: SampleRecords.cloudName(42)))),
        Sample(
            "check-mirror-duplicate-metadata",
            "Two record metadata rows for row 1; the unique index that should stop it is gone.",
            expects: ["mirror-duplicate-metadata"],
            mirrored.damaged(
                "DROP INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK; "
                    + addRecordMetadata(
                        row: 6, entity: "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'DeviceSettings')", object: 1,
                        name: SampleRecords.cloudName(41)))),
        Sample(
            "check-mirror-orphan",
            "Row 4 was deleted with a SQLite editor: its record metadata is there, the history knows of no delete.",
            expects: ["mirror-orphan"], mirrored.damaged("DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 4")),
        Sample(
            "check-delete-storm",
            "The deprecated rebuild deleted all five records and made them again, three hours ago; nothing is uploaded.",
            expects: ["delete-storm", "mirror-pending"], storm),
        Sample(
            "check-recovered-store",
            "SQLite's .recover put the file together: it did not know where the row of one meter belonged.",
            expects: ["recovered-store", "mirror-orphan"],
            mirrored.with { $0.journalMode = .delete }.damaged(
                """
                CREATE TABLE lost_and_found (rootpgno INTEGER, pgno INTEGER, nfield INTEGER, id INTEGER, c0, c1);
                INSERT INTO lost_and_found VALUES (38, 38, 17, 4, NULL, 1);
                DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 4
                """)),
        Sample(
            "check-mass-delete", "The mirror's import deleted all five records in one transaction.",
            expects: ["mass-delete"], mirrored.damaged(StoreFixture.deletion(of: 1...5))),
        Sample(
            "check-mirror-deletes-here",
            "The user deleted the app's data in iCloud: the mirror has noted it at the zone and has not acted yet.",
            expects: ["mirror-deletes-here"],
            mirrored.damaged("UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMUSERPURGE = 1")),
        Sample(
            "check-mirror-uploads-again", "The record zone is gone from CloudKit: the mirror has noted it at the zone.",
            expects: ["mirror-uploads-again"],
            mirrored.damaged("UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMZONEDELETE = 1")),
        Sample(
            "check-mirror-left-behind",
            "Somebody deleted the record metadata of rows 2 and 3: the mirror does not know that they are there.",
            expects: ["mirror-left-behind"],
            mirrored.damaged("DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK IN (2, 3)")),
        Sample(
            "check-mirror-failing", "The last export failed: 134400, no iCloud account.", expects: ["mirror-failing"],
            mirrored.with {
                $0.mirrorEvents.append(
                    MirrorEvent(
                        .outgoing, at: Clock.now - Clock.hour, succeeded: false, errorDomain: "NSCocoaErrorDomain",
                        errorCode: 134_400))
            }),
        Sample(
            "check-mirror-pending", "The upload of row 2 is pending; row 5 is new and has no record metadata yet.",
            expects: ["mirror-pending"],
            mirrored.with {
                $0.records[1].needsUpload = true
                $0.records[4].cloudRecordName = nil
            }),
        Sample(
            "check-delete-pending-alive",
            "Row 3 is there, and its record metadata says that it is to be deleted in CloudKit.",
            expects: ["delete-pending-alive", "mirror-pending"],
            mirrored.damaged("UPDATE ANSCKRECORDMETADATA SET ZNEEDSCLOUDDELETE = 1 WHERE ZENTITYPK = 3")),
        Sample(
            "check-mirror-stalled", "The mirror began to set itself up twelve days ago, and that never ended.",
            expects: ["mirror-stalled"],
            mirrored.with {
                $0.mirrorEvents = [
                    MirrorEvent(.incoming, at: Clock.now - 20 * Clock.day),
                    .running(.setup, since: Clock.now - 12 * Clock.day),
                ]
            }),
        Sample(
            "check-mirror-not-downloaded", "A new phone: the mirror is set up, and its first import was cut off.",
            expects: ["mirror-not-downloaded"],
            mirrored.with {
                $0.mirrorEvents = [
                    MirrorEvent(.setup, at: Clock.now - 2 * Clock.hour),
                    .running(.incoming, since: Clock.now - 2 * Clock.hour + 4),
                ]
            }),
        Sample(
            "check-mirror-started-over",
            "The place in the history was lost: the mirror deleted all records and downloaded them again, but for one.",
            expects: ["mirror-started-over"], restart),
        Sample(
            "check-mirror-relationship-pending",
            "A charging session has arrived, and the meter that it refers to has not.",
            expects: ["mirror-relationship-pending"],
            mirrored.damaged(
                """
                INSERT INTO ANSCKIMPORTPENDINGRELATIONSHIP (Z_PK, Z_ENT, Z_OPT, ZCDENTITYNAME, ZRECORDNAME,
                    ZRELATEDENTITYNAME, ZRELATEDRECORDNAME, ZRELATIONSHIPNAME)
                SELECT 1, Z_ENT, 1, 'ChargeSession', '\(SampleRecords.cloudName(44))', 'DeviceSettings',
                    '\(SampleRecords.cloudName(43))', 'meter'
                FROM Z_PRIMARYKEY WHERE Z_NAME = 'NSCKImportPendingRelationship';
                UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'NSCKImportPendingRelationship'
                """)),
        Sample(
            "check-mirror-token-lost",
            "Somebody emptied the history to make the file smaller: the mirror's token names a transaction that is gone.",
            expects: ["mirror-token-lost"], mirrored.damaged("DELETE FROM ATRANSACTION; DELETE FROM ACHANGE")),
        Sample(
            "check-mirror-collision",
            "Record metadata of entity 2, which the model no longer has, with the row number of a living record.",
            expects: ["mirror-unknown-entity", "mirror-collision"],
            mirrored.damaged(addRecordMetadata(row: 6, entity: "2", object: 1, name: SampleRecords.cloudName(42)))),
        Sample(
            "check-mirror-unnamed", "Row 3 has record metadata without a CloudKit record name, and nothing is pending.",
            expects: ["mirror-unnamed"],
            mirrored.damaged("UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = NULL WHERE ZENTITYPK = 3")),
        Sample(
            "check-mirror-unfinished", "An export was cut off: the objects it was about to export are still noted.",
            expects: ["mirror-unfinished"],
            mirrored.with {
                let change = MirrorAnalysis.Change(type: 1, transaction: 5)
                $0.mirrorAnalyses = [MirrorAnalysis(row: 3, original: change, final: change)]
            }),
    ]

    private static func addRecordMetadata(row: Int, entity: String, object: Int, name: String) -> String {
        """
        INSERT INTO ANSCKRECORDMETADATA (Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZNEEDSCLOUDDELETE,
            ZNEEDSLOCALDELETE, ZNEEDSUPLOAD, ZRECORDZONE, ZCKRECORDNAME)
        SELECT \(row), Z_ENT, 1, \(entity), \(object), 0, 0, 0, 1, '\(name)'
        FROM Z_PRIMARYKEY WHERE Z_NAME = 'NSCKRecordMetadata';
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(row) WHERE Z_NAME = 'NSCKRecordMetadata'
        """
    }
}
