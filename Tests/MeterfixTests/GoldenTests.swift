import Foundation
import MeterTestSupport
import Testing

@Suite("Goldens: what each command says of each sample")
struct GoldenTests {
    private static let isUpdating = ProcessInfo.processInfo.environment["METERFIX_UPDATE_GOLDENS"] == "1"

    @Test("is what Tests/Goldens says", arguments: SampleShelf.samples)
    func golden(_ sample: Sample) throws {
        let transcript = Self.portable(try SampleSession.of(sample).transcript)
        let url = URL(fileURLWithPath: PackageFolder.goldens + "/\(sample.name).txt")
        if Self.isUpdating {
            try FileManager.default.createDirectory(atPath: PackageFolder.goldens, withIntermediateDirectories: true)
            if (try? String(contentsOf: url, encoding: .utf8)) != transcript {
                try Data(transcript.utf8).write(to: url)
            }
            return
        }
        let golden = try String(contentsOf: url, encoding: .utf8)
        if let difference = Self.difference(golden, transcript) { Issue.record("\(difference)") }
    }

    @Test("has a file for each sample and no other file", .disabled(if: isUpdating))
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: PackageFolder.goldens).sorted()
        #expect(files == SampleShelf.samples.map { "\($0.name).txt" }.sorted())
    }

    /// SQLite's versions word their complaints differently.
    private static func portable(_ transcript: String) -> String {
        transcript.replacing(/wrong # of entries in index [A-Z_]+|row \d+ missing from index [A-Z_]+/) {
            "(SQLite's words about \($0.output.split(separator: " ").last ?? "it"))"
        }
    }

    /// The first lines that differ, with what stands before them; nil where the texts are equal.
    private static func difference(_ golden: String, _ now: String) -> String? {
        let old = golden.split(separator: "\n", omittingEmptySubsequences: false)
        let new = now.split(separator: "\n", omittingEmptySubsequences: false)
        guard old != new else { return nil }
        let index = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
        let command = new.prefix(index + 1).last { $0.hasPrefix("$ ") } ?? ""
        let common = new[max(0, index - 3)..<index].map { "  \($0)" }
        let left = old.dropFirst(index).prefix(6).map { "- \($0)" }
        let right = new.dropFirst(index).prefix(6).map { "+ \($0)" }
        return (["line \(index + 1), \(command)"] + common + left + right).joined(separator: "\n")
    }
}
