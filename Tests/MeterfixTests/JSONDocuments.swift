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
        static let locks = Kind(heading: "meters --locked")
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
        case "undo" where document["changes"] != nil: return .backups
        case "meters" where document["locks"] != nil: return .locks
        case "restore-record" where document["records"] != nil: return .mergedRecords
        case "redact" where document["values"] != nil: return .redactionMap
        default:
            return Kind.all.first { $0.heading.components(separatedBy: ", ").contains(command) }
                ?? Kind(heading: command)
        }
    }

    /// Runs a command with `--json`; its document counts.
    mutating func run(_ words: String..., in folder: ScratchFolder) throws { try run(words: words, in: folder) }

    mutating func run(words: [String], in folder: ScratchFolder) throws {
        try add(folder.meterfix(arguments: words + ["--json", "--now", SampleSession.now]).stdout)
    }

    private mutating func everyCommand() throws {
        let folder = try EveryCommand.folder()
        for words in EveryCommand.runs {
            try add(folder.meterfix(arguments: words + ["--json", "--now", SampleSession.now]).stdout)
        }
    }

    private mutating func explain() throws {
        let folder = try ScratchFolder(samples: "healthy")
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
            "26-mac-app-good", "30-project-beside-entitlements", "32-setting-not-resolved",
        ] { try run("check-app", "\(PackageFolder.path)/Tests/Apps/\(name)", in: folder) }
        try folder.copyStore("healthy")
        let model = "\(PackageFolder.path)/Tests/Apps/01-all-good-source/CKModel.xcdatamodeld"
        try run("check-app", model, "--store", "healthy.sqlite", in: folder)
    }

    private mutating func recover() throws {
        let folder = try ScratchFolder(samples: "duplicates", "truncated", "healthy")
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
        let folder = try ScratchFolder(samples: "duplicates", "check-wal-missing")
        try folder.makeTableOfUnknownModule(in: "duplicates.sqlite")
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZID = X'0102' WHERE Z_PK = 1", in: "duplicates.sqlite")
        try run("redact", "--map", "map.json", "duplicates.sqlite", "out.sqlite", in: folder)
        try folder.write("", to: "check-wal-missing.sqlite-wal")
        try run("redact", "check-wal-missing.sqlite", "other.sqlite", in: folder)
        try add(folder.text("map.json"))
    }

    private mutating func show() throws {
        let names = [
            "blob", "duplicates", "healthy", "check-lock-expired", "check-lock-torn", "check-metadata-blob-malformed",
            "check-mirror-pending",
        ]
        let folder = try ScratchFolder(samples: names)
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

    private mutating func report() throws {
        let folder = try ScratchFolder(
            samples: "duplicates", "healthy", "no-history", "check-delete-storm", "check-not-intact")
        var number = 0
        func report(_ name: String) throws {
            number += 1
            try run("report", "\(name).sqlite", "--output", "\(number).html", in: folder)
        }
        for name in ["healthy", "duplicates", "check-delete-storm", "check-not-intact"] { try report(name) }
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
        let folder = try ScratchFolder(samples: "v1", "healthy", "check-metadata-missing")
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
        let folder = try ScratchFolder(samples: "duplicates", "healthy")
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
        let folder = try ScratchFolder(samples: "duplicates")
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
        try run("status", store, in: folder)
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage', ZCREATEDAT = NULL", in: store)
        try folder.execute("DELETE FROM Z_MODELCACHE", in: store)
        try folder.execute("INSERT INTO ZCHARGESESSION (Z_PK) VALUES (900)", in: store)
        try run("undo", store, in: folder)
        let backups = folder.path + "/" + store + ".meterfix"
        for entry in try FileManager.default.contentsOfDirectory(atPath: backups) {
            if entry.hasSuffix("-rebuild") { try FileBytes.write([1], to: "\(backups)/\(entry)/\(store)") }
            if entry.hasSuffix("-undo") { try FileBytes.write([1], to: "\(backups)/\(entry)/journal.json") }
        }
        // A run that was killed at once.
        try FileManager.default.createDirectory(
            atPath: backups + "/20261121T110000Z-set", withIntermediateDirectories: false)
        try run("undo", "--list", store, in: folder)
        try FileManager.default.removeItem(atPath: backups)
        try run("undo", "--list", store, in: folder)
    }

    private mutating func changeByHand() throws {
        let folder = try ScratchFolder(
            samples:
                "duplicates", "healthy", "check-entity-number-mismatch", "check-primary-key-behind",
            "check-id-duplicate",
            "check-metadata-blob-malformed", "check-index-damaged",
            "check-foreign-index", "check-foreign-trigger")
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'F'", in: "check-id-duplicate.sqlite")
        try StoreFixture.orphans.write(to: folder.path + "/orphans.sqlite")
        try run("fix", "mirror-orphan", "orphans.sqlite", in: folder)
        for check in ["index-damaged", "foreign-index", "foreign-trigger"] {
            try run("fix", "--dry-run", "--all", "check-\(check).sqlite", in: folder)
        }
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
