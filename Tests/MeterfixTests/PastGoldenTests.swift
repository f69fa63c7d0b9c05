import MeterTestSupport
import Testing

@Suite("Goldens: the past of a store")
struct PastGoldenTests {
    @Test("is what Tests/Goldens/past says, and nothing is touched by a look")
    func golden() throws {
        let folder = try ScratchFolder(samples: "check-names-lost", "healthy", "wal-only")
        try folder.copySampleFile("wal-only.sqlite-wal", as: "wal-only.sqlite-wal")
        let transcript = Transcript(in: folder)
        let store = "check-names-lost.sqlite"
        try transcript.run("log", store)
        try transcript.run("log", "--json", "--limit", "1", store)
        try transcript.run("log", "wal-only.sqlite")
        try transcript.run("lost", store)
        try transcript.run("lost", "--json", store)
        try transcript.run("lost", "--find", "küche", store)
        try transcript.run("lost", "healthy.sqlite")
        try transcript.run("lost", "wal-only.sqlite")
        try transcript.run("show", "A4:C1:38:0B:7E:21", store)
        try transcript.run("show", "A4:C1:38:0B:7E:21", "--at", "6", store)
        try transcript.run("meters", "--at", "5", store)
        try transcript.run("meters", "--at", "2026-11-20T18:00:00Z", store)
        try transcript.run("status", "--at", "commit:1", store)
        try transcript.run("compare", store, "--at", "6")
        for moment in ["4", "9", "commit:4", "2026-10-01"] { try transcript.run("meters", "--at", moment, store) }
        try transcript.run("meters", "--at", "5", "healthy.sqlite")
        try transcript.run("meters", "--at", "5", "wal-only.sqlite")
        for moment in ["yesterday", "commit:x"] {
            #expect(try folder.meterfix(arguments: ["meters", "--at", moment, store]).code == 64)
        }
        try transcript.run("restore-record", "--from", "lost", "--dry-run", "A4:C1:38:5D:02:9F", store)
        try transcript.run("restore-record", "--from", "lost", "A4:C1:38:0B:7E:21", store)
        try transcript.run("restore-record", "--from", "lost", "A4:C1:38:00:00:01", store)
        try transcript.run("restore-record", "--from", "lost", "A4:C1:38:5D:02:9F", store)
        try transcript.run("lost", store)
        try transcript.compare(with: "past/past.txt")
    }
}
