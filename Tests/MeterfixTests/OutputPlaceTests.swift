import Foundation
import MeterTestSupport
import Testing

@Suite("what a command writes")
struct OutputPlaceTests {
    private static let store = "duplicates.sqlite"

    /// A folder with a store, a dump with rejects, and links to the store and to the folder.
    static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.copySampleFile("kv/kv-rejects.json", as: "names.json")
        try folder.makeFolder("other")
        try folder.makeFolder("\(store).meterfix/20261121T101500Z-rebuild")
        for (link, target) in [("link.sqlite", store), ("here", "."), ("nowhere", "gone")] {
            try folder.link(link, to: target)
        }
        try FileManager.default.linkItem(atPath: folder.path + "/" + store, toPath: folder.path + "/hard.sqlite")
        return folder
    }

    /// Places that are no place for a new file, and what is said of them.
    static let files = [
        ("", "an empty path"), ("names.json", "this file exists already"), (store, "this file exists already"),
        ("hard.sqlite", "this file exists already"), ("link.sqlite", "this file exists already"),
        ("nowhere", "this file exists already"), ("other", "this file exists already"),
        (".", "this file exists already"),
        ("\(store)-wal", "SQLite would take a file that ends in -wal for a part of a store"),
        ("here/\(store)-shm", "SQLite would take a file that ends in -shm for a part of a store"),
        ("\(store)-journal", "SQLite would take a file that ends in -journal for a part of a store"),
        ("else.sqlite-wal", "SQLite would take a file that ends in -wal for a part of a store"),
        ("\(store).meterfix-restoring", "this name belongs to the store"),
        ("here/other/../\(store).meterfix-restoring", "this name belongs to the store"),
        ("\(store).meterfix/left.json", "this folder holds the store's backups"),
        ("here/\(store).meterfix/20261121T101500Z-rebuild/left.json", "this folder holds the store's backups"),
        ("gone/left.json", "there is no such folder"), ("names.json/left.json", "there is no such folder"),
        ("left/", "the name of a folder, not of a file"),
    ]

    /// Every option and argument that names a new file, and the words it stands behind.
    static let writers: [(option: String, words: [String], rest: [String])] = [
        ("--rejects", ["import-kv", "--rejects"], ["names.json", store]),
        ("--rejects", ["import-kv", "--rejects"], ["names.json", "link.sqlite"]),
        ("--rejects", ["import-kv", "-n", "--rejects"], ["names.json", store]),
        ("--output", ["report", "--output"], [store]), ("--output", ["report", "--output"], ["link.sqlite"]),
        ("OUT", ["recover", store], []), ("OUT", ["redact", store], []), ("OUT", ["redact", "link.sqlite"], []),
        ("OUT", ["redact", "--map", "map.json", store], []), ("--map", ["redact", store, "copy.sqlite", "--map"], []),
    ]

    @Test("to a file goes to a new one that is no part of the store or its backups", arguments: files)
    func newFile(_ path: String, _ sentence: String) throws {
        let folder = try Self.folder()
        for (option, words, rest) in Self.writers {
            let answer = try folder.traceless(words + [path] + rest)
            // A file that is there may be meant as the map of an earlier redaction.
            let isWrongMap =
                option == "--map"
                && (answer.stderr.contains("and it is not a map")
                    || answer.stderr.contains("this name belongs to the store"))
            let said = "meterfix: \(path.isEmpty ? "''" : path): \(sentence)"
            #expect(isWrongMap || answer.stderr.hasPrefix(said), "\(words): \(answer.stderr)")
            #expect(isWrongMap || answer.stderr.contains("\nhint: name a new file for \(option)"), "\(words)")
            #expect(answer.code == 73, "\(words): \(answer.stderr)")
            #expect(answer.stdout.isEmpty && answer.leftovers.isEmpty, "\(words)")
        }
    }

    /// Places that are no place for a folder of backups.
    static let folders = [
        ("", "an empty path"), ("names.json", "a file, not a folder"), (store, "a file, not a folder"),
        ("names.json/deep/er", "names.json is a file"), ("nowhere", "a link to something that is not there"),
        ("\(store)-wal", "a file, not a folder"), ("here/\(store)-journal/", "this name belongs to the store"),
        ("\(store)-shm/below", "this name belongs to the store"),
        ("\(store).meterfix-restoring", "this name belongs to the store"), ("gone/../x", "there is no such folder"),
        ("\(store).meterfix/x", "it lies in the store's backups"),
        ("here/\(store).meterfix/20261121T101500Z-rebuild", "it lies in the store's backups"),
    ]

    @Test("as a backup goes into a folder that is no part of the store or its backups", arguments: folders)
    func backupFolder(_ path: String, _ sentence: String) throws {
        let folder = try Self.folder()
        for words in [
            ["rebuild", "--backup-dir", path, Self.store], ["undo", "--backup-dir", path, "link.sqlite"],
            ["rebuild", "--dry-run", "--backup-dir", path, Self.store],
            ["import-kv", "--rejects", "left.json", "--backup-dir", path, "names.json", Self.store],
        ] {
            let answer = try folder.traceless(words)
            #expect(answer.stderr.hasPrefix("meterfix: \(path.isEmpty ? "''" : path): "), "\(words)")
            #expect(answer.stderr.contains(sentence), "\(words): \(answer.stderr)")
            #expect(answer.code == 73, "\(words): \(answer.stderr)")
        }
    }

    @Test("goes to names of one character, and into folders that are not there yet")
    func shortNames() throws {
        let folder = try ScratchFolder()
        try folder.copySampleFile("duplicates.sqlite", as: "s")
        try folder.copySampleFile("kv/kv-rejects.json", as: "d")
        #expect(try folder.meterfix("import-kv", "-q", "--rejects", "r", "--backup-dir", "b", "d", "s").code == 2)
        #expect(try folder.meterfix("import-kv", "-q", "--rejects", "q", "--create", "d", "n").code == 2)
        #expect(try folder.meterfix("rebuild", "-q", "--backup-dir", "deep/er/", "s").code == 0)
        #expect(try folder.meterfix("undo", "-q", "--backup-dir", "deep/er", "s").code == 0)
        #expect(try folder.meterfix("undo", "-q", "--backup-dir", "b", "s").code == 0)
        #expect(try folder.meterfix("rebuild", "-q", "s").code == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["b", "d", "deep", "n", "n-wal", "q", "r", "s", "s-wal", "s.meterfix"])
    }

    @Test("does not go to standard output, which - would be")
    func dash() throws {
        let folder = try Self.folder()
        for (option, words) in [
            ("--rejects", ["import-kv", "--rejects", "-", "names.json", Self.store]),
            ("--backup-dir", ["rebuild", "--backup-dir", "-", Self.store]),
            ("--output", ["report", "--output", "-", Self.store]), ("OUT", ["redact", Self.store, "-"]),
            ("--map", ["redact", Self.store, "copy.sqlite", "--map", "-"]), ("OUT", ["recover", Self.store, "-"]),
        ] {
            let answer = try folder.traceless(words)
            #expect(
                answer.stderr.hasPrefix("meterfix: \(option) does not write to standard output"), "\(answer.stderr)")
            #expect(answer.code == 64 && answer.stdout.isEmpty)
        }
    }

    @Test("is not what it reads: a dump that is a file of the store is refused")
    func input() throws {
        let folder = try Self.folder()
        try folder.remove("\(Self.store).meterfix")
        try FileManager.default.moveItem(
            atPath: folder.path + "/names.json", toPath: folder.path + "/\(Self.store)-shm")
        for path in ["\(Self.store)-shm", "here/\(Self.store)-shm"] {
            let answer = try folder.traceless(["import-kv", path, Self.store])
            #expect(answer.stderr.hasPrefix("meterfix: \(path): this is a file of the store itself"))
            #expect(answer.code == 73)
        }
    }

    @Test(
        "to a standard output that takes nothing is an I/O error",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: [
            "--help", "--version", "rebuild --help", "help verify", "--generate-completion-script bash",
            "--experimental-dump-help", "status duplicates.sqlite", "verify --json duplicates.sqlite",
            "verify duplicates.sqlite duplicates.sqlite", "rebuild -n duplicates.sqlite", "verify --list-checks",
            "verify --explain lock-torn", "meters --locked duplicates.sqlite", "undo --list duplicates.sqlite",
        ])
    func fullOutput(_ words: String) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try MeterfixProcess.shell("exec \"$METERFIX\" \(words) >/dev/full", in: folder.path).expect(
            74, saying: "standard output: the answer cannot be written: no space left on device")
    }
}

