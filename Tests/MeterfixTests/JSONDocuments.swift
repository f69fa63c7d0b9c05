import CoreDataStore
import Foundation
import JSON
import MeterInspect
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

/// The JSON documents of every command, from runs over the samples.
struct JSONDocuments {
    /// By the heading of its section in `Documentation/json.md`.
    struct Kind: Hashable, CustomTestStringConvertible {
        let heading: String

        static let verify = Kind(heading: "verify")
        static let checks = Kind(heading: "verify --list-checks, verify --explain")
        static let change = Kind(heading: "rebuild, import-kv, migrate, restore-record, unlock, set, fix, delete")
        static let backups = Kind(heading: "undo --list")
        static let mergedRecords = Kind(heading: "restore-record --list")
        static let redactionMap = Kind(heading: "redact --map: the file")
        static let error = Kind(heading: "Errors")

        /// In the order of the page.
        static let all = ((try? JSONPage.current.get().kinds) ?? []).map(Kind.init)

        var testDescription: String { heading }
    }

    /// Run once.
    static let all: Result<[Kind: [JSONValue]], any Error> = Result {
        var documents = JSONDocuments()
        for session in try SampleSession.all.get() {
            let runs = [session.statusJSON, session.verifyJSON, session.dryRunJSON, session.rebuildJSON]
            for run in runs + [session.sequel?.verifyJSON].compactMap(\.self) { try documents.add(run.stdout) }
        }
        try documents.everyCommand()
        try documents.look()
        try documents.show()
        try documents.migrate()
        try documents.importLegacy()
        try documents.changeAndUndo()
        try documents.changeByHand()
        try documents.redact()
        try documents.recover()
        try documents.report()
        try documents.explain()
        try documents.checkApp()
        return documents.found
    }

    private var found: [Kind: [JSONValue]] = [:]

    /// Takes in what a command printed: one document, or one a line.
    private mutating func add(_ output: String) throws {
        if let document = try? JSONValue(parsing: Array(output.utf8)) { return add(document) }
        for line in output.split(separator: "\n") { add(try JSONValue(parsing: Array(line.utf8))) }
    }

    private mutating func add(_ document: JSONValue) { found[Self.kind(of: document), default: []].append(document) }

    private static func kind(of document: JSONValue) -> Kind {
        if document["error"] != nil { return .error }
        if document["checks"] != nil { return .checks }
        let command = document["command"]?.string ?? ""
        switch command {
        case "undo" where document["entries"] != nil: return .backups
        case "restore-record" where document["records"] != nil: return .mergedRecords
        case "redact" where document["values"] != nil: return .redactionMap
        default:
            return Kind.all.first { $0.heading.components(separatedBy: ", ").contains(command) }
                ?? Kind(heading: command)
        }
    }

    /// Runs a command with `--json`; its document counts.
    private mutating func run(_ words: String..., in folder: ScratchFolder) throws {
        try add(folder.meterfix(arguments: words + ["--json", "--now", SampleSession.now]).stdout)
    }

    private static func folder(_ samples: String...) throws -> ScratchFolder { try folder(samples) }

