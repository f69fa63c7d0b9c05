import MeterTestSupport
import Testing

@Suite("Goldens: everything about one meter")
struct ShowGoldenTests {
    @Test("is what Tests/Goldens/show says, on a terminal of 100 columns, and nothing is touched")
    func golden() throws {
        let folder = try ScratchFolder(
            samples: "duplicates", "blob", "lock-stuck", "v1", "check-mirror-pending", "check-mac-invalid", "other-app")
        let transcript = Transcript(in: folder, columns: 100)
        try transcript.run("show", "A4:C1:38:0B:7E:21", "duplicates.sqlite")
        try transcript.run("show", "--json", "Kitchen charger", "duplicates.sqlite")
        try transcript.run("show", "--row", "15", "duplicates.sqlite")
        try transcript.run("show", "--json", "--row", "17", "duplicates.sqlite")
        try transcript.run("show", "bench um34c", "lock-stuck.sqlite")
        try transcript.run("show", "Lab TC66", "blob.sqlite")
        try transcript.run("show", "--row", "2", "check-mirror-pending.sqlite")
        try transcript.run("show", "--json", "--row", "5", "check-mirror-pending.sqlite")
        try transcript.run("show", "Lab TC66", "v1.sqlite")
        try transcript.run("show", "--row", "2", "check-mac-invalid.sqlite")
        try transcript.run("show", "--verbose", "--row", "2", "lock-stuck.sqlite")
        try transcript.run("show", "--row", "99", "duplicates.sqlite")
        try transcript.run("show", "Balcony", "duplicates.sqlite")
        try transcript.run("show", "A4:C1:38:0B:7E:12", "duplicates.sqlite")
        try transcript.run("show", "Kitchen", "other-app.sqlite")
        // What was done to a meter, and undone.
        func change(_ words: String...) throws {
            #expect(try folder.meterfix(arguments: words + ["-q", "--now", "2026-11-21T11:30:00Z"]).code == 0)
        }
        try change("set", "A4:C1:38:70:12:DD", "--name", "Roof", "duplicates.sqlite")
        try change("unlock", "--force", "88:4A:18:C7:D1:54", "duplicates.sqlite")
        try change("undo", "duplicates.sqlite")
        try Golden.renameAuthors(in: folder)
        try transcript.run("show", "88:4A:18:C7:D1:54", "duplicates.sqlite")
        try transcript.run("show", "Roof", "duplicates.sqlite")
        try transcript.compare(with: "show/show.txt")
    }
}