@Suite("text on the command line")
struct ArgumentTextTests {
    @Test(
        "that is not UTF-8 is wrong usage, and nothing is stored in its place",
        arguments: [
            #"set A4:C1:38:0B:7E:21 --name "$(printf 'K\377')" healthy.sqlite"#,
            #"set A4:C1:38:0B:7E:21 --name="$(printf '\303')" healthy.sqlite"#,
            #"set "$(printf 'A4:C1:38:0B:7E:21\377')" --unit celsius healthy.sqlite"#,
            #"import-kv --kv-store "$(printf '\355\240\200')" names.json healthy.sqlite"#,
            #"import-kv --rejects "$(printf 'r\377')" names.json healthy.sqlite"#,
            #"rebuild --dry-run --only "$(printf 'p\377')" healthy.sqlite"#,
            #"rebuild --backup-dir "$(printf 'b\377')" healthy.sqlite"#,
            #"rebuild --winner "$(printf 'w\377')" healthy.sqlite"#,
            #"restore-record A4:C1:38:0B:7E:21 --entry "$(printf 'e\377')" healthy.sqlite"#,
            #"verify --ignore "$(printf 'i\377')" healthy.sqlite"#,
            #"import-kv --create names.json "$(printf 'new\377')""#,
        ])
    func notUTF8(_ words: String) throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.copySampleFile("kv/kv-rejects.json", as: "names.json")
        let before = try folder.snapshot
        let answer = try MeterfixProcess.shell("exec \"$METERFIX\" \(words)", in: folder.path)
        #expect(answer.code == 64 && answer.stdout.isEmpty, "\(answer.stderr)")
        #expect(try folder.snapshot.differences(from: before).isEmpty)
    }

    @Test("that is not UTF-8 names no other file whose name looks the same")
    func lookalike() throws {
        let folder = try ScratchFolder()
        try folder.copySampleFile("duplicates.sqlite", as: "caf\u{FFFD}.sqlite")
        let before = try folder.snapshot
        let answer = try MeterfixProcess.shell(
            #"exec "$METERFIX" rebuild "$(printf 'caf\351.sqlite')""#, in: folder.path)
        #expect(answer.stderr.hasPrefix("meterfix: 'caf\u{FFFD}.sqlite' is not UTF-8"))
        #expect(answer.code == 64)
        #expect(try folder.snapshot.differences(from: before).isEmpty)
        #expect(try folder.meterfix("rebuild", "-q", "caf\u{FFFD}.sqlite").code == 0)
    }
}
