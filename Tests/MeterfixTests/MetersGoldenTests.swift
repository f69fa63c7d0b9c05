import MeterTestSupport
import Testing

@Suite("Goldens: the meters of a store")
struct MetersGoldenTests {
    @Test("are what Tests/Goldens/meters says, and nothing is touched")
    func golden() throws {
        let folder = try ScratchFolder(samples: "duplicates", "healthy", "blob", "other-app")
        let transcript = Transcript(in: folder)
        try transcript.run("meters", "duplicates.sqlite")
        try transcript.run("meters", "--sort", "seen", "duplicates.sqlite")
        try transcript.run("meters", "--find", "lab", "duplicates.sqlite")
        try transcript.run("meters", "--format", "csv", "duplicates.sqlite")
        try transcript.run("meters", "--json", "healthy.sqlite")
        try transcript.run("meters", "blob.sqlite")
        try transcript.run("meters", "other-app.sqlite")
        try transcript.compare(with: "meters/meters.txt")
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
