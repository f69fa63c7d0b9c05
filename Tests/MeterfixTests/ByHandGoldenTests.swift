import MeterTestSupport
import Testing

@Suite("Goldens: locks listed and cleared, and values set by hand")
struct ByHandGoldenTests {
    @Test("is what Tests/Goldens/by-hand says")
    func golden() throws {
        let folder = try ScratchFolder(
            samples: "blob", "check-mac-invalid", "check-metadata-blob-malformed", "duplicates", "healthy")
        let transcript = Transcript(in: folder)
        try transcript.run("locks", "blob.sqlite")
        try transcript.run("locks", "duplicates.sqlite")
        try transcript.run("locks", "check-metadata-blob-malformed.sqlite")
        try transcript.run("locks", "healthy.sqlite")
        try transcript.run("locks", "--json", "blob.sqlite")
        try transcript.run("devices", "duplicates.sqlite")
        try transcript.run("devices", "blob.sqlite", "duplicates.sqlite")
        try transcript.run("unlock", "--dry-run", "--held-by", "IPAD DE CHLOÉ", "duplicates.sqlite")
        try transcript.run("unlock", "--held-by", "Watch", "duplicates.sqlite")
        try transcript.run("unlock", "--dry-run", "A4:C1:38:0B:7E:21", "blob.sqlite")
        try transcript.run("unlock", "0015.a600.3ce8", "blob.sqlite")
        try transcript.run("unlock", "--force", "0015.a600.3ce8", "blob.sqlite")
        try transcript.run("unlock", "0015.a600.3ce8", "blob.sqlite")
        try transcript.run("unlock", "A4:C1:38:5D:02:90", "blob.sqlite")
        try transcript.run("unlock", "--json", "88:4A:18:C7:D1:54", "duplicates.sqlite")
        try transcript.run(
            "set", "--dry-run", "A4:C1:38:5D:02:9F", "--name", "Lab bench", "--unit", "celsius", "healthy.sqlite")
        try transcript.run("set", "A4:C1:38:5D:02:9F", "--name", "", "healthy.sqlite")
        try transcript.run("set", "A4:C1:38:5D:02:9F", "--name", " ", "healthy.sqlite")
        try transcript.run("set", "A4:C1:38:5D:02:9F", "--name", "iPad", "healthy.sqlite")
        try transcript.run("set", "A4:C1:38:0B:7E:21", "--name", "Kitchen", "duplicates.sqlite")
        try transcript.run("set", "--dry-run", "A4:C1:38:5D:02:9F", "--name", "Bench", "healthy.sqlite")
        try transcript.run(
            "set", "--expect", "0123456789abcdef", "A4:C1:38:5D:02:9F", "--name", "Bench", "healthy.sqlite")
        try transcript.run("set", "A4:C1:38:5D:02:9F", "--name", "Bench", "healthy.sqlite")
        try transcript.run("changes", "healthy.sqlite")
        try transcript.run("set", "--dry-run", "A4:C1:38:5D:02:9F", "--name", "Balcony solar", "healthy.sqlite")
        try transcript.run("set", "--dry-run", "UM34C", "--address", "a4c1385d029f", "check-mac-invalid.sqlite")
        try transcript.run("set", "--row", "2", "--address", "a4c1385d029f", "check-mac-invalid.sqlite")
        try transcript.run("set", "--row", "2", "--address", "a4c1385d0290", "check-mac-invalid.sqlite")
        try transcript.run("delete", "--row", "13", "duplicates.sqlite")
        try transcript.run("delete", "--dry-run", "--force", "--row", "13", "duplicates.sqlite")
        try transcript.run("delete", "--force", "--row", "13", "duplicates.sqlite")
        try transcript.run("delete", "--row", "13", "duplicates.sqlite")
        try transcript.run("restore-record", "--list", "duplicates.sqlite")
        try transcript.run("restore-record", "--row", "13", "duplicates.sqlite")
        // What these say depends on the version of the argument parser.
        for words in [
            ["set", "A4:C1:38:5D:02:9F"], ["unlock", " "], ["delete"], ["set", "--row", "2", "--address", "UM34C"],
            ["restore-record"], ["unlock", "--expect", "p", "A4:C1:38:5D:02:9F"],
        ] { #expect(try folder.meterfix(arguments: words + ["healthy.sqlite"]).code == 64) }
        try transcript.compare(with: "by-hand/by-hand.txt")
    }
}
