import Foundation
import MeterInspect
import MeterTestSupport
import Testing

/// The documents of the commands that only look.
extension JSONDocuments {
    private static let marked = "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1"
    private static let zoneGone = "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMZONEDELETE = 1"

    mutating func look() throws {
        let folder = try ScratchFolder(
            samples:
                "blob", "duplicates", "healthy", "renamed", "check-metadata-blob-malformed", "check-lock-torn",
            "lock-stuck", "v1", "check-names-lost", "wal-only")
        try run("verify", "--list-checks", in: folder)
        try run("verify", "--explain", "lock-torn", in: folder)
        try run("verify", "healthy.sqlite", "missing.sqlite", in: folder)
        try folder.write("{ \"cloudStoreRebuildVersion.3\" = YES; }", to: "done.plist")
        try folder.write("{ a = 1; }", to: "other.plist")
        try folder.copySampleFile("check-rebuild-marker-missing.sqlite", as: "unmarked.sqlite")
        for (preferences, sample) in [("done", "healthy"), ("other", "healthy"), ("done", "unmarked")] {
            try run("verify", "--preferences", "\(preferences).plist", "\(sample).sqlite", in: folder)
        }
        // A log that stayed behind, of a store with changes that have dates.
        try folder.copySampleFile("healthy.sqlite", as: "forgotten.sqlite")
        try folder.copySampleFile("check-wal-missing.sqlite-shm", as: "forgotten.sqlite-shm")
        try run("status", "forgotten.sqlite", in: folder)
        try folder.makeTableOfUnknownModule(in: "forgotten.sqlite")
        try run("status", "forgotten.sqlite", in: folder)
        for (app, sample) in [("a", "healthy.sqlite"), ("b", "truncated.sqlite")] {
            try folder.makeFolder("Library/Application Support/" + app)
            try folder.copySampleFile(sample, as: "Library/Application Support/\(app)/CKModel.sqlite")
        }
        try run("where", ".", in: folder)
        try folder.makeFolder("backups")
        var backup = try DeviceBackupFixture(at: folder.path + "/backups/ana", fileID: DeviceBackup.fileID)
        try backup.add(store: folder.path + "/healthy.sqlite")
        backup.add(.init("?", DeviceBackupFixture.domain, "../CKModel.sqlite"))
        try backup.finish()
        try run("where", "backups", in: folder)
        try run("where", "backups/ana", in: folder)
        try run("where", "--copy-to", "copy", "backups/ana", in: folder)
        try run("verify", "--frobnicate", in: folder)
        try run("frobnicate", in: folder)
        try run("meters", "--find", "che", "check-names-lost.sqlite", in: folder)
        for name in ["duplicates", "healthy"] { try run("meters", "\(name).sqlite", in: folder) }
        for name in ["blob", "check-metadata-blob-malformed", "check-lock-torn", "lock-stuck"] {
            try run("meters", "--locked", "\(name).sqlite", in: folder)
            try run("devices", "\(name).sqlite", in: folder)
            try run("meters", "\(name).sqlite", in: folder)
        }
        try sync()
        try circumstances()
        try log()
        try devices()
        for name in ["check-names-lost", "healthy", "wal-only"] { try run("lost", "\(name).sqlite", in: folder) }
        for command in ["status", "meters"] { try run(command, "check-names-lost.sqlite", "--at", "6", in: folder) }
        try run("show", "A4:C1:38:0B:7E:21", "check-names-lost.sqlite", in: folder)
        try run("show", "A4:C1:38:0B:7E:21", "check-names-lost.sqlite", "--at", "6", in: folder)
        try run("compare", "check-names-lost.sqlite", "--at", "6", in: folder)
        try run("log", "check-names-lost.sqlite", in: folder)
        try run("log", "wal-only.sqlite", in: folder)
        // What is left of a deleted record, and what a backup has.
        try folder.copySampleFile("healthy.sqlite", as: "residue.sqlite")
        try folder.execute(
            """
            PRAGMA secure_delete = 0;
            UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'A name that is longer than the one before' WHERE Z_PK = 2
            """, in: "residue.sqlite")
        try run("show", "--row", "2", "residue.sqlite", in: folder)
        try folder.execute("PRAGMA secure_delete = 0; DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 5", in: "residue.sqlite")
        try run("lost", "residue.sqlite", in: folder)
        try run("lost", "residue.sqlite", "--all", in: folder)
        try run("set", "A4:C1:38:0B:7E:21", "--name", "Attic", "check-names-lost.sqlite", in: folder)
        try run("lost", "check-names-lost.sqlite", in: folder)
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMACADDRESS = NULL", in: "lock-stuck.sqlite")
        try run("meters", "--locked", "lock-stuck.sqlite", in: folder)
        try folder.execute(
            """
            UPDATE ZDEVICESETTINGS SET ZMETERNAME = NULL, ZMODELTYPE = NULL, ZUPDATEDAT = NULL,
            ZCONNECTEDBYDEVICEID = NULL, ZCONNECTEDBYDEVICENAME = NULL
            """, in: "lock-stuck.sqlite")
        try run("meters", "lock-stuck.sqlite", in: folder)
        for (a, b) in [
            ("duplicates.sqlite", "healthy.sqlite"), ("healthy.sqlite", "healthy.sqlite"),
            ("blob.sqlite", "healthy.sqlite"), ("healthy.sqlite", "duplicates.sqlite"), ("healthy.sqlite", "v1.sqlite"),
            ("renamed.sqlite", "healthy.sqlite"), ("healthy.sqlite", "renamed.sqlite"),
        ] { try run("compare", a, b, in: folder) }
        try folder.copySampleFile("duplicates.sqlite", as: "repaired.sqlite")
        #expect(try folder.meterfix("rebuild", "-q", "repaired.sqlite").code == 0)
        try run("compare", "duplicates.sqlite", "repaired.sqlite", in: folder)
        try run("compare", "repaired.sqlite", "duplicates.sqlite", in: folder)
        for policy in ["object-trump", "overwrite", "rollback", "last-write-wins"] {
            try run("compare", "--policy", policy, "healthy.sqlite", "renamed.sqlite", in: folder)
        }
        let devices = try ScratchFolder(samples: "two-devices-pad", "two-devices-phone", "check-delete-pending-alive")
        let (pad, phone) = ("two-devices-pad.sqlite", "two-devices-phone.sqlite")
        try run("compare", pad, phone, in: devices)
        try run("compare", phone, pad, in: devices)
        // A name on each side that one of them loses, in the order in which they upload, or in any.
        try devices.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Attic'", in: pad)
        try run("compare", pad, phone, in: devices)
        try run("compare", phone, pad, in: devices)
        try devices.execute("UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = 800000000", in: pad)
        try devices.execute("UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = 800000000", in: phone)
        try run("compare", pad, phone, in: devices)
        try devices.copyStore("check-delete-pending-alive", as: "other.sqlite")
        try run("compare", "check-delete-pending-alive.sqlite", "other.sqlite", in: devices)
    }

