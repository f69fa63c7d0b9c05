import MeterTestSupport
import Testing

@Suite("Goldens: everything about one meter")
struct ShowGoldenTests {
    @Test("is what Tests/Goldens/show says, on a terminal of 100 columns, and nothing is touched")
    func golden() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for name in ["blob", "lock-stuck", "v1", "check-mirror-pending", "check-mac-invalid", "other-app"] {
            try folder.copySampleFile(name + ".sqlite", as: name + ".sqlite")
        }
        var lines = ["# METERFIX_UPDATE_GOLDENS=1 swift test --filter Goldens writes this file."]
        func show(_ words: String...) throws {
            let before = try folder.snapshot
            let arguments = ["show"] + words + ["--now", SampleSession.now]
            let answer = try folder.meterfix(arguments: arguments)
            lines += [
                "", "$ meterfix show \(words.map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " "))",
            ]
            // JSON is the same wherever it goes.
            let isJSON = words.contains("--json")
            lines +=
                try isJSON
                ? answer.stdout.split(separator: "\n").map(String.init)
                : Pseudoterminal.lines(arguments + ["--color", "never"], columns: 100, in: folder).map(String.init)
            lines += answer.stderr.split(separator: "\n").map { "stderr: \($0)" } + ["exit \(answer.code)"]
            #expect(answer.leftovers.isEmpty)
            #expect(try folder.snapshot.differences(from: before).isEmpty, "\(words)")
        }
        try show("A4:C1:38:0B:7E:21", "duplicates.sqlite")
        try show("--json", "Kitchen charger", "duplicates.sqlite")
        try show("--row", "15", "duplicates.sqlite")
        try show("--json", "--row", "17", "duplicates.sqlite")
        try show("bench um34c", "lock-stuck.sqlite")
        try show("Lab TC66", "blob.sqlite")
        try show("--row", "2", "check-mirror-pending.sqlite")
        try show("--json", "--row", "5", "check-mirror-pending.sqlite")
        try show("Lab TC66", "v1.sqlite")
        try show("--row", "2", "check-mac-invalid.sqlite")
        try show("--verbose", "--row", "2", "lock-stuck.sqlite")
        try show("--row", "99", "duplicates.sqlite")
        try show("Balcony", "duplicates.sqlite")
        try show("A4:C1:38:0B:7E:12", "duplicates.sqlite")
        try show("Kitchen", "other-app.sqlite")
        // What was done to a meter, and undone.
        func change(_ words: String...) throws {
            #expect(try folder.meterfix(arguments: words + ["-q", "--now", "2026-11-21T11:30:00Z"]).code == 0)
        }
        try change("set", "A4:C1:38:70:12:DD", "--name", "Roof", "duplicates.sqlite")
        try change("unlock", "--force", "88:4A:18:C7:D1:54", "duplicates.sqlite")
        try change("undo", "duplicates.sqlite")
        try show("88:4A:18:C7:D1:54", "duplicates.sqlite")
        try show("Roof", "duplicates.sqlite")
        try Golden.compare(lines.joined(separator: "\n") + "\n", with: "\(PackageFolder.goldens)/show/show.txt")
    }
}
