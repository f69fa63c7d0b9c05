import Foundation
import MeterTestSupport
import Testing

@Suite("Goldens: what each command says of each sample")
struct GoldenTests {
    @Test("is what Tests/Goldens says", arguments: SampleShelf.samples)
    func golden(_ sample: Sample) throws {
        let transcript = Golden.portable(try SampleSession.of(sample).transcript)
        try Golden.compare(transcript, with: "\(PackageFolder.goldens)/\(sample.name).txt")
    }

    @Test("has a file for each sample and no other file", .disabled(if: Golden.isUpdating))
    func complete() throws {
        let files = try Golden.files(in: "").filter { $0.hasSuffix(".txt") }
        #expect(files == SampleShelf.samples.map { "\($0.name).txt" }.sorted())
    }
}