    private static func folder(_ samples: [String]) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for name in samples {
            for file in SampleShelf.sample(name)?.fileNames ?? [] { try folder.copySampleFile(file, as: file) }
        }
        return folder
    }

    private mutating func everyCommand() throws {
        let folder = try EveryCommand.folder()
        for words in EveryCommand.runs {
            try add(folder.meterfix(arguments: words + ["--json", "--now", SampleSession.now]).stdout)
        }
    }

    private static let marked = "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1"
    private static let zoneGone = "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMZONEDELETE = 1"

    private mutating func sync() throws {
        let names = [
            "healthy", "no-history", "wal-only", "check-mirror-pending", "check-mirror-token-lost",
            "check-mirror-orphan", "check-mirror-failing", "check-mirror-unfinished", "duplicates",
        ]
        let folder = try Self.folder(names)
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
        let folder = try Self.folder("duplicates", "check-record-marked-deleted", "check-names-lost", "healthy")
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

    private mutating func explain() throws {
        let folder = try Self.folder("healthy")
        let logs = ["06", "09", "10", "18", "20", "24", "29", "31", "41", "42", "43", "51", "53"]
        for name in try FileManager.default.contentsOfDirectory(atPath: PackageFolder.path + "/Tests/Logs").sorted()
        where logs.contains(String(name.prefix(2))) {
            try run("explain", "\(PackageFolder.path)/Tests/Logs/\(name)", in: folder)
            try run("explain", "\(PackageFolder.path)/Tests/Logs/\(name)", "healthy.sqlite", in: folder)
        }
    }

    private mutating func checkApp() throws {
        let folder = try ScratchFolder()
        for name in [
            "01-all-good-source", "10-app-development-everything", "17-model-types", "23-pinned-production-source",
            "26-mac-app-good",
        ] { try run("check-app", "\(PackageFolder.path)/Tests/Apps/\(name)", in: folder) }
        try folder.copyStore("healthy")
        let model = "\(PackageFolder.path)/Tests/Apps/01-all-good-source/CKModel.xcdatamodeld"
        try run("check-app", model, "--store", "healthy.sqlite", in: folder)
    }

    private mutating func recover() throws {
        let folder = try Self.folder("duplicates", "truncated", "healthy")
        try run("recover", "duplicates.sqlite", "whole.sqlite", in: folder)
        try folder.makeTableOfUnknownModule(in: "duplicates.sqlite")
        try run("recover", "truncated.sqlite", "part.sqlite", in: folder)
        try folder.breakPage(1, of: "duplicates.sqlite")
        try run("recover", "duplicates.sqlite", "no-header.sqlite", in: folder)
        try folder.breakRoot(of: "Z_PRIMARYKEY", in: "healthy.sqlite")
        try run("recover", "healthy.sqlite", "no-keys.sqlite", in: folder)
        try folder.copyStore("wal-only", as: "log.sqlite")
        var log = try folder.bytes("log.sqlite-wal")
        log[100] ^= 1
        try FileBytes.write(log, to: folder.path + "/log.sqlite-wal")
        try run("recover", "log.sqlite", "no-log.sqlite", in: folder)
        let records = (Int64(1)...60).map { row in
            FixtureRecord(row: row, meterName: String(repeating: "x", count: 120))
        }
        try StoreFixture(records: records).write(to: folder.path + "/large.sqlite")
        try folder.breakLeaves(of: "ZDEVICESETTINGS", in: "large.sqlite")
        try run("recover", "large.sqlite", "some-leaves.sqlite", in: folder)
        try folder.copySampleFile("other-app.sqlite", as: "other.sqlite")
        try folder.execute("DROP TABLE Z_METADATA; DROP TABLE Z_PRIMARYKEY", in: "other.sqlite")
        try run("recover", "other.sqlite", "not-ours.sqlite", in: folder)
    }

    private mutating func redact() throws {
        let folder = try Self.folder("duplicates", "check-wal-missing")
        try folder.makeTableOfUnknownModule(in: "duplicates.sqlite")
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZID = X'0102' WHERE Z_PK = 1", in: "duplicates.sqlite")
        try run("redact", "--map", "map.json", "duplicates.sqlite", "out.sqlite", in: folder)
        try folder.write("", to: "check-wal-missing.sqlite-wal")
        try run("redact", "check-wal-missing.sqlite", "other.sqlite", in: folder)
        try add(String(decoding: FileBytes.read("\(folder.path)/map.json"), as: UTF8.self))
    }

    private mutating func show() throws {
        let names = [
            "blob", "duplicates", "healthy", "check-lock-expired", "check-lock-torn", "check-metadata-blob-malformed",
            "check-mirror-pending",
        ]
        let folder = try Self.folder(names)
        for name in names { for row in 1...5 { try run("show", "--row", "\(row)", "\(name).sqlite", in: folder) } }
        let store = "duplicates.sqlite"
        try run("show", "--row", "17", store, in: folder)
        // A delete that the mirror has still to read, of a row that is there again.
        try folder.execute(
            """
            UPDATE ANSCKRECORDMETADATA SET ZNEEDSCLOUDDELETE = 1 WHERE ZENTITYPK = 20;
            UPDATE ZDEVICESETTINGS SET ZMETERNAME = NULL WHERE Z_PK = 20
            """, in: store)
        try run("show", "--row", "20", store, in: folder)
        try run("meters", store, in: folder)
        // Two records of each meter that another step tells apart.
        try StoreFixture.twins.write(to: folder.path + "/twins.sqlite")
        for row in stride(from: 1, to: 14, by: 2) { try run("show", "--row", "\(row)", "twins.sqlite", in: folder) }
        _ = try folder.meterfix(arguments: ["rebuild", "--quiet", store, "--now", SampleSession.now])
        try run("show", "--row", "1", store, in: folder)
        try run("meters", store, in: folder)
        _ = try folder.meterfix(arguments: ["undo", "--quiet", store, "--now", SampleSession.now])
        try run("show", "--row", "1", store, in: folder)
    }

    /// The stores of two devices: what one has saved, the other has imported; one is known by what it signed.
    private mutating func devices() throws {
        let folder = try Self.folder("duplicates")
        try folder.execute(
            """
            INSERT INTO ATRANSACTIONSTRING (Z_PK, ZNAME) VALUES (90, 'NSCloudKitMirroringDelegate.import');
            UPDATE ZDEVICESETTINGS SET ZLASTSEENBYDEVICEID = 'desk', ZLASTSEENBYDEVICENAME = 'Desk', ZLASTSEENAT =
            (SELECT ZTIMESTAMP FROM ATRANSACTION JOIN ACHANGE c ON ZTRANSACTIONID = ATRANSACTION.Z_PK WHERE c.Z_PK = 4)
            WHERE Z_PK = (SELECT ZENTITYPK FROM ACHANGE WHERE Z_PK = 4)
            """, in: "duplicates.sqlite")
        for suffix in ["", "-wal"] {
            let bytes = try FileBytes.read(folder.path + "/duplicates.sqlite" + suffix)
            try FileBytes.write(bytes, to: folder.path + "/other.sqlite" + suffix)
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

    private mutating func log() throws {
        let folder = try Self.folder("duplicates", "healthy", "check-history-broken", "check-history-off")
        for name in ["check-history-broken", "check-history-off"] { try run("log", "\(name).sqlite", in: folder) }
        try run("rebuild", "duplicates.sqlite", "--by", "Ana Pop", "--note", "ticket 7", in: folder)
        _ = try folder.meterfix("set", "A4:C1:38:0B:7E:21", "--name", "Bench", "duplicates.sqlite")
        for command in ["log", "changes"] { try run(command, "duplicates.sqlite", in: folder) }
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
        let backups = folder.path + "/duplicates.sqlite.meterfix"
        for entry in try FileManager.default.contentsOfDirectory(atPath: backups) {
            let path = "\(backups)/\(entry)/journal.json"
            let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
            try FileBytes.write(Array(text.replacing("\"by\": {", with: "\"was\": {").utf8), to: path)
            try run("log", "duplicates.sqlite", in: folder)
            try run("show", "A4:C1:38:0B:7E:21", "duplicates.sqlite", in: folder)
            try run("changes", "duplicates.sqlite", in: folder)
            try FileBytes.write([], to: "\(backups)/\(entry)/duplicates.sqlite")
        }
        try run("log", "duplicates.sqlite", in: folder)
    }

    private mutating func look() throws {
        let folder = try Self.folder(
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
            try run("locks", "\(name).sqlite", in: folder)
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
        try run("locks", "lock-stuck.sqlite", in: folder)
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
    }

    private mutating func report() throws {
        let folder = try Self.folder("duplicates", "healthy", "no-history")
        var number = 0
        func report(_ name: String) throws {
            number += 1
            try run("report", "\(name).sqlite", "--output", "\(number).html", in: folder)
        }
        try report("healthy")
        try report("duplicates")
        try folder.execute(
            "UPDATE ZDEVICESETTINGS SET ZMACADDRESS = (SELECT MAX(ZMACADDRESS) FROM ZDEVICESETTINGS)",
            in: "no-history.sqlite")
        try report("no-history")
        _ = try folder.meterfix("rebuild", "duplicates.sqlite", "--now", SampleSession.now)
        try report("duplicates")
        let backups = folder.path + "/duplicates.sqlite.meterfix"
        for entry in try FileManager.default.contentsOfDirectory(atPath: backups) {
            try FileBytes.write([], to: "\(backups)/\(entry)/changes.jsonl")
        }
        try report("duplicates")
    }

    private mutating func migrate() throws {
        let folder = try Self.folder("v1", "healthy", "check-metadata-missing")
        var model = USBMeterModel.v2
        model = ManagedObjectModel(
            entities: model.entities.map { entity in
                var entity = entity
                if entity.name == SettingsTable.entityName {
                    entity.attributes.append(Attribute("rank", .integer16))
                    entity.relationships = [Relationship("site", to: "Site", inverse: "meters")]
                }
                return entity
            } + [
                Entity(
                    "Site", attributes: [Attribute("title", .string)],
                    relationships: [Relationship("meters", to: "DeviceSettings", inverse: "site", maxCount: 0)])
            ], versionIdentifiers: ["USB_Meter 7"])
        try FileBytes.write(ModelArchive.encode(model), to: folder.path + "/CKModel.mom")
        try run("verify", "--model", "CKModel.mom", "healthy.sqlite", in: folder)
        try run("migrate", "--dry-run", "--model", "CKModel.mom", "v1.sqlite", in: folder)
        try run("migrate", "--dry-run", "--model", "CKModel.mom", "healthy.sqlite", in: folder)
        try run("migrate", "v1.sqlite", in: folder)
        try run("migrate", "--restore-metadata", "check-metadata-missing.sqlite", in: folder)
    }

    private mutating func importLegacy() throws {
        let folder = try Self.folder("duplicates", "healthy")
        for dump in SampleShelf.dumps {
            for name in dump.fileNames { try folder.copySampleFile("kv/" + name, as: name) }
            guard let name = dump.fileNames.first else { continue }
            try run("import-kv", "--dry-run", name, "duplicates.sqlite", in: folder)
        }
        try run("import-kv", "--dry-run", "--on-conflict", "replace", "kv.json", "healthy.sqlite", in: folder)
        try folder.write("21:7E:0B:38:C1:A4;Kitchen\nA4:C1:38:0B:7E:2l;Lab\n", to: "reversed.csv")
        try run("import-kv", "--dry-run", "reversed.csv", "healthy.sqlite", in: folder)
        // Refused, and nobody can say what to send instead.
        try folder.write(#"{"MeterNames": 5}"#, to: "number.json")
        try run("import-kv", "--dry-run", "number.json", "healthy.sqlite", in: folder)
        try run("import-kv", "kv-rejects.json", "duplicates.sqlite", in: folder)
        try run("status", "duplicates.sqlite", in: folder)
        try run("import-kv", "--on-conflict", "replace", "kv.json", "duplicates.sqlite", in: folder)
    }

    private mutating func changeAndUndo() throws {
        let folder = try Self.folder("duplicates")
        let (store, meter) = ("duplicates.sqlite", "A4:C1:38:0B:7E:21")
        try run("undo", store, in: folder)
        try run("rebuild", "--dry-run", "--winner", "newest", store, in: folder)
        try run("rebuild", store, in: folder)
        try run("restore-record", "--list", meter, store, in: folder)
        try run("restore-record", "--row", "3", meter, store, in: folder)
        try run("undo", "--dry-run", store, in: folder)
        try run("undo", store, in: folder)
        try run("undo", "--redo", store, in: folder)
        try run("undo", store, in: folder)
        try run("undo", "--list", store, in: folder)
        try run("changes", store, in: folder)
        try run("status", store, in: folder)
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage', ZCREATEDAT = NULL", in: store)
        try folder.execute("DELETE FROM Z_MODELCACHE", in: store)
        try folder.execute("INSERT INTO ZCHARGESESSION (Z_PK) VALUES (900)", in: store)
        try run("undo", store, in: folder)
        let backups = folder.path + "/" + store + ".meterfix"
        for entry in try FileManager.default.contentsOfDirectory(atPath: backups) where entry.hasSuffix("-rebuild") {
            try FileBytes.write([1], to: "\(backups)/\(entry)/\(store)")
            try FileBytes.write([1], to: "\(backups)/\(entry)/journal.json")
        }
        try run("undo", "--list", store, in: folder)
        try FileManager.default.removeItem(atPath: backups)
        try run("changes", store, in: folder)
    }

    private mutating func changeByHand() throws {
        let folder = try Self.folder(
            "duplicates", "healthy", "check-entity-number-mismatch", "check-primary-key-behind", "check-id-duplicate",
            "check-metadata-blob-malformed")
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'F'", in: "check-id-duplicate.sqlite")
        try StoreFixture.orphans.write(to: folder.path + "/orphans.sqlite")
        try run("fix", "mirror-orphan", "orphans.sqlite", in: folder)
        try run("fix", "--dry-run", "--all", "check-entity-number-mismatch.sqlite", in: folder)
        try run("fix", "--dry-run", "--all", "check-primary-key-behind.sqlite", in: folder)
        try run("fix", "--dry-run", "--all", "check-id-duplicate.sqlite", in: folder)
        try run("fix", "--dry-run", "metadata-blob-malformed", "check-metadata-blob-malformed.sqlite", in: folder)
        try run("delete", "--force", "--row", "13", "duplicates.sqlite", in: folder)
        try run("restore-record", "--list", "duplicates.sqlite", in: folder)
        try run("unlock", "--force", "88:4A:18:C7:D1:54", "duplicates.sqlite", in: folder)
        try run("set", "A4:C1:38:5D:02:9F", "--name", "iPad", "healthy.sqlite", in: folder)
        try folder.copyStore("nameless-first")
        try run("show", "--row", "6", "nameless-first.sqlite", in: folder)
        try run("set", "Bench UM34C", "--name", "Workbench", "nameless-first.sqlite", in: folder)
        try run("rebuild", "--in-use", "nameless-first.sqlite", in: folder)
        try run("rebuild", "--dry-run", "--expect", "0123456789abcdef", "duplicates.sqlite", in: folder)
    }
}
