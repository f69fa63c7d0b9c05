import Foundation
import GRDB
import JSON
import MeterInspect
import MeterJournal
import MeterTestSupport
import Testing

@Suite("what is no store, or cannot be read")
struct BadInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let path: String
        let code: Int32
        /// Behind `meterfix: PATH: `.
        let sentence: String
        let hint: String?
        var make: @Sendable (ScratchFolder) throws -> Void = { _ in }
        /// As it is shown, where it is not the path.
        var shown: String?

        var testDescription: String { "\(shown ?? path), \(sentence)" }
    }

    private static let appsName = "the app's store is named CKModel.sqlite"
    private static let askForStore = "ask for the app's store: CKModel.sqlite, and CKModel.sqlite-wal beside it"
    private static let checkPath = "check the path; meterfix never creates a store here"

    private static func sample(_ name: String) -> @Sendable (ScratchFolder) throws -> Void {
        { try $0.copySampleFile(name, as: name) }
    }

    static let refusedByAll = [
        Case(
            path: "folder", code: 66, sentence: "a folder without a store of the app; there is no file in it",
            hint: askForStore, make: { try $0.makeFolder("folder") }),
        Case(
            path: "customer/", code: 66,
            sentence: "a folder without a store of the app; in it: photo.jpg (a JPEG picture)", hint: askForStore,
            make: {
                try $0.makeFolder("customer/CKModel.sqlite.meterfix")
                try $0.copySampleFile("photo.jpg", as: "customer/photo.jpg")
            }),
        Case(
            path: "several", code: 66, sentence: "a folder with 2 stores of the app",
            hint:
                "name one of them: several/Backup.SQLite (5 records, schema v2, last changed 2026-11-20T06:00:00.500Z, complete) and "
                + "several/CKModel.sqlite (5 records, schema v2, last changed 2026-11-20T06:00:00.500Z, complete); "
                + "meterfix where several says more",
            make: {
                try $0.makeFolder("several/folder.sqlite")
                try $0.copySampleFile("healthy.sqlite", as: "several/CKModel.sqlite")
                try $0.copySampleFile("healthy.sqlite", as: "several/Backup.SQLite")
            }),
        Case(
            path: "user", code: 66, sentence: "a home folder without a store of the app",
            hint: "on a Mac on which the app has run, `meterfix where` lists its stores",
            make: { try $0.makeFolder("user/Library/Containers") }),
        Case(
            path: "empty.sqlite", code: 65, sentence: "an empty file, 0 bytes",
            hint: "ask for the store again, with its -wal file", make: sample("empty.sqlite")),
        Case(
            path: "photo.jpg", code: 65, sentence: "not a SQLite database but a JPEG picture", hint: askForStore,
            make: sample("photo.jpg")),
        Case(
            path: "not-a-database.sqlite", code: 65, sentence: "not a SQLite database but a text file",
            hint: askForStore, make: sample("not-a-database.sqlite")),
        Case(
            path: "truncated.sqlite", code: 65,
            sentence: "truncated: its header says 17 pages of 4096 bytes, the file has 34816 bytes",
            hint:
                "ask for the store again; a transfer was cut short, or the -wal file is missing; if there is no other "
                + "copy, `meterfix recover` saves what can be read", make: sample("truncated.sqlite")),
        Case(
            path: "wal-only.sqlite-wal", code: 65, sentence: "not a SQLite database but the -wal file of a store",
            hint: "name the main file beside it, without the suffix", make: sample("wal-only.sqlite-wal")),
        Case(
            path: "store.zip", code: 65, sentence: "not a SQLite database but a ZIP archive",
            hint: "unpack it into a new folder, and name that folder: unzip FILE.zip -d FOLDER",
            make: { try $0.write("PK\u{3}\u{4} and so on", to: "store.zip") }),
        Case(
            path: "CKModel.sqlite", code: 65, sentence: "not a SQLite database but a HEIC photo", hint: askForStore,
            make: { try $0.write("\0\0\0\u{24}ftypheic\0\0\0\0mif1heic", to: "CKModel.sqlite") }),
        Case(
            path: "not-core-data.sqlite", code: 4, sentence: "a SQLite database, but not a Core Data store",
            hint: appsName, make: sample("not-core-data.sqlite")),
        Case(path: "missing.sqlite", code: 66, sentence: "no such file", hint: checkPath),
        Case(path: "missing/missing.sqlite", code: 66, sentence: "no such file", hint: checkPath),
        Case(path: "missing/", code: 66, sentence: "no such file", hint: checkPath),
        Case(
            path: "healthy.sqlite/", code: 66, sentence: "a file, not a directory", hint: "leave out the / at the end",
            make: sample("healthy.sqlite")),
        Case(path: "", code: 66, sentence: "an empty path", hint: "name the store's main file", shown: "''"),
        Case(path: "/dev/null", code: 65, sentence: "not a regular file", hint: nil),
        Case(
            path: "link.sqlite", code: 66, sentence: "no such file", hint: checkPath,
            make: { try $0.link("link.sqlite", to: "gone") }
        ),
        Case(
            path: "loop.sqlite", code: 66, sentence: "the path is a loop of symbolic links", hint: nil,
            make: { try $0.link("loop.sqlite", to: "loop.sqlite") }),
        Case(
            path: String(repeating: "deep/", count: 850) + "store.sqlite", code: 66, sentence: "the path is too long",
            hint: nil),
    ]

    @Test("is refused by every command with its sentence; nothing is created or changed", arguments: refusedByAll)
    func refused(_ bad: Case) throws {
        let folder = try EveryCommand.folder()
        try bad.make(folder)
        for words in EveryCommand.runs(on: bad.path) {
            // To make a copy, `redact` makes and removes a folder beside it.
            let answer = try folder.traceless(words, withFolder: words[0] != "redact")
            answer.expectRefusal(bad.code, "\(bad.shown ?? bad.path): \(bad.sentence)", hint: bad.hint, "\(words)")
        }
    }

    @Test("the one store in a folder stands for the folder, for every command")
    func folder() throws {
        let folder = try ScratchFolder()
        let place = "USB Meter.xcappdata/AppData/Library/Application Support"
        try folder.makeFolder(place)
        try folder.copySampleFile("duplicates.sqlite", as: place + "/CKModel.sqlite")
        try folder.copySampleFile("other-app.sqlite", as: "USB Meter.xcappdata/Cache.sqlite")
        let (named, store) = ("USB Meter.xcappdata", place + "/CKModel.sqlite")
        let looks = [
            ["status"], ["verify"], ["verify", "healthy.sqlite"], ["meters"], ["show", "A4:C1:38:00:00:01"], ["log"],
            ["log", store], ["devices"], ["devices", store], ["unlock", "-n", "--held-by", "iPad de Chloé"],
            ["fix", "--all", "-n"], ["rebuild", "-n"], ["compare", store],
        ]
        for words in looks {
            let now = ["--now", SampleSession.now]
            let answer = try folder.meterfix(arguments: words + now + [named])
            let expected = try folder.meterfix(arguments: words + now + [store])
            #expect(answer.stdout == expected.stdout, "\(words)")
            #expect(answer.stderr == expected.stderr, "\(words)")
            #expect(answer.code == expected.code, "\(words)")
        }
        #expect(try folder.meterfix("rebuild", "-q", "--backup-dir", "backups", named).code == 0)
        #expect(try folder.meterfix("undo", "-q", "--backup-dir", "backups", "--dry-run", named).code == 1)
    }

    @Test("a folder without the one store is an error as a document and as a page, too")
    func folderForms() throws {
        let folder = try ScratchFolder()
        try folder.makeFolder("folder")
        let json = try folder.meterfix("rebuild", "--json", "folder").json
        #expect(json["command"] == "rebuild" && json["error"]?["code"] == .integer(66))
        let page = try folder.meterfix("meters", "--format=html", "folder")
        #expect(page.stdout.hasPrefix("<!DOCTYPE html>") && page.code == 66)
    }

    @Test("another app's store can be looked at, but not rebuilt")
    func otherApp() throws {
        let folder = try ScratchFolder(sample: "other-app")
        for look in ["status", "verify"] { #expect(try folder.traceless([look, "other-app.sqlite"]).code == 0) }
        for command in [["rebuild", "--dry-run"], ["rebuild"]] {
            try folder.traceless(command + ["other-app.sqlite"], withFolder: false).expectRefusal(
                4, "other-app.sqlite: a Core Data store without DeviceSettings records; it has Ingredient, Recipe",
                hint: "this command needs USB Meter's store; `meterfix status` shows what is in this one")
        }
    }

    @Test("status warns of a table whose module is not here, and names both; a known module is no warning")
    func unreadableTable() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.execute("CREATE VIRTUAL TABLE words USING fts5(a)", in: "healthy.sqlite")
        let known = try folder.meterfix("status", "healthy.sqlite")
        #expect(!known.stdout.contains("warning"))
        try folder.makeTableOfUnknownModule(in: "healthy.sqlite")
        let answer = try folder.traceless(["status", "healthy.sqlite"])
        #expect(answer.code == 0)
        #expect(
            answer.stdout.contains(
                "\nwarning    the table places is made by the module vec0, which SQLite does not have here: "
                    + "no command changes it\n"))
        let tables = try folder.traceless(["status", "--json", "healthy.sqlite"]).json["store"]?["unreadableTables"]
        #expect(tables == .array([["name": "places", "module": "vec0"]]))
    }

    @Test("a path longer than SQLite can open is refused as that")
    func longPath() throws {
        let folder = try ScratchFolder()
        let deep = [String](repeating: String(repeating: "d", count: 200), count: 3).joined(separator: "/")
        try folder.makeFolder(deep)
        try folder.copySampleFile("healthy.sqlite", as: deep + "/healthy.sqlite")
        for command in ["status", "verify", "rebuild"] {
            try folder.meterfix(command, deep + "/healthy.sqlite").expectRefusal(
                66, "\(deep)/healthy.sqlite: the path is too long: SQLite opens no more than 504 bytes",
                hint: "move the store's files into a folder with a shorter path")
        }
    }

    @Test("a database with text in UTF-16 is refused, also by the commands that read it their own way")
    func otherEncoding() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let queue = try DatabaseQueue(path: folder.path + "/other.sqlite")
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: "PRAGMA encoding = 'UTF-16le'; CREATE TABLE ZDEVICESETTINGS (Z_PK INTEGER PRIMARY KEY)")
        }
        try queue.close()
        let commands = [
            ["compare", "healthy.sqlite", "other.sqlite"], ["undo", "--list", "other.sqlite"],
            ["import-kv", "other.sqlite", "healthy.sqlite"], ["redact", "other.sqlite", "copy.sqlite"],
        ]
        for words in commands {
            try folder.meterfix(arguments: words).expectRefusal(
                4, "other.sqlite: its text is in UTF-16le; meterfix reads only UTF-8, which Core Data writes",
                hint: "another tool recreated this file; ask for the store as the app left it", "\(words)")
        }
    }

    @Test("a folder for private copies whose path is too long is named as that")
    func longTemporaryFolder() throws {
        let folder = try ScratchFolder(sample: "wal-only")
        let deep = [String](repeating: String(repeating: "d", count: 200), count: 3).joined(separator: "/")
        try folder.makeFolder(deep)
        for words in [["status"], ["verify"], ["rebuild", "--dry-run"], ["rebuild"]] {
            let place = "\(folder.path)/\(deep)"
            try folder.meterfix(arguments: words + ["wal-only.sqlite"], environment: ["TMPDIR": place]).expectRefusal(
                73, "\(place): the path of a private copy in it is too long: SQLite opens no more than 504 bytes",
                hint: "set TMPDIR to a folder with a shorter path", "\(words)")
        }
    }

    @Test("a pipe in the place of a log is refused, and not waited for")
    func pipe() throws {
        let folder = try ScratchFolder(sample: "healthy")
        // With something in its journal a store is copied, all its files.
        try folder.write("journal", to: "healthy.sqlite-journal")
        unlink(folder.path + "/healthy.sqlite-wal")
        mkfifo(folder.path + "/healthy.sqlite-wal", 0o600)
        for command in ["status", "verify", "rebuild"] {
            try folder.meterfix(command, "healthy.sqlite").expectRefusal(
                65, "healthy.sqlite: its -wal is a pipe or a device, not a file",
                hint: "move it away and keep it, and put the store's own -wal in its place, if it had one")
        }
    }

    @Test("a refusal is a JSON document where JSON is asked for", arguments: ["status", "verify", "rebuild"])
    func refusalJSON(_ command: String) throws {
        let folder = try ScratchFolder()
        let answer = try folder.meterfix(command, "--json", "missing.sqlite")
        #expect(
            answer.stdout == """
                {
                  "schema": 1,
                  "tool": "meterfix",
                  "version": "\(Version.current)",
                  "command": "\(command)",
                  "store": "missing.sqlite",
                  "error": {
                    "code": 66,
                    "message": "no such file",
                    "hint": "check the path; meterfix never creates a store here"
                  }
                }

                """)
        #expect(answer.stderr.hasPrefix("meterfix: missing.sqlite: no such file\n"))
        #expect(answer.code == 66)
    }
}

