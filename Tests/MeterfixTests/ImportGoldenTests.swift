import Foundation
import JSON
import MeterTestSupport
import Testing

@Suite("Goldens: what an import says of each sample of a dump")
struct ImportGoldenTests {
    /// The dump of `kv.json` in every other format, and what the answer calls it.
    private static let otherFormats = [
        ("kv-xml.plist", "an XML property list"), ("kv-binary.plist", "a binary property list"),
        ("kv-bom.json", "JSON"), ("kv-defaults-read.txt", "an old-style property list"),
        ("kv-nested.plist", "an XML property list, under the key ro.xdev.USB-Meter"),
        ("kv-synced-preferences.plist", "an XML property list, as SyncedPreferences"),
        ("kv-database.sqlite", "a key-value database, the app ro.xdev.USB-Meter"),
    ]

    private static let goldens = SampleShelf.dumps.filter { dump in
        !otherFormats.contains { $0.0 == dump.fileNames.first }
    }

    @Test("is what Tests/Goldens/import-kv says, and the dump is not touched", arguments: goldens)
    func golden(_ dump: Sample) throws {
        let transcript = try Self.transcript(of: dump, summary: dump.summary)
        try transcript.compare(with: "import-kv/\(try #require(dump.fileNames.first)).txt")
    }

    @Test("differs in name, format, digest and fingerprint alone from another format", arguments: otherFormats)
    func otherFormat(_ name: String, _ format: String) throws {
        let json = try #require(SampleShelf.dumps.first { $0.fileNames == ["kv.json"] })
        let dump = try #require(SampleShelf.dumps.first { $0.fileNames.first == name })
        let golden = try PackageFolder.text("Tests/Goldens/import-kv/kv.json.txt")
        let text = try Self.transcript(of: dump, summary: json.summary).text
        var expected = text.replacing(name, with: "kv.json").replacing(": \(format); ", with: ": JSON; ")
        // The mark that the import leaves in the store names the file's digest, so another plan has another fingerprint.
        for value in [/"sha256": "([0-9a-f]{64})"/, /"fingerprint": "([0-9a-f]{16})"/] {
            let own = try #require(text.firstMatch(of: value)).1
            let other = try #require(golden.firstMatch(of: value)).1
            #expect(own != other)
            expected = expected.replacing(own, with: other)
        }
        #expect(expected == golden)
    }

    /// What a dry run, a run and another one say.
    private static func transcript(of dump: Sample, summary: String) throws -> Transcript {
        let folder = try ScratchFolder()
        try folder.copySampleFile("duplicates.sqlite", as: "CKModel.sqlite")
        for name in dump.fileNames { try folder.copySampleFile("kv/" + name, as: name) }
        let name = try #require(dump.fileNames.first)
        let transcript = Transcript(in: folder, summary: summary)
        func run(_ words: String...) throws -> MeterfixProcess.Answer {
            try transcript.run(["import-kv"] + words + [name, "CKModel.sqlite"])
        }
        let planned = try run("--dry-run", "--json")
        #expect(try run("--dry-run").code == planned.code)

        let done = try run("--rejects", "left.json")
        if let rejects = try? folder.text("left.json") { transcript.add("cat left.json", rejects) }
        // Once more: nothing is left to do, and nothing is touched.
        let between = try folder.snapshot
        #expect(try run("--json").code == done.code)
        #expect(try folder.snapshot.differences(from: between, withFolder: false) == [])
        for file in dump.fileNames {
            #expect(try folder.bytes(file) == FileBytes.read(PackageFolder.samples + "/kv/" + file))
        }
        return transcript
    }

    @Test("a dry run writes no rejects, the run after it does, and never over a file that is there")
    func rejectsFile() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.copySampleFile("kv/kv-rejects.json", as: "names.json")
        let words = ["import-kv", "--rejects", "left.json", "names.json", "healthy.sqlite"]
        _ = try folder.traceless(words + ["--dry-run"])
        #expect(try folder.meterfix(arguments: words).code == 2)
        let left = try JSONValue(parsing: folder.bytes("left.json"))
        #expect(left["MeterNames"]?["UM34C"]?.string == "Bench UM34C")
        try folder.meterfix(arguments: words).expect(73, saying: "this file exists already")
    }

    @Test("names the file with the rejects, or the command that writes one, which then does", arguments: [true, false])
    func placeOfRejects(isDryRun: Bool) throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.copySampleFile("kv/kv-rejects.json", as: "old names.json")
        let options = isDryRun ? ["--dry-run"] : []
        let words = ["import-kv", "--on-conflict", "replace", "old names.json", "healthy.sqlite"] + options
        let first = try folder.meterfix(arguments: words)
        let command = "meterfix import-kv --rejects rejects.json --on-conflict replace 'old names.json' healthy.sqlite"
        #expect(
            first.stdout.contains("to write them to a file and correct them there: \(command)\n"), "\(first.stdout)")
        let planned = try folder.meterfix(arguments: words + ["--rejects", "left.json", "--dry-run"])
        #expect(planned.stdout.contains("a run without --dry-run writes them to left.json\n"), "\(planned.stdout)")
        let second = try folder.meterfix(arguments: [
            "import-kv", "--rejects", "rejects.json", "--on-conflict", "replace", "old names.json", "healthy.sqlite",
        ])
        #expect(second.code == 2)
        #expect(second.stdout.contains("they are in rejects.json: correct them there and import that file\n"))
        #expect(try JSONValue(parsing: folder.bytes("rejects.json"))["MeterNames"] != nil)
        let piped = try MeterfixProcess.shell(
            "\"$METERFIX\" import-kv - healthy.sqlite < 'old names.json'", in: folder.path)
        #expect(piped.stdout.contains("import-kv --rejects FILE writes them to a file to correct\n"), "\(piped.stdout)")
    }

    @Test("points out, before and after, an address that may be mistyped")
    func slip() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = NULL WHERE Z_PK = 3", in: "healthy.sqlite")
        try folder.write("{\"MeterNames\": {\"00:15:A6:00:3C:8E\": \"Lab\"}}", to: "names.json")
        for options in [["--dry-run"], []] {
            let answer = try folder.meterfix(arguments: ["import-kv", "names.json", "healthy.sqlite"] + options)
            #expect(
                answer.stdout.contains(
                    "the dump's 00:15:A6:00:3C:8E (\"Lab\") gets a new record; 00:15:A6:00:3C:E8 (row 3), which has no name"
                ), "\(answer.stdout)")
            #expect(answer.code == (options.isEmpty ? 0 : 1))
        }
        let status = try folder.meterfix("status", "healthy.sqlite")
        #expect(status.stdout.contains("\nimport     legacy values "), "\(status.stdout)")
        #expect(status.stdout.contains(", dump with SHA-256 "))
    }

    @Test("has a file for each dump that says something else, and no other file", .disabled(if: Golden.isUpdating))
    func complete() throws {
        let names = Self.goldens.compactMap(\.fileNames.first).map { "\($0).txt" }.sorted()
        #expect(try Golden.files(in: "import-kv") == names)
    }
}
