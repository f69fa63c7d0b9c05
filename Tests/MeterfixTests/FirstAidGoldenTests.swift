import MeterTestSupport
import Testing

@Suite("Goldens: first aid while devices are in use")
struct FirstAidGoldenTests {
    private static let store = "nameless-first.sqlite"

    @Test("is what Tests/Goldens/rebuild says, from the finding to the rebuild that comes later")
    func golden() throws {
        let folder = try ScratchFolder(sample: "nameless-first")
        try folder.copySampleFile("duplicates.sqlite", as: "duplicates.sqlite")
        var lines = ["# METERFIX_UPDATE_GOLDENS=1 swift test --filter Goldens writes this file."]
        func run(_ words: String..., expecting code: Int32) throws {
            let answer = try folder.meterfix(arguments: words + ["--now", SampleSession.now])
            lines += ["", "$ meterfix \(words.joined(separator: " "))"]
            lines += answer.stdout.split(separator: "\n").map(String.init)
            lines += answer.stderr.split(separator: "\n").map { "stderr: \($0)" } + ["exit \(answer.code)"]
            #expect(answer.code == code && answer.leftovers.isEmpty, "\(words)")
        }
        try run("verify", Self.store, expecting: 1)
        try run("status", Self.store, expecting: 0)
        try run("show", "A4:C1:38:70:12:DD", Self.store, expecting: 0)
        try run("rebuild", "--in-use", "--dry-run", "--plan", "plan.jsonl", Self.store, expecting: 1)
        try run("apply", "--dry-run", "--quiet", "plan.jsonl", Self.store, expecting: 1)
        try run("rebuild", "--in-use", Self.store, expecting: 0)
        try run("rebuild", "--in-use", Self.store, expecting: 0)
        try run("apply", "plan.jsonl", Self.store, expecting: 3)
        try run("verify", Self.store, expecting: 1)
        try run("history", Self.store, expecting: 0)
        try run("log", "--limit", "2", Self.store, expecting: 0)
        try run("rebuild", "--quiet", Self.store, expecting: 0)
        try run("rebuild", "--in-use", Self.store, expecting: 0)
        // A meter that it cannot help.
        try run("rebuild", "--in-use", "duplicates.sqlite", expecting: 2)
        try Golden.compare(lines.joined(separator: "\n") + "\n", with: "\(PackageFolder.goldens)/rebuild/in-use.txt")
    }
}
