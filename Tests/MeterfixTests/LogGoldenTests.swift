import JSON
import MeterTestSupport
import Testing

@Suite("Goldens: who changed what")
struct LogGoldenTests {
    @Test("is what Tests/Goldens/log says, and nothing is touched")
    func golden() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let samples = [
            "healthy", "v1", "other-app", "no-history", "check-history-broken", "check-mirror-pending",
            "check-mirror-orphan",
        ]
        for name in samples { try folder.copyStore(name) }
        let transcript = Transcript(in: folder)
        for name in samples { try transcript.run("log", name + ".sqlite") }
        try transcript.run(
            "set", "--quiet", "A4:C1:38:5D:02:9F", "--name", "Foo", "healthy.sqlite", now: "2026-11-22T00:03:00Z")
        try transcript.run(
            "set", "-q", "--no-backup", "Foo", "--unit", "celsius", "healthy.sqlite", now: "2026-11-22T00:04:00Z")
        try transcript.run(
            "unlock", "-q", "--force", "88:4A:18:C7:D1:54", "duplicates.sqlite", now: "2026-11-22T00:05:00Z")
        try transcript.run("rebuild", "--quiet", "duplicates.sqlite", now: "2026-11-22T00:06:00Z")
        try folder.execute(
            """
            INSERT INTO ATRANSACTIONSTRING (Z_PK, ZNAME) VALUES (90, 'NSCloudKitMirroringDelegate.import'),
            (91, 'NSCloudKitMirroringDelegate.export'), (92, 'Widget' || char(27) || '[31m');
            UPDATE ATRANSACTION SET ZAUTHORTS = 89 + Z_PK WHERE Z_PK < 4
            """, in: "healthy.sqlite")
        try transcript.run("log", "healthy.sqlite", now: "2026-11-22T03:00:00Z")
        try transcript.run("log", "--limit", "2", "--json", "healthy.sqlite")
        try transcript.run("log", "--limit", "3", "--format", "markdown", "healthy.sqlite")
        try transcript.run("log", "--author", "cloudkit", "healthy.sqlite")
        try transcript.run("fix", "-q", "mirror-orphan", "check-mirror-orphan.sqlite", now: "2026-11-22T00:07:00Z")
        try transcript.run("log", "--limit", "1", "check-mirror-orphan.sqlite")
        try transcript.run("log", "--since", "2026-10-02T12:04:00Z", "--until", "2026-10-02", "healthy.sqlite")
        try transcript.run("log", "Foo", "healthy.sqlite")
        try transcript.run("log", "--verbose", "A4:C1:38:0B:7E:21", "duplicates.sqlite")
        try transcript.run("log", "A4:C1:38:00:00:00", "duplicates.sqlite")
        try transcript.run("log", "Fo", "healthy.sqlite")
        try transcript.run("log", "--entity", "Recipe", "other-app.sqlite")
        try transcript.run("log", "--limit", "2", "duplicates.sqlite", "v1.sqlite")
        try transcript.run("log", "--limit", "2", "98:DA:C0:11:AB:0E", "duplicates.sqlite", "v1.sqlite")
        let devices = ["two-devices-phone", "two-devices-pad"]
        for file in devices.flatMap({ ["\($0).sqlite", "\($0).sqlite-wal"] }) {
            try folder.copySampleFile(file, as: file)
        }
        try transcript.run(["log"] + devices.map { "\($0).sqlite" })
        try transcript.run(["log", "--json"] + devices.map { "\($0).sqlite" })
        try transcript.run("undo", "--list", "healthy.sqlite")
        try transcript.run("undo", "--list", "duplicates.sqlite")
        // What these say depends on the version of the argument parser.
        for words in [["--since", "yesterday"], ["--until", "2026-13-01"], ["--limit", "0"], ["--author", ""]] {
            #expect(try folder.meterfix(arguments: ["log"] + words + ["healthy.sqlite"]).code == 64, "\(words)")
        }
        try transcript.compare(with: "log/log.txt")
    }

    @Test("of a day is all of that day, and of two days around it the rest")
    func days() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.execute(
            "UPDATE ATRANSACTION SET ZTIMESTAMP = 812635200 + (Z_PK - 3) * 43200 WHERE Z_PK > 0", in: "healthy.sqlite")
        func transactions(_ words: String...) throws -> [Double] {
            let answer = try folder.meterfix(arguments: ["log", "--json", "healthy.sqlite"] + words)
            let entries = try answer.json["entries"]?.elements ?? []
            return entries.compactMap { $0["transaction"]?.number }
        }
        // Noon of 1 October to noon of 3 October, at noon and at midnight.
        #expect(try transactions() == [5, 4, 3, 2, 1])
        let (day, before, after) = ("2026-10-02", "2026-10-01", "2026-10-03")
        let whole =
            try transactions("--since", after) + transactions("--since", day, "--until", day)
            + transactions("--until", before)
        #expect(whole == [5, 4, 3, 2, 1])
        #expect(try !transactions("--since", day, "--until", day).isEmpty)
    }
}
