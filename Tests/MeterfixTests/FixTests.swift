import Foundation
import JSON
import MeterTestSupport
import Testing

@Suite("meterfix fix")
struct FixTests {
    private static let now = ["--now", SampleSession.now]
    private static let store = "CKModel.sqlite"

    /// A folder with a store of three orphans.
    private static func folder() throws -> ScratchFolder { try ScratchFolder(of: .orphans, as: store) }

    private func fix(_ folder: ScratchFolder, _ words: String...) throws -> MeterfixProcess.Answer {
        try folder.meterfix(arguments: ["fix"] + words + Self.now)
    }

    @Test("shows in a dry run what would be deleted in CloudKit, of which entity, and changes nothing")
    func dryRun() throws {
        let folder = try Self.folder()
        let before = try folder.snapshot
        let answer = try fix(folder, "--dry-run", "mirror-orphan", Self.store)
        #expect(answer.code == 1 && answer.stderr.isEmpty)
        for words in [
            "CKModel.sqlite: 3 records in CloudKit without a row here", "Bookmark        row 7  SEVEN",
            "Bookmark        row 8  unnamed", "DeviceSettings  row 6  SIX", "on all of the user's other devices",
            "planned: 3 deletes for CloudKit written into the history, no row touched",
        ] { #expect(answer.stdout.contains(words), "\(answer.stdout)") }
        #expect(try Self.nextStep(in: answer) == "mirror-orphan CKModel.sqlite")
        #expect(try folder.snapshot.differences(from: before).isEmpty)
    }

    @Test("writes the deletes, after which verify finds no orphan, and undo takes them back byte for byte")
    func change() throws {
        let folder = try Self.folder()
        let before = try folder.snapshot.contents
        #expect(try folder.meterfix("verify", "--strict", Self.store).code == 1)
        let answer = try fix(folder, "mirror-orphan", Self.store)
        #expect(answer.code == 0 && answer.stdout.contains("done: 3 deletes for CloudKit written into the history"))
        #expect(answer.stdout.contains("backup: CKModel.sqlite.meterfix/20261121T120000Z-fix\n"))
        let findings = try folder.meterfix("verify", "--json", Self.store).stdout
        #expect(!findings.contains("mirror-orphan") && findings.contains("mirror-pending"))
        let again = try fix(folder, "mirror-orphan", Self.store)
        #expect(again.code == 0 && again.stdout == "nothing to do: no CloudKit record metadata is an orphan\n")
        #expect(try folder.meterfix("undo", "--list", Self.store).stdout.contains("3 records deleted in CloudKit only"))
        let entry = Self.store + ".meterfix/20261121T120000Z-fix/" + Self.store
        #expect(try folder.meterfix("compare", entry, Self.store).code == 0)
        #expect(try folder.meterfix("restore-record", "--list", "A4:C1:38:0B:7E:06", Self.store).code == 0)
        #expect(try folder.meterfix("undo", Self.store).code == 0)
        #expect(try folder.snapshot.contents[Self.store] == before[Self.store])
    }

    @Test("answers in JSON with each delete, which is of something that is gone")
    func json() throws {
        let folder = try Self.folder()
        let answer = try fix(folder, "-n", "--json", "mirror-orphan", Self.store)
        let document = try answer.json
        #expect(document["command"]?.string == "fix" && document["outcome"]?.string == "planned")
        let changes = try #require(document["changes"]?.elements)
        #expect(
            changes.map { $0.text(pretty: false) } == [
                #"{"kind":"delete","entity":"Bookmark","row":7,"mac":null,"cloudRecord":"SEVEN","gone":true}"#,
                #"{"kind":"delete","entity":"Bookmark","row":8,"mac":null,"cloudRecord":null,"gone":true}"#,
                #"{"kind":"delete","entity":"DeviceSettings","row":6,"mac":null,"cloudRecord":"SIX","gone":true}"#,
            ])
        #expect(document["cloud"]?["deletes"] == .integer(3) && document["summary"]?["deleted"] == .integer(0))
        #expect(document["notes"]?.elements?.count == 1)
    }

