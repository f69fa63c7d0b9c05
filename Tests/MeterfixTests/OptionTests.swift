import Foundation
import GRDBSQLite
import JSON
import MeterInspect
import MeterJournal
import MeterTestSupport
import Testing

@Suite("an option")
struct OptionTests {
    /// The ids that scripts rely on, with their severities: what the page says. (What is on the page comes from the checks,
    /// so a check that changes its id shows there.)
    private static func checks() throws -> [[String]] {
        try PackageFolder.text("Documentation/checks.md").matches(of: /\n## ([a-z-]+)\n\n\*\*(\w+)\*\*/)
            .map { [String($0.1), String($0.2)] }
    }

    private static let now = SampleSession.now

    @Test("--list-checks lists the ids that scripts rely on, with their severities")
    func listChecks() throws {
        let folder = try ScratchFolder()
        let checks = try Self.checks()
        #expect(checks.count > 40)
        let text = try folder.meterfix("verify", "--list-checks")
        let lines = text.stdout.split(separator: "\n").map { $0.split(separator: " ").prefix(2).map(String.init) }
        #expect(lines == checks)
        #expect(text.code == 0)
        let json = try folder.meterfix("verify", "--list-checks", "--json").json
        let listed = json["checks"]?.elements?.compactMap { [$0["id"]?.string ?? "", $0["severity"]?.string ?? ""] }
        #expect(listed == checks)
    }

    @Test("--explain says of each check more than its title")
    func explain() throws {
        let folder = try ScratchFolder()
        for check in try Self.checks() {
            let answer = try folder.meterfix("verify", "--explain", check[0])
            let lines = answer.stdout.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[0].hasPrefix("\(check[0]) (\(check[1])): "))
            #expect(lines.count > 3, "\(check[0])")
            // In a pipe no line is broken: between two paragraphs there is an empty one.
            let areApart = zip(lines, lines.dropFirst()).allSatisfy { line, next in
                line.isEmpty != next.isEmpty || line.hasPrefix("  - ") && next.hasPrefix("  - ")
            }
            #expect(areApart, "\(check[0])")
            #expect(answer.code == 0)
        }
    }

    @Test("--mac-case is in the command lines that verify shows, where the command has it")
    func caseInCure() throws {
        let folder = try ScratchFolder(samples: "v1", "duplicates")
        let old = try folder.meterfix("verify", "--mac-case", "lower", "--now", Self.now, "v1.sqlite").stdout
        #expect(old.contains("meterfix fix --dry-run --all --mac-case lower v1.sqlite"))
        let cures = try folder.meterfix("verify", "--json", "--mac-case", "lower", "--now", Self.now, "v1.sqlite")
            .stdout
        #expect(cures.contains("\"meterfix migrate v1.sqlite\"") && !cures.contains("meterfix migrate --mac-case"))
        let new = try folder.meterfix("verify", "--mac-case", "lower", "--now", Self.now, "duplicates.sqlite").stdout
        #expect(new.contains("meterfix fix --dry-run --all --mac-case lower duplicates.sqlite"))
    }

