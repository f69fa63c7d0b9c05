import Foundation
import MeterTestSupport
import Testing

/// A hint is what somebody tries next.
@Suite("a hint leads somewhere:")
struct HintTests {
    @Test("recover does not advise recover", arguments: ["text, and no store", "SQLite format 3\0", ""])
    func recover(_ contents: String) throws {
        let folder = try ScratchFolder()
        try folder.write(contents, to: "damaged.sqlite")
        let answer = try folder.meterfix("recover", "damaged.sqlite", "new.sqlite")
        answer.expect(65, saying: "\nhint: ask for ")
        #expect(!answer.stderr.contains("recover"), "\(answer.stderr)")
    }

    @Test("a dry run without a backup speaks of no change that was made", arguments: [["rebuild"], ["undo"]])
    func withoutBackup(_ command: [String]) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        if command == ["undo"] { #expect(try folder.meterfix("rebuild", "-q", "duplicates.sqlite").code == 0) }
        let dry = try folder.meterfix(arguments: command + ["-n", "--no-backup", "duplicates.sqlite"])
        #expect(dry.stderr.contains("nothing would be saved first"))
        #expect(!dry.stderr.contains("nothing was saved first"))
        let real = try folder.meterfix(arguments: command + ["--no-backup", "duplicates.sqlite"])
        #expect(real.stderr.contains("nothing was saved first"))
    }

    @Test("each state that a refusal of --at offers can be shown, or is refused for what it is")
    func states() throws {
        for sample in SampleShelf.samples {
            let folder = try ScratchFolder(of: sample)
            let store = try #require(sample.fileNames.first)
            let refusal = try folder.meterfix("meters", "--at", "commit:9999", store).stderr
            guard let range = refusal.firstMatch(of: /commit:(\d+) to commit:(\d+)/) else { continue }
            for commit in [range.1, range.2] {
                let answer = try folder.meterfix("meters", "--at", "commit:\(commit)", store)
                #expect(
                    answer.code == 0 || answer.stderr.contains("is not certain any more")
                        || answer.stderr.contains("there was no store yet"), "\(store), \(commit): \(answer.stderr)")
            }
            #expect(range.1 != "0", "\(store)")
        }
    }
}