    @Test("takes the store from the environment, ids more than once, and names where the store is")
    func environment() throws {
        let folder = try Self.folder()
        let environment = ["METERFIX_STORE": Self.store]
        for words in [["mirror-orphan"], ["mirror-orphan", "mirror-orphan"]] {
            let answer = try folder.meterfix(arguments: ["fix", "-n"] + words + Self.now, environment: environment)
            #expect(try answer.code == 1 && Self.nextStep(in: answer) == "mirror-orphan CKModel.sqlite")
        }
        try folder.meterfix("fix", "mirror-orphan").expect(64, saying: "name a STORE, or set METERFIX_STORE")
    }

    /// What follows the fingerprint in the command that a dry run ends with.
    private static func nextStep(in answer: MeterfixProcess.Answer) throws -> Substring? {
        let line = try Regex("\nto do it: meterfix fix --expect [0-9a-f]{16} ")
        return answer.stdout.split(separator: line).last?.split(separator: "\n").first
    }

    @Test("of the records of some meters leaves all others, and what no meter has")
    func filtered() throws {
        let folder = try ScratchFolder(sample: "check-lock-torn")
        let store = "check-lock-torn.sqlite"
        let others = try fix(folder, "--all", "--except", "Bench UM34C", store)
        #expect(others.code == 2 && others.stdout.contains("\nnothing to do for the meters asked for\n"))
        let one = try fix(folder, "--dry-run", "--all", "--only", "Bench UM34C", store)
        #expect(one.code == 1)
        #expect(try Self.nextStep(in: one) == "--all --only A4:C1:38:5D:02:9F check-lock-torn.sqlite")
        #expect(try fix(folder, "--all", "--only", "Bench UM34C", store).code == 0)
        try folder.copySampleFile("check-mirror-orphan.sqlite", as: "orphan.sqlite")
        let orphan = try fix(folder, "mirror-orphan", "--only", "A4:C1:38:0B:7E:21", "orphan.sqlite")
        #expect(orphan.code == 2 && orphan.stdout.hasPrefix("nothing to do for the meters asked for\n"))
        #expect(try fix(folder, "mirror-orphan", "--except", "A4:C1:38:0B:7E:21", "orphan.sqlite").code == 0)
    }