    private mutating func sync() throws {
        let names = [
            "healthy", "no-history", "wal-only", "check-mirror-pending", "check-mirror-token-lost",
            "check-mirror-orphan", "check-mirror-failing", "check-mirror-unfinished", "duplicates",
        ]
        let folder = try ScratchFolder(samples: names)
        for name in names { try run("sync", "\(name).sqlite", in: folder) }
        _ = try folder.meterfix(arguments: ["rebuild", "duplicates.sqlite", "--now", SampleSession.now])
        try run("sync", "duplicates.sqlite", in: folder)
        try FileManager.default.removeItem(atPath: "\(folder.path)/duplicates.sqlite.meterfix")
        try run("sync", "duplicates.sqlite", in: folder)
        try folder.execute(Self.marked, in: "check-mirror-failing.sqlite")
        try folder.execute(Self.zoneGone, in: "check-mirror-unfinished.sqlite")
        for name in ["check-mirror-failing", "check-mirror-unfinished"] {
            for command in ["sync", "status"] { try run(command, "\(name).sqlite", in: folder) }
        }
        try folder.execute(
            "UPDATE Z_METADATA SET Z_UUID = 'another'; UPDATE ANSCKEVENT SET ZSTARTEDAT = NULL, ZENDEDAT = NULL",
            in: "healthy.sqlite")
        try run("sync", "healthy.sqlite", in: folder)
        try folder.execute(
            "UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = X'00' WHERE ZTRANSFORMEDVALUE IS NOT NULL",
            in: "check-mirror-pending.sqlite")
        for command in ["sync", "status"] { try run(command, "check-mirror-pending.sqlite", in: folder) }
        try folder.execute("DELETE FROM ZNSCKRECORDMETADATA", in: "no-history.sqlite")
        try run("sync", "no-history.sqlite", in: folder)
    }

