import MeterTestSupport
import Testing

@Suite("Goldens: what waits for CloudKit")
struct SyncGoldenTests {
    private static let samples =
        ["healthy", "no-history", "v1", "other-app"]
        + SampleShelf.samples.map(\.name).filter { $0.hasPrefix("check-mirror-") }

    @Test("is what Tests/Goldens/sync says, of every state of the mirror, and nothing is touched")
    func golden() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for name in Self.samples { try folder.copyStore(name) }
        let transcript = Transcript(in: folder)
        for name in Self.samples { try transcript.run("sync", name + ".sqlite") }
        try transcript.run("sync", "--json", "check-mirror-pending.sqlite")
        try transcript.run("set", "A4:C1:38:5D:02:9F", "--name", "Bench", "check-mirror-token-lost.sqlite")
        try transcript.run("rebuild", "--quiet", "duplicates.sqlite")
        try transcript.run("sync", "duplicates.sqlite")
        try transcript.run("status", "duplicates.sqlite")
        try transcript.compare(with: "sync/sync.txt")
    }
}
