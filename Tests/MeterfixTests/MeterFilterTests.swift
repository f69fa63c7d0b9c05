import MeterTestSupport
import Testing

@Suite("--only and --except")
struct MeterFilterTests {
    private static let store = "duplicates.sqlite"

    /// A store with five meters to merge, and a dump with a meter that the store does not have.
    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.copySampleFile("kv/kv.json", as: "kv.json")
        return folder
    }

    @Test(
        "name a meter by its address or its only name, and nothing is done for any other name (64):",
        arguments: [
            (
                ["rebuild", "--only", "Kitchn charger"],
                "no meter is named \"Kitchn charger\"; did you mean A4:C1:38:0B:7E:21, rows 1, 2 and 3, \"Kitchen charger\"?"
            ),
            (
                ["rebuild", "--except", "a4c1380b7e22"],
                "there is no meter A4:C1:38:0B:7E:22; did you mean A4:C1:38:0B:7E:21"
            ), (["rebuild", "--in-use", "--only", "No such meter"], "no meter is named \"No such meter\"\n"),
            (["fix", "--all", "--only", "Kitchn charger"], "; did you mean A4:C1:38:0B:7E:21"),
            (["rebuild", "--only", "Kitchen charger", "--only", "x"], "no meter is named \"x\"\n"),
            (["rebuild", "--only", " "], "an empty name names no meter"),
            (
                ["rebuild", "--only", "Kitchen charger", "--except", "Lab TC66"],
                "--only and --except exclude each other"
            ),
            (
                ["import-kv", "--only", "Wonmobil", "kv.json"],
                "no meter is named \"Wonmobil\"; did you mean D0:5F:B8:26:C3:91, \"Wohnmobil\"?"
            ),
            (
                ["import-kv", "--create", "--only", "D0:5F:B8:26:C3:92", "kv.json", "new.sqlite"],
                "there is no meter D0:5F:B8:26:C3:92; did you mean D0:5F:B8:26:C3:91, \"Wohnmobil\"?"
            ),
        ] as [([String], String)])
    func unknown(words: [String], sentence: String) throws {
        let folder = try Self.folder()
        let answer = try folder.traceless(words + (words.contains("--create") ? [] : [Self.store]))
        #expect(answer.code == 64 && answer.stdout.isEmpty)
        #expect(answer.stderr.contains(sentence), "\(answer.stderr)")
    }

    @Test("refuse a name that several meters have, and say which")
    func several() throws {
        let folder = try Self.folder()
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Lab TC66' WHERE Z_PK IN (1, 20)", in: Self.store)
        let answer = try folder.meterfix("rebuild", "--only", "Lab TC66", Self.store)
        #expect(answer.code == 64)
        #expect(
            answer.stderr.contains(
                "3 meters are named \"Lab TC66\"; name one by its address: 00:15:A6:00:3C:E8, A4:C1:38:0B:7E:21 and "),
            "\(answer.stderr)")
    }

    @Test("of a store that cannot be read say what it is, as without them")
    func unreadable() throws {
        let folder = try Self.folder()
        #expect(try folder.meterfix("rebuild", "--only", "x", "gone.sqlite").code == 66)
        #expect(try folder.meterfix("rebuild", "--only", "x", "kv.json").code == 65)
    }

    @Test("read a dump from standard input once, and name a meter that only the dump has")
    func standardInput() throws {
        let folder = try Self.folder()
        let answer = try MeterfixProcess.shell(
            "\"$METERFIX\" import-kv --only Wohnmobil --json - \(Self.store) < kv.json", in: folder.path)
        #expect(answer.code == 0, "\(answer.stderr)")
        #expect(answer.stdout.contains("\"inserted\": 1,") && answer.stdout.contains("\"mac\": \"D0:5F:B8:26:C3:91\""))
    }

    @Test("let nobody choose a value of a meter that they leave out")
    func keep() throws {
        let folder = try Self.folder()
        let words = ["rebuild", "-n", "--keep", "Werkbank UM34C=Bench UM34C", Self.store]
        #expect(try folder.meterfix(arguments: words + ["--only", "a4c1385d029f"]).code == 1)
        try folder.meterfix(arguments: words + ["--except", "a4c1385d029f"]).expect(
            4, saying: "A4:C1:38:5D:02:9F is to keep a value")
    }

    @Test("leave the options in each command that an answer shows")
    func shownCommands() throws {
        let folder = try Self.folder()
        let planned = try folder.meterfix("rebuild", "-n", "--only", "a4c1385d029f", Self.store).stdout
        #expect(
            planned.contains(
                "meterfix rebuild --dry-run --keep 'A4:C1:38:5D:02:9F=Bench UM34C' --only A4:C1:38:5D:02:9F \(Self.store)"
            ))
        try folder.copySampleFile("kv/kv-rejects.json", as: "rejects.json")
        let imported = try folder.meterfix("import-kv", "-n", "--except", "Kitchen charger", "rejects.json", Self.store)
        #expect(
            imported.stdout.contains(
                "meterfix import-kv --rejects rejects.json --except A4:C1:38:0B:7E:21 rejects.json \(Self.store)"),
            "\(imported.stdout)")
    }
}