    /// What the mirror and other people have to do with a meter's records.
    private mutating func circumstances() throws {
        let folder = try ScratchFolder(
            samples: "duplicates", "check-record-marked-deleted", "check-names-lost", "healthy")
        let (store, twin) = (
            "duplicates.sqlite",
            """
            (SELECT MIN(a.Z_PK) FROM ZDEVICESETTINGS a JOIN ZDEVICESETTINGS b
            ON a.ZMACADDRESS = b.ZMACADDRESS AND a.Z_PK <> b.Z_PK)
            """
        )
        try folder.execute(
            "UPDATE ZDEVICESETTINGS SET ZMACADDRESS = (SELECT ZMACADDRESS FROM ZDEVICESETTINGS WHERE Z_PK = 2) WHERE Z_PK = 4",
            in: "check-record-marked-deleted.sqlite")
        try run("show", "--row", "2", "check-record-marked-deleted.sqlite", in: folder)
        try folder.copyStore("duplicates", as: "other.sqlite")
        try folder.execute(
            """
            UPDATE ANSCKMETADATAENTRY SET ZSTRINGVALUE = '_other' WHERE ZSTRINGVALUE IS NOT NULL;
            UPDATE ZDEVICESETTINGS SET ZLASTSEENAT = 800000000 + Z_PK, ZLASTSEENBYDEVICEID = 'one',
                ZLASTSEENBYDEVICENAME = CASE Z_PK % 2 WHEN 0 THEN 'iPad' ELSE 'iPhone' END
            """, in: "other.sqlite")
        for command in ["compare", "log", "devices"] {
            try run(command, store, "other.sqlite", in: folder)
            try run(command, store, "check-names-lost.sqlite", in: folder)
        }
        try folder.execute(
            """
            INSERT INTO ANSCKRECORDZONEMETADATA (Z_PK, Z_ENT, Z_OPT, ZCKOWNERNAME, ZCKRECORDZONENAME)
            SELECT 7, Z_ENT, 1, '_partner', 'com.apple.coredata.cloudkit.share' FROM ANSCKRECORDZONEMETADATA LIMIT 1;
            UPDATE ANSCKRECORDMETADATA SET ZNEEDSCLOUDDELETE = 1, ZRECORDZONE = 7 WHERE ZENTITYPK = \(twin)
            """, in: store)
        for row in [1, 2, 6, 7] { try run("show", "--row", "\(row)", store, in: folder) }
        try run("rebuild", "--dry-run", store, in: folder)
        try folder.write(#"{"MeterNames": {"A4:C1:38:5D:02:9F": "Bench"}}"#, to: "names.json")
        try run("import-kv", "--dry-run", "names.json", "check-names-lost.sqlite", in: folder)
        try folder.execute(
            """
            INSERT INTO ATRANSACTIONSTRING (Z_PK, ZNAME) VALUES (92, 'com.apple.coredata.schemamigrator: NSMigrationManager');
            INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP, ZAUTHORTS) VALUES (900, 816000000.5, 92)
            """, in: "healthy.sqlite")
        try run("log", "healthy.sqlite", in: folder)
    }

    private mutating func log() throws {
        let folder = try ScratchFolder(samples: "duplicates", "healthy", "check-history-broken", "check-history-off")
        for name in ["check-history-broken", "check-history-off"] { try run("log", "\(name).sqlite", in: folder) }
        try run("rebuild", "duplicates.sqlite", "--by", "Ana Pop", "--note", "ticket 7", in: folder)
        _ = try folder.meterfix("set", "A4:C1:38:0B:7E:21", "--name", "Bench", "duplicates.sqlite")
        for words in [["log"], ["undo", "--list"]] { try run(words: words + ["duplicates.sqlite"], in: folder) }
        try run("show", "A4:C1:38:0B:7E:21", "duplicates.sqlite", in: folder)
        _ = try folder.meterfix("set", "--no-backup", "A4:C1:38:5D:02:9F", "--name", "Bench", "healthy.sqlite")
        try folder.execute(
            """
            INSERT INTO ATRANSACTIONSTRING (Z_PK, ZNAME) VALUES (90, 'NSCloudKitMirroringDelegate.import'),
            (91, 'NSCloudKitMirroringDelegate.setup');
            UPDATE ATRANSACTION SET ZAUTHORTS = 90, ZCONTEXTNAMETS = 90 WHERE Z_PK = 2;
            UPDATE ATRANSACTION SET ZAUTHORTS = 91, ZPROCESSIDTS = NULL, ZBUNDLEIDTS = NULL, ZTIMESTAMP = NULL WHERE Z_PK = 1;
            UPDATE ACHANGE SET ZTRANSACTIONID = NULL, ZENTITYPK = NULL WHERE Z_PK = 3
            """, in: "healthy.sqlite")
        try run("log", "healthy.sqlite", in: folder)
        try folder.execute(
            """
            UPDATE ACHANGE SET ZTRANSACTIONID = NULL WHERE Z_PK = 4; UPDATE ACHANGE SET ZCHANGETYPE = 9 WHERE Z_PK = 5
            """, in: "healthy.sqlite")
        for row in 1...5 { try run("show", "--row", "\(row)", "healthy.sqlite", in: folder) }
        // A journal of before it noted who ran the command.
        let backups = "duplicates.sqlite.meterfix"
        for entry in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + backups) {
            let journal = "\(backups)/\(entry)/journal.json"
            try folder.write(folder.text(journal).replacing("\"by\": {", with: "\"was\": {"), to: journal)
            try run("log", "duplicates.sqlite", in: folder)
            try run("show", "A4:C1:38:0B:7E:21", "duplicates.sqlite", in: folder)
            try run("undo", "--list", "duplicates.sqlite", in: folder)
            try folder.write("", to: "\(backups)/\(entry)/duplicates.sqlite")
        }
        try run("log", "duplicates.sqlite", in: folder)
    }