@Suite("without permission", .enabled(if: Unprivileged.words != nil, "the superuser has every permission"))
struct PermissionTests {
    @Test(
        "an unreadable file or log is refused with 77, and nothing is said of a store without it",
        arguments: [("duplicates", "", ""), ("wal-only", "-wal", "its -wal: ")])
    func unreadable(sample: String, suffix: String, part: String) throws {
        let folder = try ScratchFolder(sample: sample)
        chmod(folder.path + "/\(sample).sqlite\(suffix)", 0)
        for command in ["status", "verify", "rebuild"] {
            try folder.unprivilegedMeterfix(command, "\(sample).sqlite").expectRefusal(
                77, "\(sample).sqlite: \(part)permission denied", hint: "check who owns the file and its folder")
        }
    }

    @Test("a read-only file is read, and a rebuild of it refused with 77")
    func readOnlyFile() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        chmod(folder.path + "/duplicates.sqlite", 0o444)
        let before = try folder.snapshot
        #expect(try folder.unprivilegedMeterfix("verify", "duplicates.sqlite").code == 1)
        let answer = try folder.unprivilegedMeterfix("rebuild", "duplicates.sqlite")
        #expect(answer.stderr.hasPrefix("meterfix: duplicates.sqlite: permission denied\nhint: "))
        #expect(answer.code == 77)
        #expect(try folder.snapshot.differences(from: before).isEmpty)
    }

    @Test(
        "in a read-only folder all that only looks works, also with a -wal and no -shm, and a rebuild changes nothing",
        arguments: ["duplicates", "wal-only", "rollback-journal"])
    func readOnlyFolder(_ name: String) throws {
        let folder = try ScratchFolder(sample: name)
        chmod(folder.path, 0o555)
        let before = try folder.snapshot
        #expect(try folder.unprivilegedMeterfix("status", "\(name).sqlite").code == 0)
        let found = try folder.unprivilegedMeterfix("verify", "\(name).sqlite")
        #expect(found.code == 1)
        #expect(try folder.unprivilegedMeterfix("rebuild", "--dry-run", "\(name).sqlite").code == 1)
        let afterLooks = try folder.snapshot
        #expect(afterLooks.differences(from: before).isEmpty)
        let answer = try folder.unprivilegedMeterfix("rebuild", "\(name).sqlite")
        #expect([73, 77].contains(answer.code))
        #expect(answer.stderr.hasPrefix("meterfix: \(name).sqlite"))
        #expect(try folder.snapshot.names == before.names)
        #expect(try folder.unprivilegedMeterfix("verify", "\(name).sqlite").stdout == found.stdout)
    }

    @Test("a backup folder that cannot be made stops the rebuild")
    func backupFolder() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.makeFolder("locked")
        chmod(folder.path + "/locked", 0o555)
        let before = try folder.snapshot
        try folder.unprivilegedMeterfix("rebuild", "--backup-dir", "locked/backups", "duplicates.sqlite").expectRefusal(
            73, "locked/backups: no folder for the backup can be made here",
            hint: "name another one with --backup-dir; nothing was changed")
        #expect(try folder.snapshot.contents == before.contents)
    }
}
