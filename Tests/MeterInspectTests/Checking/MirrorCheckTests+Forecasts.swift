import CoreDataStore
import GRDB
import MeterStore
import MeterTestSupport

/// What the mirror does with the rows when the app opens.
extension MirrorCheckTests {
    private static func zone(_ column: String) -> String { "UPDATE ANSCKRECORDZONEMETADATA SET \(column) = 1" }

    private static let purge = zone("ZNEEDSRECOVERYFROMUSERPURGE")
    /// Row 6 is in another zone.
    private static let elsewhere =
        "INSERT INTO ANSCKRECORDZONEMETADATA (Z_PK, ZCKRECORDZONENAME) VALUES (9, 'other'); "
        + "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 9 WHERE ZENTITYPK = 6; "
    private static let unseen = "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 6"

    private static func failing(_ domain: String, _ code: Int64, finds rows: [[Int64]], _ words: String...) -> CheckCase
    {
        CheckCase("\(domain) \(code)", mirrored.failing(.incoming, domain, code), finds: rows, words: words)
    }

    private static func flagged(_ key: String) -> String {
        unseen + "; INSERT INTO ANSCKMETADATAENTRY (Z_PK, ZKEY, ZBOOLVALUENUM) VALUES (90, '\(key)', 1)"
    }

    /// What the mirror does when the app opens.
    static let forecasts = CheckCase.of([
        "mirror-deletes-here": [
            damaged(
                purge, finds: [[5, 6]], "2 objects of DeviceSettings are deleted here when the app opens this store",
                "this store may be the last copy → do NOT open the app"),
            damaged(elsewhere + purge + " WHERE Z_PK = 1", finds: [[5]], "1 object of DeviceSettings is deleted here"),
            damaged(elsewhere + purge + " WHERE Z_PK = 9", finds: [[6]]),
            damaged("INSERT INTO ANSCKRECORDZONEMETADATA (Z_PK, ZNEEDSRECOVERYFROMUSERPURGE) VALUES (9, 1)", finds: []),
            damaged(purge + "; DELETE FROM ZDEVICESETTINGS", finds: []),
            damaged(purge + "; DELETE FROM ANSCKRECORDMETADATA", finds: []),
            damaged(zone("ZNEEDSRECOVERYFROMZONEDELETE"), finds: []),
            CheckCase(
                "a store of schema v1",
                mirrored.with { $0.hashedModel = USBMeterModel.v1 }.damaged(purge + "; " + constraint), finds: [[5, 6]]),
            damaged(purge + "; CREATE UNIQUE INDEX mac ON ZDEVICESETTINGS (ZMACADDRESS)", finds: [[5, 6]]),
            damaged("DELETE FROM ATRANSACTION", finds: []),
            failing("CKErrorDomain", 28, finds: [[5, 6]], "the user deleted the app's data in iCloud", "last copy"),
            failing("NSCocoaErrorDomain", 28, finds: []),
            failing("NSCocoaErrorDomain", 134_405, finds: [[5, 6]], "the iCloud account has changed", "last copy"),
            failing("NSCocoaErrorDomain", 134_301, finds: [[5, 6]], "what was not uploaded is in this store alone"),
            CheckCase(
                "an error that deletes what is not there",
                mirrored.failing(.incoming, "CKErrorDomain", 28).damagedFurther("DELETE FROM ANSCKRECORDMETADATA"),
                finds: []),
            CheckCase("no mirror", mirrored.with { $0.mirror = .none }, finds: []),
        ],
        "mirror-uploads-again": [
            damaged(zone("ZNEEDSRECOVERYFROMZONEDELETE"), finds: [[]], "the record zone was deleted in CloudKit"),
            damaged(zone("ZNEEDSRECOVERYFROMIDENTITYLOSS"), finds: [[]], "the key to the encrypted data"),
            damaged(
                "INSERT INTO ANSCKRECORDZONEMETADATA (Z_PK, ZNEEDSRECOVERYFROMZONEDELETE) VALUES (9, 1)", finds: []),
            damaged(zone("ZNEEDSRECOVERYFROMZONEDELETE") + "; DELETE FROM ANSCKRECORDMETADATA", finds: [[]]),
            damaged(zone("ZNEEDSRECOVERYFROMZONEDELETE") + ", ZNEEDSRECOVERYFROMUSERPURGE = 1", finds: []),
            failing("CKErrorDomain", 21, finds: [[]], "the last import failed with CKErrorDomain 21: "),
            failing("CKErrorDomain", 26, finds: [[]]),
            failing("CKErrorDomain", 112, finds: [[]]),
            failing("CKErrorDomain", 25, finds: []),
            damaged("UPDATE Z_METADATA SET Z_UUID = 'X'", finds: []),
        ],
        "mirror-left-behind": [
            damaged(unseen, finds: [[6]], "1 object of DeviceSettings that the mirror passes over is not uploaded"),
            damaged("DELETE FROM ANSCKRECORDMETADATA", finds: [[5, 6]], "before the app changes them →"),
            // An app may keep an entity out of the history, and so out of the mirror.
            damaged("INSERT INTO ZBOOKMARK (Z_PK, Z_ENT) VALUES (3, 1)", finds: []),
            damaged(
                unseen + "; INSERT INTO ZBOOKMARK (Z_PK, Z_ENT) VALUES (3, 1); " + change(0, entity: 1, row: 3, in: 2),
                finds: [[3], [6]], "of Bookmark"),
            damaged(
                "INSERT INTO ZBOOKMARK (Z_PK, Z_ENT) VALUES (3, 1), (4, 1); " + add("1", "4"), finds: [[3]],
                "1 object of Bookmark"),
            damaged(unseen + "; " + change(0, entity: 2, row: 6), finds: []),
            damaged(unseen + "; " + change(1, entity: 2, row: 6), finds: []),
            damaged(unseen + "; " + change(1, entity: 2, row: 6, in: 2), finds: [[6]]),
            damaged(unseen + "; " + change(1, entity: 2, row: 5), finds: [[6]]),
            damaged(flagged("NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey"), finds: []),
            damaged(flagged("NSCloudKitMirroringDelegateBypassHistoryOnExportKey"), finds: [[6]]),
            damaged(unseen + "; " + zone("ZNEEDSRECOVERYFROMZONEDELETE"), finds: []),
            damaged(unseen + "; DELETE FROM ATRANSACTION", finds: []),
            CheckCase(
                "no token",
                mirrored.with {
                    $0.historyToken = .none
                    $0.damage = { try $0.execute(sql: unseen) }
                }, finds: []),
            CheckCase("no mirror", mirrored.with { $0.mirror = .none }, finds: []),
        ],
    ])
}
