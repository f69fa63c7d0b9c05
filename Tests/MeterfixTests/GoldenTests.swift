import Foundation
import MeterTestSupport
import Testing

@Suite("Goldens: what each command says of each sample")
struct GoldenTests {
    @Test("is what Tests/Goldens says", arguments: SampleShelf.samples)
    func golden(_ sample: Sample) throws {
        let transcript = Self.portable(try SampleSession.of(sample).transcript)
        try Golden.compare(transcript, with: "\(PackageFolder.goldens)/\(sample.name).txt")
    }

    @Test("has a file for each sample and no other file", .disabled(if: Golden.isUpdating))
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: PackageFolder.goldens)
            .filter { $0.hasSuffix(".txt") }.sorted()
        #expect(files == SampleShelf.samples.map { "\($0.name).txt" }.sorted())
    }

    /// SQLite's versions word their complaints differently.
    private static func portable(_ transcript: String) -> String {
        transcript.replacing(/wrong # of entries in index [A-Z_]+|row \d+ missing from index [A-Z_]+/) {
            "(SQLite's words about \($0.output.split(separator: " ").last ?? "it"))"
        }
    }
}
