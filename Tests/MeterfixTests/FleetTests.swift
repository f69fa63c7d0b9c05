import Foundation
import MeterTestSupport
import Testing

/// `Scripts/fleet` on a few stores, with GNU parallel and the sqlite3 shell that are there.
@Suite("a fleet of stores", .enabled(if: FleetTools.areInstalled, "GNU parallel or the sqlite3 shell is not installed"))
struct FleetTests {
    private static let script = PackageFolder.path + "/Scripts/fleet"

    /// Several stores, and what is none.
    private static func fleet() throws -> ScratchFolder {
        let folder = try ScratchFolder(samples: "duplicates", "healthy", "v1", "check-clock-in-future")
        try folder.copySampleFile("healthy.sqlite", as: #"it's "a" $store {} @ 100 %.sqlite"#)
        mkfifo(folder.path + "/pipe.sqlite", 0o600)
        return folder
    }

    private static func run(_ words: [String], in folder: ScratchFolder) throws -> MeterfixProcess.Answer {
        let line = #""$0" --meterfix "$METERFIX" "$@""#
        return try MeterfixProcess.start(words: ["/bin/bash", "-c", line, script] + words, in: folder.path).answer()
    }

    private static func query(_ sql: String, _ database: String, in folder: ScratchFolder) throws -> [String] {
        let answer = try MeterfixProcess.start(
            words: ["/usr/bin/env", "sqlite3", "-readonly", database, sql], in: folder.path
        ).answer()
        #expect(answer.stderr.isEmpty)
        return answer.stdout.split(separator: "\n").map(String.init)
    }

    @Test("is gathered into a database, with a store that hangs its call named and the rest verified")
    func poisoned() throws {
        let folder = try Self.fleet()
        // SQLite's integrity check evaluates the constraint for each row, for minutes; but not in a database that is
        // opened for reading, which a store with a journal is not, being copied.
        try StoreFixture().damaged(
            """
            PRAGMA ignore_check_constraints = 1;
            CREATE TABLE slow (x CHECK (length(randomblob(30000000)) > 0));
            INSERT INTO slow SELECT value FROM json_each('[' || substr(replace(hex(zeroblob(1000)), '0', ',0'), 2) || ']');
            """
        ).write(to: folder.path + "/hangs.sqlite")
        try folder.write("journal", to: "hangs.sqlite-journal")
        let stores = [
            "duplicates.sqlite", #"it's "a" $store {} @ 100 %.sqlite"#, "hangs.sqlite", "gone.sqlite", "pipe.sqlite",
            "v1.sqlite", "healthy.sqlite", "check-clock-in-future.sqlite", "v1.sqlite",
        ]
        try folder.write(stores.joined(separator: "\n") + "\n\n", to: "list")
        let answer = try Self.run(
            ["--chunk", "4", "--limit", "2", "list", "my run", "--", "--ignore", "name-shared"], in: folder)
        #expect(answer.stderr == "fleet: 1 stores gave no answer: SELECT * FROM not_verified\n")
        #expect(answer.code == 2)
        let states = try Self.query("SELECT path, state FROM store ORDER BY number", "my run/fleet.sqlite", in: folder)
        #expect(
            states == [
                "duplicates.sqlite|verified", #"it's "a" $store {} @ 100 %.sqlite|verified"#, "hangs.sqlite|timed out",
                "gone.sqlite|refused", "pipe.sqlite|refused", "v1.sqlite|verified", "healthy.sqlite|verified",
                "check-clock-in-future.sqlite|verified",
            ])
        func views(_ sql: String) throws -> [String] { try Self.query(sql, "my run/fleet.sqlite", in: folder) }
        #expect(
            try views("SELECT error_code, error_message FROM not_verified WHERE state = 'refused'")
                == ["65|not a regular file", "66|no such file"])
        #expect(try views("SELECT schema_version, stores, with_errors FROM versions") == ["1|1|1", "2|4|1"])
        #expect(try views("SELECT path FROM clocks WHERE clock_in_future = 1") == ["check-clock-in-future.sqlite"])
        #expect(
            try views("SELECT stores, example FROM findings_by_id WHERE id = 'uniqueness-constraint'")
                == ["1|v1.sqlite"])
        #expect(try views("SELECT path FROM stores_by_worst LIMIT 1") == ["duplicates.sqlite"])
        #expect(try views("SELECT count(*) FROM finding WHERE id = 'name-shared'") == ["0"])
    }

    @Test(
        "that was killed goes on where it was, and verifies nothing twice",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid"), "only Linux has setsid"))
    func resumed() throws {
        let folder = try Self.fleet()
        let stores = (1...60).map { "store-\($0).sqlite" }
        for store in stores { try folder.copySampleFile("duplicates.sqlite", as: store) }
        try folder.write(stores.joined(separator: "\n"), to: "list")
        let words = ["--chunk", "2", "--jobs", "1", "list", "run"]
        let line = #"exec setsid "$0" --meterfix "$METERFIX" "$@""#
        let first = try MeterfixProcess.start(words: ["/bin/bash", "-c", line, Self.script] + words, in: folder.path)
        let log = folder.path + "/run/groups/0001.stores.log"
        // Whole lines: the last one may be cut.
        func calls() -> [Substring] {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        }
        while first.isRunning, calls().count < 5 { usleep(2_000) }
        // The script, GNU parallel and the calls that run: all of the session's processes.
        kill(-first.pid, SIGKILL)
        #expect(try first.answer().code == 128 + SIGKILL)
        let done = calls()
        #expect((5..<31).contains(done.count))
        #expect(!folder.has("run/fleet.sqlite"))

        let second = try Self.run(words, in: folder)
        #expect(second.code == 0 && second.stderr.isEmpty)
        #expect(calls().count == 31 && calls().starts(with: done))
        #expect(
            try Self.query("SELECT state, count(*) FROM store GROUP BY state", "run/fleet.sqlite", in: folder)
                == ["verified|60"])
        // Nothing is left to do: only gathered again.
        #expect(try Self.run(words, in: folder).code == 0)
        #expect(calls().count == 31)
    }

    @Test(
        "that cannot be is refused with a sentence",
        arguments: [
            ("a\tb\u{7}\n", ["list", "run"], 65, "a control character in a path"),
            ("\n\n", ["list", "run"], 65, "no store in it"), ("a\n", ["list"], 64, "name a LIST and a FOLDER"),
            ("a\n", ["gone", "run"], 66, "gone: no such list"),
            ("a\n", ["--chunk", "0", "list", "run"], 64, "not a number of 1 or more: 0"),
            ("a\n", ["--sshlogin", ":", "list", "run"], 65, "for a host a path must begin with /: a"),
        ] as [(String, [String], Int32, String)])
    func refused(_ list: String, _ words: [String], _ code: Int32, _ sentence: String) throws {
        let folder = try ScratchFolder()
        try folder.write(list, to: "list")
        let answer = try Self.run(words, in: folder)
        #expect(answer.stderr.contains(sentence), "\(answer.stderr)")
        #expect(answer.code == code)
    }

    @Test("with another list or other options wants another folder")
    func otherList() throws {
        let folder = try Self.fleet()
        try folder.write("duplicates.sqlite\n", to: "list")
        let first = try Self.run(["list", "run"], in: folder)
        #expect(first.code == 0)
        #expect(first.stdout.contains("Checks\n") && first.stdout.contains("/run/fleet.html has this as a page"))
        let page = try folder.text("run/fleet.html")
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<TD>verified</TD>"))
        for words in [["list", "run", "--", "--strict"], ["--chunk", "7", "list", "run"]] {
            try Self.run(words, in: folder).expect(64, saying: "has a run with another list or other options in it")
        }
    }
}

/// What the script needs besides meterfix.
enum FleetTools {
    static let areInstalled: Bool = {
        let line = "parallel --version 2>/dev/null | grep -q '^GNU parallel' && sqlite3 --version >/dev/null"
        return (try? MeterfixProcess.shell(line, in: "/").code) == 0
    }()
}