    @Test("--strict lets warnings count, and --ignore takes a check's findings away")
    func strictAndIgnore() throws {
        let folder = try ScratchFolder(samples: "check-name-shared", "check-lock-expired", "check-lock-torn")
        func code(_ arguments: String...) throws -> Int32 {
            try folder.meterfix(arguments: ["verify", "--quiet", "--now", Self.now] + arguments).code
        }
        #expect(try code("check-name-shared.sqlite") == 0)
        #expect(try code("--strict", "check-name-shared.sqlite") == 1)
        #expect(try code("--strict", "--ignore", "name-shared", "check-name-shared.sqlite") == 0)
        #expect(try code("--strict", "check-lock-expired.sqlite") == 0)
        #expect(try code("check-lock-torn.sqlite") == 1)
        #expect(try code("--strict", "check-lock-torn.sqlite") == 1)
        #expect(try code("--ignore", "lock-torn", "check-lock-torn.sqlite") == 0)
        #expect(try code("--ignore", "name-shared", "check-lock-torn.sqlite") == 1)
        // Of several stores.
        #expect(try code("check-name-shared.sqlite", "check-lock-expired.sqlite") == 0)
        #expect(try code("--strict", "check-name-shared.sqlite", "check-lock-expired.sqlite") == 1)
        #expect(try code("--strict", "check-lock-expired.sqlite", "check-name-shared.sqlite") == 1)
        #expect(try code("check-lock-torn.sqlite", "check-name-shared.sqlite") == 1)
        #expect(try code("--ignore", "lock-torn", "--ignore", "duplicate-mac", "check-lock-torn.sqlite") == 0)
        #expect(try code("--ignore", "duplicate-mac", "--ignore", "lock-torn", "check-lock-torn.sqlite") == 0)
        let ignored = try folder.meterfix(
            "verify", "--ignore", "lock-torn", "check-lock-torn.sqlite", "--now", Self.now)
        #expect(!ignored.stdout.contains("lock-torn:"))
    }

