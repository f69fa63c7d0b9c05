import Foundation
import MeterTestSupport
import Testing

@Suite("a report without personal data")
struct ReportRedactedTests {
    private static let samples = ["duplicates", "blob", "v1", "healthy", "check-mirror-pending", "other-app"]

    @Test("has no text and no id of the store in any byte, and not the name of its file", arguments: samples)
    func originals(_ name: String) throws {
        let folder = try ScratchFolder(sample: name)
        try FileManager.default.moveItem(
            atPath: "\(folder.path)/\(name).sqlite", toPath: "\(folder.path)/Chloés Geräte.sqlite")
        let answer = try folder.meterfix(
            "report", "--redacted", "--output", "page.html", "--now", SampleSession.now, "Chloés Geräte.sqlite")
        #expect(answer.code == 0, "\(answer.stderr)")
        let page = try folder.bytes("page.html")
        let text = String(decoding: page, as: UTF8.self)
        #expect(text.contains("USB Meter report · redacted.sqlite · ") && !text.contains("Chloé"))
        #expect(!text.contains(folder.path) && !text.contains(NSTemporaryDirectory() + "meterfix-"))
        let originals = try Originals(of: "\(folder.path)/Chloés Geräte.sqlite")
        // The style sheet is the same on every page, and has words such as `local`.
        let body = try #require(text.firstRange(of: "</style>")).upperBound
        let found = originals.found(in: Haystack(bytes: Array(text[body...].utf8)))
        #expect(found.isEmpty, "\(found.map(\.description))")
    }

    @Test("says nothing of the backups, which have personal data in them")
    func backups() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        _ = try folder.meterfix("rebuild", "--quiet", "duplicates.sqlite", "--now", SampleSession.now)
        let words = ["report", "--redacted", "duplicates.sqlite", "--now", SampleSession.now]
        #expect(try folder.meterfix(arguments: words + ["--output", "page.html"]).code == 0)
        let text = try folder.text("page.html")
        #expect(text.contains("They are not on a page without personal data") && !text.contains("Kitchen"))
        try folder.meterfix(arguments: words + ["--output", "other.html", "--backup-dir", "."]).expect(
            64, saying: "exclude each other")
    }

    @Test("leaves nothing behind but the page")
    func trace() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let before = try folder.snapshot
        let answer = try folder.meterfix("report", "--redacted", "--output", "page.html", "healthy.sqlite")
        #expect(answer.code == 0 && answer.leftovers == [])
        try folder.remove("page.html")
        let differences = try folder.snapshot.differences(from: before, withFolder: false)
        #expect(differences.isEmpty, "\(differences)")
    }
}
