import MeterTestSupport
import Testing

@Suite("Goldens: two stores compared, and a store with CloudKit's records")
struct CompareGoldenTests {
    private static let export = """
        {"records": [
          {"recordName": "7E1C", "recordType": "CD_DeviceSettings", "fields": {
            "CD_macAddress": {"type": "stringType", "value": "A4:C1:38:0B:7E:21"},
            "CD_meterName": {"type": "stringType", "value": "Bal\\u001b[31mcony"},
            "CD_updatedAt": {"type": "timestampType", "value": 1795252320000}}},
          {"recordName": "7E1D", "recordType": "CD_Bookmark", "fields": {}}
        ]}
        """

    @Test("is what Tests/Goldens/compare says")
    func golden() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for name in ["healthy", "blob", "photo", "other-app"] {
            for file in SampleShelf.sample(name)?.fileNames ?? [] { try folder.copySampleFile(file, as: file) }
        }
        try folder.write(Self.export, to: "cloud.json")
        try folder.write("{\"records\": 1}", to: "broken.json")
        let photo = SampleShelf.sample("photo")?.storeName ?? ""
        let transcript = Transcript(in: folder)
        let before = try folder.snapshot
        for words in [
            ["duplicates.sqlite", "healthy.sqlite"], ["healthy.sqlite", "healthy.sqlite"],
            ["healthy.sqlite", "cloud.json"], ["--json", "cloud.json", "healthy.sqlite"],
            ["blob.sqlite", "healthy.sqlite"], ["healthy.sqlite", "missing.sqlite"], ["healthy.sqlite", "broken.json"],
            ["healthy.sqlite", photo], ["other-app.sqlite", "healthy.sqlite"],
        ] {
            try transcript.run(["compare"] + words)
        }
        let piped = try MeterfixProcess.shell(
            #"cat cloud.json | "$METERFIX" compare -q healthy.sqlite /dev/stdin"#, in: folder.path)
        #expect(piped.code == 1)
        #expect(piped.stderr.contains("left out 1 record of another type"))
        #expect(try folder.snapshot.differences(from: before).isEmpty)
        try transcript.compare(with: "compare/compare.txt")
    }
}