    /// The stores of two devices: what one has saved, the other has imported; one is known by what it signed.
    private mutating func devices() throws {
        let folder = try ScratchFolder(samples: "duplicates")
        try folder.execute(
            """
            INSERT INTO ATRANSACTIONSTRING (Z_PK, ZNAME) VALUES (90, 'NSCloudKitMirroringDelegate.import');
            UPDATE ZDEVICESETTINGS SET ZLASTSEENBYDEVICEID = 'desk', ZLASTSEENBYDEVICENAME = 'Desk', ZLASTSEENAT =
            (SELECT ZTIMESTAMP FROM ATRANSACTION JOIN ACHANGE c ON ZTRANSACTIONID = ATRANSACTION.Z_PK WHERE c.Z_PK = 4)
            WHERE Z_PK = (SELECT ZENTITYPK FROM ACHANGE WHERE Z_PK = 4)
            """, in: "duplicates.sqlite")
        for suffix in ["", "-wal"] {
            try FileBytes.write(folder.bytes("duplicates.sqlite" + suffix), to: folder.path + "/other.sqlite" + suffix)
        }
        try folder.execute("UPDATE ATRANSACTION SET ZAUTHORTS = 90 WHERE Z_PK > 3", in: "other.sqlite")
        try run("devices", "duplicates.sqlite", in: folder)
        for _ in 1...2 {
            try run("log", "duplicates.sqlite", "other.sqlite", in: folder)
            for name in ["duplicates", "other"] {
                try folder.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = NULL", in: "\(name).sqlite")
            }
        }
        try folder.execute(
            """
            UPDATE ZDEVICESETTINGS SET ZLASTSEENAT = NULL, ZCONNECTEDAT = NULL;
            UPDATE ATRANSACTION SET ZTIMESTAMP = NULL
            """, in: "duplicates.sqlite")
        try run("devices", "duplicates.sqlite", in: folder)
        try run("log", "duplicates.sqlite", "other.sqlite", in: folder)
    }
}
