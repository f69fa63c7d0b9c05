import Foundation
import MeterTestSupport
import Testing

@Suite("a page")
struct ReadmeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(
        "shows what its commands print",
        arguments: [
            ("README.md", 3), ("MIGRATIONS.md", 5), ("Documentation/tickets.md", 35),
            ("Documentation/explain.md", 3), ("Documentation/check-app.md", 0),
        ])
    func stories(name: String, fewest: Int) throws {
        let url = Self.root.appending(path: name)
        let page = try String(contentsOf: url, encoding: .utf8)
        let (played, commands) = try ReadmeStories(page, now: FixtureClock.nowText).played()
        if ProcessInfo.processInfo.environment["METERFIX_UPDATE_DOCS"] != nil {
            try played.write(to: url, atomically: true, encoding: .utf8)
        } else {
            #expect(played == page)
        }
        #expect(commands > fewest)
    }
}
