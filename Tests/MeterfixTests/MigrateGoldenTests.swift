import Foundation
import JSON
import MeterTestSupport
import Testing

@Suite("Goldens: what a migration says of each sample")
struct MigrateGoldenTests {
    @Test(
        "is what Tests/Goldens/migrate says, and the real run does what the dry run said",
        arguments: SampleShelf.samples)
    func golden(_ sample: Sample) throws {
        let folder = try ScratchFolder(of: sample)
        let transcript = Transcript(in: folder, summary: sample.summary)
        func run(_ words: String...) throws -> MeterfixProcess.Answer {
            try transcript.run(["migrate"] + words + [sample.storeName])
        }
        func runUnseen(_ words: String...) throws -> MeterfixProcess.Answer {
            try folder.meterfix(arguments: ["migrate"] + words + [sample.storeName, "--now", SampleSession.now])
        }
        let start = try folder.snapshot
        let planned = try run("--dry-run")
        if planned.code == 1, !sample.expectedFindings.contains("wal-missing") {
            let plannedJSON = try run("--dry-run", "--json")
            #expect(plannedJSON.code == planned.code)
            let done = try runUnseen("--json")
            #expect(done.code == 0)
            let own: Set = ["outcome", "backup", "steps"]
            #expect(try plannedJSON.json.without(own) == done.json.without(own))
            #expect(try run("--dry-run").code == 0)
        } else {
            let isWhole = !sample.expectedFindings.contains("wal-missing")
            #expect(try runUnseen().code == (isWhole ? planned.code : 65))
            #expect(try folder.snapshot.differences(from: start, withFolder: false) == [])
        }
        if sample.expectedFindings.contains("metadata-missing") {
            #expect(try run("--restore-metadata", "--dry-run").code == 1)
            #expect(try run("--restore-metadata").code == 0)
            #expect(try folder.meterfix(arguments: ["verify", sample.storeName]).code == 0)
        }
        try transcript.compare(with: "migrate/\(sample.name).txt", Self.portable)
    }

    @Test("has a file for each sample and no other file", .disabled(if: Golden.isUpdating))
    func complete() throws {
        #expect(try Golden.files(in: "migrate") == SampleShelf.samples.map { "\($0.name).txt" }.sorted())
    }

    /// Another zlib compresses the model to other bytes.
    private static func portable(_ transcript: String) -> String {
        Golden.portable(transcript).replacing(/"content": "[0-9a-f]+"/, with: "\"content\": \"(the model)\"")
            .replacing(/-- the model, \d+ bytes/, with: "-- the model")
    }
}
