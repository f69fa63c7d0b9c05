import Foundation
import MeterTestSupport
import Testing

@Suite("a page")
struct ReadmeTests {
    @Test(
        "shows what its commands print",
        arguments: [
            ("README.md", 3), ("MIGRATIONS.md", 5), ("Documentation/tickets.md", 35),
            ("Documentation/explain.md", 3), ("Documentation/check-app.md", 0),
        ])
    func stories(name: String, fewest: Int) throws {
        let page = try PackageFolder.text(name)
        let (played, commands) = try ReadmeStories(page, now: FixtureClock.nowText).played()
        if ProcessInfo.processInfo.environment["METERFIX_UPDATE_DOCS"] != nil {
            try FileBytes.write(Array(played.utf8), to: "\(PackageFolder.path)/\(name)")
        } else {
            #expect(played == page)
        }
        #expect(commands > fewest)
    }
}
