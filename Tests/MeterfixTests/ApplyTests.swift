import Foundation
import JSON
import MeterInspect
import MeterTestSupport
import Testing

@Suite("meterfix apply")
struct ApplyTests {
    private static let now = ["--now", SampleSession.now]

    // Samples of one check differ in what verify says, not in what is written.
    private static let samples = SampleShelf.samples.filter { !$0.name.hasPrefix("check-") }
    private static let old = [
        "v1", "half-migrated", "half-migrated-hashes", "check-metadata-missing", "healthy", "no-history",
    ]

    @Test("leaves every sample as its rebuild would have left it", arguments: samples)
    func rebuild(_ sample: Sample) throws {
        try expectSame(sample, ["rebuild"])
    }

    @Test("leaves a store as the migration would have left it", arguments: old)
    func migrating(_ name: String) throws {
        let sample = try #require(SampleShelf.sample(name))
        let isLost = sample.expectedFindings.contains("metadata-missing")
        try expectSame(sample, ["migrate"] + (isLost ? ["--restore-metadata"] : []))
    }

    @Test(
        "leaves a store as the import would have left it",
        arguments: ["duplicates", "healthy", "v1", "blob", "wal-only", "rollback-journal", "no-model-cache"])
    func importing(_ name: String) throws {
        try expectSame(try #require(SampleShelf.sample(name)), ["import-kv", "names.json"])
    }

    private func expectSame(_ sample: Sample, _ words: [String]) throws {
        let store = sample.storeName
        let direct = try ScratchFolder(of: sample)
        let planned = try ScratchFolder(of: sample)
        for folder in [direct, planned] {
            try folder.write(
                #"{"MeterNames": {"A4:C1:38:0B:7E:21": "Cellar", "0A:1B:2C:3D:4E:5F": "Wohnmobil", "x": "y"}}"#,
                to: "names.json")
        }
        let done = try direct.meterfix(arguments: words + [store, "--no-backup", "--json"] + Self.now)
        guard done.code <= 2 else {
            // What is refused makes no plan, but where a part of the store is missing.
            guard !sample.expectedFindings.contains("wal-missing") else { return }
            let answer = try planned.meterfix(arguments: words + ["-n", "--plan", "p.jsonl", store] + Self.now)
            #expect(answer.code == done.code)
            #expect(!FileManager.default.fileExists(atPath: planned.path + "/p.jsonl"))
            return
        }
        let before = try planned.snapshot
        let dryRun = try planned.meterfix(arguments: words + ["-n", "--plan", "p.jsonl", store, "--json"] + Self.now)
        let trace = try planned.snapshot.differences(from: before, withFolder: false)
        #expect(trace.count == 1 && trace[0].contains("p.jsonl"), "\(trace)")
        let dryApply = try planned.meterfix(arguments: ["apply", "-n", "p.jsonl", store, "--json"] + Self.now)
        #expect(dryApply.code == dryRun.code)
        #expect(try Self.core(dryApply) == Self.core(dryRun))
        let applied = try planned.meterfix(
            arguments: ["apply", "p.jsonl", store, "--no-backup", "--json"] + Self.now)
        #expect(applied.code == done.code)
        #expect(try Self.core(applied) == Self.core(done))
        #expect(try StoreText(of: planned.path + "/" + store) == StoreText(of: direct.path + "/" + store))
        guard dryRun.code == 1 else { return }
        let again = try planned.meterfix(arguments: ["apply", "p.jsonl", store] + Self.now)
        #expect(again.code == 3)
        #expect(again.stderr == "meterfix: \(store): this plan has already been applied; nothing was changed\n")
        #expect(again.leftovers.isEmpty)
    }

    /// The report without the command and its findings' advice, which name the command.
    private static func core(_ answer: MeterfixProcess.Answer) throws -> JSONValue {
        guard case .object(let members) = try JSONValue(parsing: Array(answer.stdout.utf8)) else { return .null }
        return .object(members.filter { $0.key != "command" })
    }

    @Test("says what moved on, as text and as JSON, and touches nothing")
    func stale() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        _ = try folder.meterfix(arguments: ["rebuild", "-n", "--plan", "p.jsonl", "duplicates.sqlite"] + Self.now)
        let edit = "rebuild --winner newest --no-backup --mac-case lower duplicates.sqlite"
        _ = try folder.meterfix(arguments: edit.split(separator: " ").map(String.init) + Self.now)
        let before = try folder.snapshot
        for words in [["apply", "p.jsonl"], ["apply", "--force", "p.jsonl"], ["apply", "-n", "p.jsonl"]] {
            let answer = try folder.meterfix(arguments: words + ["duplicates.sqlite"] + Self.now)
            #expect(answer.code == 3)
            #expect(
                answer.stdout.hasPrefix("a plan of meterfix rebuild ")
                    && answer.stdout.contains("what has changed since:")
            )
            #expect(answer.stdout.contains("  ZDEVICESETTINGS: "))
            #expect(
                answer.stderr == """
                    meterfix: duplicates.sqlite: the store has changed since this plan was made at \
                    2026-11-21T12:00:00.000Z; nothing was changed
                    hint: make a new plan: meterfix rebuild --dry-run --plan NEWFILE

                    """)
        }
        let json = try folder.meterfix(arguments: ["apply", "p.jsonl", "duplicates.sqlite", "--json"] + Self.now)
        let document = try JSONValue(parsing: Array(json.stdout.utf8))
        #expect(json.code == 3)
        #expect(document["command"] == "apply" && document["outcome"] == "stale")
        #expect(document["moved"]?.keys == ["applied", "store", "tables", "schema", "rows"])
        #expect(document["moved"]?["rows"]?.elements?.isEmpty == false)
        #expect(try folder.snapshot.differences(from: before, withFolder: false) == [])
        let other = try ScratchFolder(sample: "blob")
        try FileBytes.write(FileBytes.read(folder.path + "/p.jsonl"), to: other.path + "/p.jsonl")
        #expect(try other.meterfix("apply", "p.jsonl", "blob.sqlite").code == 3)
    }

    @Test("is asked for with --plan, which needs a dry run and a store that is there")
    func planOption() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.write("{}", to: "names.json")
        let before = try folder.snapshot
        for (words, code, sentence) in [
            (["rebuild", "--plan", "p.jsonl"], 64, "meterfix: --plan needs --dry-run"),
            (["import-kv", "--plan", "p.jsonl", "names.json"], 64, "meterfix: --plan needs --dry-run"),
            (
                ["import-kv", "-n", "--create", "--plan", "p.jsonl", "names.json"], 64,
                "meterfix: --plan and --create exclude each other"
            ),
        ] as [([String], Int32, String)] {
            let answer = try folder.meterfix(arguments: words + ["duplicates.sqlite"])
            #expect(answer.code == code, "\(words)")
            #expect(answer.stderr.hasPrefix(sentence), "\(answer.stderr)")
        }
        #expect(try folder.snapshot.differences(from: before, withFolder: true) == [])
    }

    @Test("refuses what is no plan, and touches nothing")
    func hostile() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.copySampleFile("photo.jpg", as: "photo.jpg")
        try folder.makeFolder("folder")
        try folder.write("", to: "empty.json")
        try folder.write("{\"schema\": 1", to: "cut.json")
        try folder.write("{}", to: "object.json")
        try folder.write("[[1]]", to: "list.json")
        try folder.write(String(repeating: "[", count: 100_000), to: "deep.json")
        try folder.write("[" + String(repeating: "{},", count: 1 << 20) + "{}]", to: "wide.json")
        try folder.write(try folder.meterfix("verify", "--json", "duplicates.sqlite").stdout, to: "report.json")
        let before = try folder.snapshot
        let start = "not a plan that can be carried out"
        for (file, code, sentence) in [
            ("gone.json", 66, "no such file"), ("folder", 65, "a directory, not a plan"),
            ("photo.jpg", 65, "\(start): line 1: no JSON, "), ("empty.json", 65, "\(start): the file is empty"),
            ("cut.json", 65, "\(start): line 1: no JSON, "), ("deep.json", 65, "\(start): line 1: no JSON, "),
            ("wide.json", 65, "\(start): line 1: no JSON, more than 262144 objects and arrays"),
            ("duplicates.sqlite", 65, "\(start): line 1: no JSON, "),
            ("object.json", 65, "\(start): line 1: `schema` is missing"),
            ("list.json", 65, "\(start): line 1: not an object"),
            ("report.json", 65, "\(start): line 1: no JSON, unexpected end of text"),
        ] as [(String, Int32, String)] {
            let answer = try folder.meterfix("apply", file, "duplicates.sqlite")
            #expect(answer.code == code, "\(file)")
            #expect(answer.stderr.hasPrefix("meterfix: \(file): \(sentence)"), "\(answer.stderr)")
            #expect(answer.stdout.isEmpty, "\(file)")
        }
        #expect(try folder.snapshot.differences(from: before, withFolder: true) == [])
    }

    @Test("shows a plan as the command that planned it does, and what to run")
    func text() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let dryRun = try folder.meterfix(
            arguments: ["rebuild", "-n", "--plan", "my plan.jsonl", "duplicates.sqlite"] + Self.now)
        let applied = try folder.meterfix(arguments: ["apply", "-n", "my plan.jsonl", "duplicates.sqlite"] + Self.now)
        #expect(
            Golden.anonymous(applied.stdout)
                == "a plan of meterfix rebuild \(Version.current), made by ana@mac for duplicates.sqlite "
                + "(UUID FFED7342-3FCB-45A1-B805-5024B73BFE4A, 20 records): 21 Nov 2026, 12:00, now\n"
                + "not edited: the same command makes this plan for this copy now\n\n"
                + dryRun.stdout.replacing(
                    "to do it: meterfix rebuild duplicates.sqlite",
                    with: "to do it: meterfix apply 'my plan.jsonl' duplicates.sqlite"))
        #expect(applied.code == 1)
    }
}