    @Test(
        "says of what no command cures what was found, and what to do instead",
        arguments: [["foreign-index"], ["--all"]])
    func leftToPeople(_ words: [String]) throws {
        let folder = try ScratchFolder(
            of: StoreFixture(records: [Meters.healthy]).damaged(
                """
                ALTER TABLE Z_METADATA RENAME TO old;
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255) UNIQUE, Z_PLIST BLOB);
                INSERT INTO Z_METADATA SELECT * FROM old; DROP TABLE old
                """), as: Self.store)
        let answer = try folder.meterfix(arguments: ["fix"] + words + Self.now + [Self.store])
        #expect(answer.code == 2)
        for line in [
            "fix can do nothing about foreign-index here: see below what to do", "what remains: 1 error",
            "  → use a copy from before another tool recreated the table: no command changes its statement",
        ] { #expect("\n\(answer.stdout)".contains("\n\(line)\n"), "\(answer.stdout)") }
        #expect(!answer.stdout.contains("asked for"))
        // Of what it can cure nothing is said twice.
        try folder.execute("CREATE UNIQUE INDEX another ON ZDEVICESETTINGS (ZMETERNAME)", in: Self.store)
        let some = try folder.meterfix(arguments: ["fix"] + words + Self.now + [Self.store])
        #expect(some.code == 2 && some.stdout.contains("\ndone: 1 index or trigger dropped"), "\(some.stdout)")
        #expect(some.stdout.contains("\nwhat remains: 1 error\n"), "\(some.stdout)")
    }

    @Test("says of what cannot be cured yet why not, and that something remains")
    func unread() throws {
        let folder = try ScratchFolder(of: .orphansWithInsert, as: Self.store)
        try folder.execute(
            """
            DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY LIKE '%LastHistoryTokenKey';
            UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = NULL WHERE ZENTITYPK = 6
            """, in: Self.store)
        let first = try fix(folder, "mirror-orphan", Self.store)
        #expect(first.code == 2 && first.stdout.contains("done: 2 deletes for CloudKit"), "\(first.stderr)")
        #expect(first.stdout.contains("row 6 of DeviceSettings: the mirror has yet to read the insert"))
        let second = try fix(folder, "mirror-orphan", Self.store)
        #expect(second.code == 2 && second.stdout.contains("\nnothing can be done yet\n"), "\(second.stdout)")
    }

    @Test(
        "refuses what it does not fix, saying what does, and every word that is no id (64):",
        arguments: [
            (["duplicate-mac", "CKModel.sqlite"], "fix cannot fix 'duplicate-mac', only index-damaged"),
            (
                ["duplicate-mac", "CKModel.sqlite"],
                "meterfix verify CKModel.sqlite, or meterfix verify --explain duplicate"
            ), (["mirror-orphan", "mirror-pending", "CKModel.sqlite"], "fix cannot fix 'mirror-pending'"),
            (["mirror-orphn", "CKModel.sqlite"], "no check has the id 'mirror-orphn'; fix knows index-damaged"),
            (["mirror-orphan", "mirror-orphn"], "no check has the id 'mirror-orphn'"),
            (["CKModel.sqlite", "mirror-orphan"], "no check has the id 'CKModel.sqlite'"),
            (["CKModel.sqlite"], "name the finding to fix by its id, or use --all; fix knows index-damaged"),
            ([], "name the finding to fix by its id"),
            (["--all", "mirror-orphan", "CKModel.sqlite"], "--all and ids exclude each other"),
            (
                ["wal-missing", "CKModel.sqlite"],
                "wal-missing cannot be fixed: the changes in the -wal file are not in"
            ), (["mirror-orphan", "CKModel.sqlite", "--expect", "p"], "'p' is no fingerprint"),
            (["--all", "CKModel.sqlite", "--only", "a", "--except", "b"], "--only and --except exclude each other"),
            (["mirror-orphan", "CKModel.sqlite", "--winner", "newest"], "--mac-case belong to --all, or to rebuild"),
            (["mirror-orphan", "CKModel.sqlite", "--except-check", "lock-torn"], "--except-check belongs to --all"),
            (["--all", "CKModel.sqlite", "--except-check", "mac-missing"], "--all does not fix 'mac-missing'"),
            (["--all", "CKModel.sqlite", "--keep", "x"], "'x' names no value to keep"),
        ] as [([String], String)])
    func wrongUsage(words: [String], message: String) throws {
        let folder = try Self.folder()
        try folder.traceless(["fix"] + words).expect(64, saying: message)
    }

    @Test("takes a file for a store even if its name could be an id, and misses one that is gone")
    func storeNames() throws {
        let folder = try ScratchFolder(of: .orphans, as: "my-store")
        #expect(try fix(folder, "-n", "mirror-orphan", "my-store").code == 1)
        #expect(try fix(folder, "-n", "mirror-orphan", "gone.sqlite").code == 66)
    }

    @Test(
        "is what Tests/Goldens/fix says",
        arguments: [
            ("check-mirror-orphan", "mirror-orphan"), ("check-id-duplicate", "id-duplicate"),
            ("check-primary-key-behind", "primary-key-behind"), ("check-unit-unknown", "unit-unknown"),
            ("check-entity-number-mismatch", "--all"), ("duplicates", "--all"),
        ])
    func golden(sample: String, id: String) throws {
        let folder = try ScratchFolder(sample: sample)
        let store = sample + ".sqlite"
        let transcript = Transcript(in: folder)
        for words in [
            ["fix", "--dry-run", id, store], ["fix", "--dry-run", "--json", id, store],
            ["fix", id, store], ["fix", id, store], ["verify", store], ["undo", "--list", store],
            ["undo", store],
        ] { try transcript.run(words) }
        try transcript.compare(with: "fix/\(sample).txt")
    }
}