    @Test("that is wrong is wrong usage, with a sentence and nothing on stdout")
    func wrongUsage() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for (words, sentence) in [
            (["status", "--frobnicate", "duplicates.sqlite"], "meterfix: unknown option '--frobnicate'"),
            (["frobnicate"], "meterfix: unknown command 'frobnicate'"),
            (["rebuild", "duplicates.sqlite", "second.sqlite"], "meterfix: unexpected argument 'second.sqlite'"),
            (
                ["verify", "--ignore", "frobnicated", "duplicates.sqlite"],
                "meterfix: no check has the id 'frobnicated'; see meterfix verify --list-checks"
            ),
            (
                ["verify", "--explain", "frobnicated"],
                "meterfix: no check has the id 'frobnicated'; see meterfix verify --list-checks"
            ),
            (
                ["verify", "--now", "yesterday", "duplicates.sqlite"],
                "meterfix: the value 'yesterday' is invalid for '--now <ISO-8601>': "
                    + "'yesterday' is not a moment; write it as 2026-11-21T10:15:00Z"
            ),
            (
                ["status", "--now", "2026-13-21T10:15:00Z", "duplicates.sqlite"],
                "meterfix: the value '2026-13-21T10:15:00Z'"
            ), (["status", "--color", "pink", "duplicates.sqlite"], "meterfix: the value 'pink' is invalid"),
            (["rebuild", "--winner", "luckiest", "duplicates.sqlite"], "meterfix: the value 'luckiest' is invalid"),
            (["rebuild", "--mac-case", "camel", "duplicates.sqlite"], "meterfix: the value 'camel' is invalid"),
            (
                ["rebuild", "--no-backup", "--backup-dir", "b", "duplicates.sqlite"],
                "meterfix: --no-backup and --backup-dir exclude each other"
            ),
        ] {
            let answer = try folder.traceless(words)
            #expect(answer.stderr.hasPrefix(sentence), "\(words)")
            #expect(answer.code == 64 && answer.stdout.isEmpty, "\(words)")
        }
    }

    @Test("that is wrong is a document too where JSON is asked for")
    func wrongUsageJSON() throws {
        let folder = try ScratchFolder()
        for (words, command) in [
            (["verify", "--frobnicate", "--json"], "verify"), (["verify", "--format=json", "--frobnicate"], "verify"),
            (["--frobnicate", "--format", "json"], nil),
        ] as [([String], String?)] {
            let answer = try folder.meterfix(arguments: words)
            let help = ["meterfix", command, "--help"].compactMap(\.self).joined(separator: " ")
            #expect(
                answer.stdout == """
                    {
                      "schema": 1,
                      "tool": "meterfix",
                      "version": "\(Version.current)",
                      "command": \(command.map { "\"\($0)\"" } ?? "null"),
                      "store": null,
                      "error": {
                        "code": 64,
                        "message": "unknown option '--frobnicate'",
                        "hint": "see \(help)"
                      }
                    }

                    """)
            #expect(answer.stderr.hasPrefix("meterfix: unknown option '--frobnicate'"))
            #expect(answer.code == 64)
        }
        #expect(try folder.meterfix("verify", "--frobnicate", "--", "--json").stdout.isEmpty)
        let noStore = try folder.meterfix("status", "--json")
        #expect(try noStore.json["error"]?["code"] == .integer(64))
    }

    @Test("--format and --json contradict each other", arguments: ["html", "markdown"])
    func twoFormats(_ format: String) throws {
        try ScratchFolder(sample: "v1").meterfix("status", "--json", "--format", format, "v1.sqlite").expect(
            64, saying: "--json and --format \(format) exclude each other")
    }

    @Test("--quiet prints nothing; the exit code stays")
    func quiet() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for (words, code) in [
            (["status"], 0), (["verify"], 1), (["rebuild", "-n"], 1), (["rebuild"], 0), (["verify"], 0),
        ] as [([String], Int32)] {
            let answer = try folder.meterfix(arguments: words + ["-q", "duplicates.sqlite"])
            #expect(answer.stdout.isEmpty && (answer.stderr.isEmpty || words == ["verify"]))
            #expect(answer.code == code)
        }
        #expect(try folder.meterfix("status", "-q", "gone.sqlite").stderr.hasPrefix("meterfix: gone.sqlite: "))
    }

    @Test("--color: always paints, never and a pipe do not")
    func color() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        func isPainted(_ arguments: String..., environment: [String: String] = [:]) throws -> Bool {
            let words = ["verify", "duplicates.sqlite"] + arguments
            return try folder.meterfix(arguments: words, environment: environment).stdout.contains("\u{1B}[")
        }
        #expect(try isPainted("--color", "always"))
        #expect(try isPainted("--color", "always", environment: ["NO_COLOR": "1", "TERM": "dumb"]))
        #expect(try !isPainted("--color", "never"))
        #expect(try !isPainted("--color", "auto"))
        #expect(try !isPainted())
        #expect(try !isPainted("--json", "--color", "always"))
    }

    @Test("a value that is kept is marked in its cell: with a sign, with colour too, and in Markdown in bold")
    func keptValues() throws {
        let folder = try ScratchFolder(sample: "check-duplicate-mac")
        func line(_ field: String, _ options: String...) throws -> String? {
            let words = ["rebuild", "-n", "check-duplicate-mac.sqlite", "--now", Self.now] + options
            let lines = try folder.meterfix(arguments: words).stdout.split(separator: "\n")
            return lines.first { $0.contains(field) }.map(String.init)
        }
        let name = "iPad de Chloé"
        #expect(
            try line("lastSeenByDeviceName")
                == "  lastSeenByDeviceName  –                     \(name) *       \(name)       (last seen, row 7)")
        let painted = try line("lastSeenByDeviceName", "--color", "always")
        #expect(painted?.contains(" \u{1B}[32m\(name) *\u{1B}[0m       \(name) ") == true)
        let markdown = try line("lastSeenByDeviceName", "--format", "markdown")
        #expect(markdown?.contains("| – | **\(name)** | \(name) |") == true)
        // Of equal values none was chosen.
        #expect(try line("modelType")?.contains("*") == false)
    }

    @Test("--now and the time zone are the only clocks: two runs are equal everywhere")
    func clock() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let words = ["rebuild", "-n", "--json", "duplicates.sqlite", "--now", Self.now]
        let here = try folder.meterfix(arguments: words)
        let there = try folder.meterfix(
            arguments: words, environment: ["TZ": "America/St_Johns", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"])
        #expect(here.stdout == there.stdout)
        // The same moment in another zone.
        let offset = try folder.meterfix(arguments: words.dropLast() + ["2026-11-21T14:00:00+02:00"])
        #expect(here.stdout == offset.stdout)
    }

    @Test("--backup-dir and --no-backup decide where the files are saved")
    func backup() throws {
        let folder = try ScratchFolder(sample: "wal-only")
        let before = try folder.snapshot.contents
        #expect(
            try folder.meterfix("rebuild", "-q", "--backup-dir", "saved", "wal-only.sqlite", "--now", Self.now).code
                == 0)
        let entry = "saved/20261121T120000Z-rebuild"
        let after = try folder.snapshot.contents
        #expect(after["\(entry)/wal-only.sqlite"] == before["wal-only.sqlite"])
        #expect(after["\(entry)/wal-only.sqlite-wal"] == before["wal-only.sqlite-wal"])
        let journal = try JSONValue(parsing: try #require(after["\(entry)/journal.json"]))
        #expect(journal["report"]?["outcome"] == "applied")
        #expect(journal["report"]?["backup"] == .string(entry))
        #expect(after["wal-only.sqlite.meterfix"] == nil)

        let bare = try ScratchFolder(sample: "duplicates")
        #expect(try bare.meterfix("rebuild", "-q", "--no-backup", "duplicates.sqlite").code == 0)
        #expect(try bare.snapshot.names == ["duplicates.sqlite", "duplicates.sqlite-wal"])
    }

    @Test("--force repairs a mirrored store without history, and warns")
    func force() throws {
        let folder = try ScratchFolder(sample: "no-history")
        let answer = try folder.meterfix("rebuild", "-q", "--force", "no-history.sqlite")
        #expect(answer.stderr.hasPrefix("meterfix: warning: the store is mirrored but has no history: "))
        #expect(answer.code == 0)
    }

    @Test("--winner newest keeps the other record; --mac-case respells")
    func winnerAndCase() throws {
        let folder = try ScratchFolder(sample: "check-duplicate-mac")
        func changes(_ options: String...) throws -> [JSONValue] {
            let answer = try folder.meterfix(
                arguments: ["rebuild", "-n", "--json", "check-duplicate-mac.sqlite"] + options)
            return try #require(try answer.json["changes"]?.elements)
        }
        func deleted(_ changes: [JSONValue]) -> [Double?] {
            changes.filter { $0["kind"] == "delete" }.map { $0["row"]?.number }
        }
        #expect(deleted(try changes()) == [7])
        #expect(deleted(try changes("--winner", "newest")) == [6])
        #expect(try changes("--mac-case", "lower").contains { $0["mac"]?.string?.hasPrefix("a4:c1:38:70") == true })
        let dryRun = try folder.meterfix(
            "rebuild", "-n", "check-duplicate-mac.sqlite", "--winner", "newest", "--mac-case", "lower", "--backup-dir",
            "my backups", "--now", Self.now)
        #expect(
            dryRun.stdout.contains(
                " --winner newest --mac-case lower --backup-dir 'my backups' check-duplicate-mac.sqlite\n"))
        let lower = try folder.meterfix(
            "verify", "check-duplicate-mac.sqlite", "--mac-case", "lower", "--now", Self.now)
        #expect(lower.stdout.contains("mac-not-canonical: "))
        #expect(lower.stdout.contains(" meterfix fix --dry-run --all --mac-case lower check-duplicate-mac.sqlite\n"))
    }

    @Test("--version is the version")
    func version() throws {
        let answer = try ScratchFolder().meterfix("--version")
        #expect(answer.stdout == "\(Version.current)\n")
        #expect(answer.code == 0)
    }

    @Test("--version --verbose says what the program is made of", arguments: ["--verbose", "-v"])
    func verboseVersion(option: String) throws {
        let answer = try ScratchFolder().meterfix("--version", option)
        #expect(answer.code == 0)
        let lines = answer.stdout.split(separator: "\n").map(String.init)
        #expect(lines.first == Version.current)
        let labels = lines.dropFirst().map { line in String(line.prefix { $0 != ":" }) }
        #expect(labels == ["commit", "Swift", "SQLite", "json-c", "zlib", "libcrypto", "GRDB"])
        // The library that this test has open, too.
        let sqlite = String(cString: sqlite3_libversion())
        #expect(lines.contains { $0.hasPrefix("SQLite: \(sqlite), from /") }, "\(answer.stdout)")
        #expect(lines.count { $0.contains(/^(json-c|zlib): [0-9]+\.[0-9]/) } == 2, "\(answer.stdout)")
        #expect(try ScratchFolder().meterfix(option, "--version").stdout == answer.stdout)
    }

    @Test("stands in the help of its command")
    func help() throws {
        let folder = try ScratchFolder()
        let common = ["--json", "-q, --quiet", "-v, --verbose", "--color", "--now", "--version", "-h, --help"]
        let writing = ["-n, --dry-run", "--backup-dir", "--no-backup", "--force", "--winner", "--mac-case"]
        let checking = ["--strict", "--ignore", "--explain", "--list-checks", "--mac-case"]
        for (command, options) in [("status", []), ("verify", checking), ("rebuild", writing)] {
            let help = try folder.meterfix(command, "--help")
            #expect(help.code == 0)
            for option in common + options { #expect(help.stdout.contains("\n  \(option) "), "\(command) \(option)") }
            #expect(help.stdout.contains("EXAMPLE"))
            #expect(help.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE: ") })
        }
        let root = try folder.meterfix("--help").stdout
        for command in ["status", "verify", "rebuild"] { #expect(root.contains("\n  \(command) ")) }
    }
}

@Suite("several stores at once")
struct SeveralStoresTests {
    @Test("are verified one after the other; the worst decides, and one that cannot be read stops nothing")
    func severalStores() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.copySampleFile("photo.jpg", as: "photo.jpg")
        try folder.copyStore("duplicates")
        let stores = ["healthy.sqlite", "gone.sqlite", "photo.jpg", "duplicates.sqlite"]
        let json = try folder.meterfix(arguments: ["verify", "--json"] + stores)
        let lines = json.stdout.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 5 && lines.last == "")
        let documents = try lines.dropLast().map { try JSONValue(parsing: Array($0.utf8)) }
        #expect(documents.map { $0["store"]?.string } == stores)
        #expect(documents.map { $0["error"]?["code"]?.number } == [nil, 66, 65, nil])
        #expect(documents.allSatisfy { $0.keys?.first == "schema" })
        #expect(json.code == 66)

        let text = try folder.meterfix(arguments: ["verify", "--verbose"] + stores)
        #expect(text.stdout.hasPrefix("healthy.sqlite: clean, 5 records\n"))
        #expect(text.stdout.contains("duplicates.sqlite: "))
        #expect(text.stderr.contains("meterfix: gone.sqlite: ") && text.stderr.contains("meterfix: photo.jpg: "))
        #expect(text.code == 66)
        #expect(try folder.meterfix("verify", "-q", "healthy.sqlite", "duplicates.sqlite").code == 1)
        #expect(try folder.meterfix("verify", "-q", "healthy.sqlite", "healthy.sqlite").code == 0)
    }

    @Test("of verify, --quiet is silent only where all is well")
    func quiet() throws {
        let folder = try ScratchFolder(sample: "healthy")
        for store in ["check-mirror-failing", "main-file-alone"] { try folder.copyStore(store) }
        let stores = ["check-mirror-failing.sqlite", "main-file-alone.sqlite"]
        for store in stores {
            let answer = try folder.meterfix("verify", "-q", store)
            #expect(answer.stdout.isEmpty)
            #expect(answer.stderr.hasPrefix("meterfix: warning: \(store): needs a review: 1 warning"))
        }
        let answer = try folder.meterfix(arguments: ["verify", "-q", "healthy.sqlite"] + stores)
        #expect(answer.stdout.isEmpty)
        #expect(answer.stderr.split(separator: "\n").count == 2)
        #expect(try folder.meterfix("verify", "-q", "healthy.sqlite").stderr.isEmpty)
        // Of a finding that is ignored, too, if it is said before everything else.
        let ignored = try folder.meterfix("verify", "-q", "--ignore", "wal-missing", "main-file-alone.sqlite")
        #expect(ignored.stderr.contains("there is no -wal file"))
    }
}
