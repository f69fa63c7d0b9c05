import MeterTestSupport
import Testing

@Suite("Goldens: two stores compared")
struct CompareGoldenTests {
    @Test("is what Tests/Goldens/compare says")
    func golden() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for name in ["healthy", "blob", "photo", "other-app"] {
            for file in SampleShelf.sample(name)?.fileNames ?? [] { try folder.copySampleFile(file, as: file) }
        }
        try folder.write("{\"records\": []}", to: "cloud.json")
        let photo = SampleShelf.sample("photo")?.storeName ?? ""
        let transcript = Transcript(in: folder)
        let before = try folder.snapshot
        for words in [
            ["duplicates.sqlite", "healthy.sqlite"], ["healthy.sqlite", "healthy.sqlite"],
            ["--json", "blob.sqlite", "healthy.sqlite"], ["blob.sqlite", "healthy.sqlite"],
            ["healthy.sqlite", "missing.sqlite"], ["healthy.sqlite", "cloud.json"], ["cloud.json", "healthy.sqlite"],
            ["healthy.sqlite", photo], ["other-app.sqlite", "healthy.sqlite"],
        ] { try transcript.run(["compare"] + words) }
        #expect(try folder.snapshot.differences(from: before).isEmpty)
        try transcript.compare(with: "compare/compare.txt")
    }
}
