import MeterTestSupport
import Testing

@Suite("Goldens: the meters of a store")
struct MetersGoldenTests {
    @Test("are what Tests/Goldens/meters says, and nothing is touched")
    func golden() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for name in ["healthy", "blob", "other-app"] {
            try folder.copySampleFile(name + ".sqlite", as: name + ".sqlite")
        }
        var lines = ["# METERFIX_UPDATE_GOLDENS=1 swift test --filter Goldens writes this file."]
        func run(_ words: String...) throws {
            let before = try folder.snapshot
            let answer = try folder.meterfix(arguments: ["meters"] + words + ["--now", SampleSession.now])
            lines += ["", "$ meterfix meters \(words.joined(separator: " "))"]
            lines += answer.stdout.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
            lines += answer.stderr.split(separator: "\n").map { "stderr: \($0)" } + ["exit \(answer.code)"]
            #expect(answer.leftovers.isEmpty)
            #expect(try folder.snapshot.differences(from: before).isEmpty, "\(words)")
        }
        try run("duplicates.sqlite")
        try run("--sort", "seen", "duplicates.sqlite")
        try run("--find", "lab", "duplicates.sqlite")
        try run("--format", "csv", "duplicates.sqlite")
        try run("--json", "healthy.sqlite")
        try run("blob.sqlite")
        try run("other-app.sqlite")
        try Golden.compare(lines.joined(separator: "\n") + "\n", with: "\(PackageFolder.goldens)/meters/meters.txt")
    }

    @Test("are the only list there is for a spreadsheet")
    func otherCommands() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for command in ["status", "verify", "locks", "sync", "log"] {
            let answer = try folder.meterfix(command, "--format", "csv", "duplicates.sqlite")
            #expect(answer.code == 64)
            #expect(answer.stderr.contains("'csv' is invalid for '--format <text|json|markdown|html>'"))
            #expect(try !folder.meterfix(command, "--help").stdout.contains("csv"))
        }
        #expect(try folder.meterfix("meters", "--help").stdout.contains("<text|json|markdown|html|csv>"))
    }
}
