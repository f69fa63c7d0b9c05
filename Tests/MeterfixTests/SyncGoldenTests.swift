import MeterTestSupport
import Testing

@Suite("Goldens: what waits for CloudKit")
struct SyncGoldenTests {
    private static let samples =
        ["healthy", "no-history", "v1", "other-app"]
        + SampleShelf.samples.map(\.name).filter { $0.hasPrefix("check-mirror-") }

    @Test("is what Tests/Goldens/sync says, of every state of the mirror, and nothing is touched")
    func golden() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for name in Self.samples { try folder.copySampleFile(name + ".sqlite", as: name + ".sqlite") }
        var lines = ["# METERFIX_UPDATE_GOLDENS=1 swift test --filter Goldens writes this file."]
        func run(_ words: String...) throws {
            let before = try folder.snapshot
            let answer = try folder.meterfix(arguments: words + ["--now", SampleSession.now])
            lines += ["", "$ meterfix \(words.joined(separator: " "))"]
            lines += answer.stdout.split(separator: "\n").map(String.init)
            lines += answer.stderr.split(separator: "\n").map { "stderr: \($0)" } + ["exit \(answer.code)"]
            #expect(answer.leftovers.isEmpty)
            if words[0] == "sync" {
                #expect(try folder.snapshot.differences(from: before).isEmpty, "\(words)")
            }
        }
        for name in Self.samples { try run("sync", name + ".sqlite") }
        try run("sync", "--json", "check-mirror-pending.sqlite")
        try run("set", "A4:C1:38:5D:02:9F", "--name", "Bench", "check-mirror-token-lost.sqlite")
        try run("rebuild", "--quiet", "duplicates.sqlite")
        try run("sync", "duplicates.sqlite")
        try run("status", "duplicates.sqlite")
        try Golden.compare(lines.joined(separator: "\n") + "\n", with: "\(PackageFolder.goldens)/sync/sync.txt")
    }
}
