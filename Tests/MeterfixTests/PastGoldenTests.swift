import MeterTestSupport
import Testing

@Suite("Goldens: the past of a store")
struct PastGoldenTests {
    @Test("is what Tests/Goldens/past says, and nothing is touched by a look")
    func golden() throws {
        let folder = try ScratchFolder(sample: "check-names-lost")
        for name in ["healthy", "wal-only"] { try folder.copySampleFile(name + ".sqlite", as: name + ".sqlite") }
        try folder.copySampleFile("wal-only.sqlite-wal", as: "wal-only.sqlite-wal")
        var lines = ["# METERFIX_UPDATE_GOLDENS=1 swift test --filter Goldens writes this file."]
        func run(_ words: String...) throws {
            let before = try folder.snapshot
            let answer = try folder.meterfix(arguments: words + ["--now", SampleSession.now])
            lines += ["", "$ meterfix \(words.joined(separator: " "))"]
            lines += answer.stdout.split(separator: "\n").map(String.init)
            lines += answer.stderr.split(separator: "\n").map { "stderr: \($0)" } + ["exit \(answer.code)"]
            #expect(answer.leftovers.isEmpty)
            if words[0] != "restore-record" || words.contains("--dry-run") {
                #expect(try folder.snapshot.differences(from: before).isEmpty, "\(words)")
            }
        }
        let store = "check-names-lost.sqlite"
        try run("log", store)
        try run("log", "--json", "--limit", "1", store)
        try run("log", "wal-only.sqlite")
        try run("lost", store)
        try run("lost", "--json", store)
        try run("lost", "--find", "küche", store)
        try run("lost", "healthy.sqlite")
        try run("lost", "wal-only.sqlite")
        try run("show", "A4:C1:38:0B:7E:21", store)
        try run("show", "A4:C1:38:0B:7E:21", "--at", "6", store)
        try run("meters", "--at", "5", store)
        try run("meters", "--at", "2026-11-20T18:00:00Z", store)
        try run("status", "--at", "commit:1", store)
        try run("compare", store, "--at", "6")
        for moment in ["4", "9", "commit:4", "2026-10-01"] { try run("meters", "--at", moment, store) }
        try run("meters", "--at", "5", "healthy.sqlite")
        try run("meters", "--at", "5", "wal-only.sqlite")
        for moment in ["yesterday", "commit:x"] {
            #expect(try folder.meterfix(arguments: ["meters", "--at", moment, store]).code == 64)
        }
        try run("restore-record", "--from", "lost", "--dry-run", "A4:C1:38:5D:02:9F", store)
        try run("restore-record", "--from", "lost", "A4:C1:38:0B:7E:21", store)
        try run("restore-record", "--from", "lost", "A4:C1:38:00:00:01", store)
        try run("restore-record", "--from", "lost", "A4:C1:38:5D:02:9F", store)
        try run("lost", store)
        try Golden.compare(lines.joined(separator: "\n") + "\n", with: "\(PackageFolder.goldens)/past/past.txt")
    }
}
