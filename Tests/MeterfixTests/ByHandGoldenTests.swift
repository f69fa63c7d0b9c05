import MeterTestSupport
import Testing

@Suite("Goldens: locks listed and cleared, and values set by hand")
struct ByHandGoldenTests {
    @Test("is what Tests/Goldens/by-hand says")
    func golden() throws {
        let folder = try ScratchFolder(sample: "blob")
        for name in ["check-mac-invalid", "check-metadata-blob-malformed", "duplicates", "healthy"] {
            try folder.copySampleFile(name + ".sqlite", as: name + ".sqlite")
        }
        var lines = ["# METERFIX_UPDATE_GOLDENS=1 swift test --filter Goldens writes this file."]
        func run(_ words: [String]) throws {
            let answer = try folder.meterfix(arguments: words + ["--now", SampleSession.now])
            let shown = words.map { $0.isEmpty ? "''" : $0.contains(" ") ? "'\($0)'" : $0 }
            lines += ["", "$ meterfix \(shown.joined(separator: " "))"]
            lines += answer.stdout.split(separator: "\n").map(String.init)
            lines += answer.stderr.split(separator: "\n").map { "stderr: \($0)" } + ["exit \(answer.code)"]
            #expect(answer.leftovers.isEmpty)
        }
        func look(_ words: String...) throws {
            let before = try folder.snapshot
            try run(words)
            // To lock a store for a change, SQLite makes and removes a log beside it.
            let isLook = ["locks", "devices"].contains(words[0]) || words[1] == "--dry-run"
            #expect(try folder.snapshot.differences(from: before, withFolder: isLook).isEmpty, "\(words)")
        }
        func change(_ words: String...) throws { try run(words) }
        try look("locks", "blob.sqlite")
        try look("locks", "duplicates.sqlite")
        try look("locks", "check-metadata-blob-malformed.sqlite")
        try look("locks", "healthy.sqlite")
        try look("locks", "--json", "blob.sqlite")
        try look("devices", "duplicates.sqlite")
        try look("devices", "blob.sqlite", "duplicates.sqlite")
        try look("unlock", "--dry-run", "--held-by", "IPAD DE CHLOÉ", "duplicates.sqlite")
        try look("unlock", "--held-by", "Watch", "duplicates.sqlite")
        try look("unlock", "--dry-run", "A4:C1:38:0B:7E:21", "blob.sqlite")
        try look("unlock", "0015.a600.3ce8", "blob.sqlite")
        try change("unlock", "--force", "0015.a600.3ce8", "blob.sqlite")
        try look("unlock", "0015.a600.3ce8", "blob.sqlite")
        try look("unlock", "A4:C1:38:5D:02:90", "blob.sqlite")
        try change("unlock", "--json", "88:4A:18:C7:D1:54", "duplicates.sqlite")
        try look("set", "--dry-run", "A4:C1:38:5D:02:9F", "--name", "Lab bench", "--unit", "celsius", "healthy.sqlite")
        try change("set", "A4:C1:38:5D:02:9F", "--name", "", "healthy.sqlite")
        try look("set", "A4:C1:38:5D:02:9F", "--name", " ", "healthy.sqlite")
        try change("set", "A4:C1:38:5D:02:9F", "--name", "iPad", "healthy.sqlite")
        try look("set", "A4:C1:38:0B:7E:21", "--name", "Kitchen", "duplicates.sqlite")
        try change("set", "--dry-run", "A4:C1:38:5D:02:9F", "--name", "Bench", "--plan", "set.json", "healthy.sqlite")
        try change("apply", "set.json", "healthy.sqlite")
        try change("history", "healthy.sqlite")
        try look("set", "--dry-run", "A4:C1:38:5D:02:9F", "--name", "Balcony solar", "healthy.sqlite")
        try look("set", "--dry-run", "UM34C", "--address", "a4c1385d029f", "check-mac-invalid.sqlite")
        try change("set", "--row", "2", "--address", "a4c1385d029f", "check-mac-invalid.sqlite")
        try look("set", "--row", "2", "--address", "a4c1385d0290", "check-mac-invalid.sqlite")
        try look("delete", "--row", "13", "duplicates.sqlite")
        try look("delete", "--dry-run", "--force", "--row", "13", "duplicates.sqlite")
        try change("delete", "--force", "--row", "13", "duplicates.sqlite")
        try look("delete", "--row", "13", "duplicates.sqlite")
        try look("restore-record", "--list", "duplicates.sqlite")
        try change("restore-record", "--row", "13", "duplicates.sqlite")
        // What these say depends on the version of the argument parser.
        for words in [
            ["set", "A4:C1:38:5D:02:9F"], ["unlock", " "], ["delete"], ["set", "--row", "2", "--address", "UM34C"],
            ["restore-record"], ["unlock", "--plan", "p", "A4:C1:38:5D:02:9F"],
        ] {
            #expect(try folder.meterfix(arguments: words + ["healthy.sqlite"]).code == 64)
        }
        try Golden.compare(lines.joined(separator: "\n") + "\n", with: "\(PackageFolder.goldens)/by-hand/by-hand.txt")
    }
}
