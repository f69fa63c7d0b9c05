import Foundation
import MeterTestSupport
import Testing

@Suite("the README")
struct ReadmeTests {
    @Test("shows what its commands print")
    func stories() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let url = root.appending(path: "README.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        let (played, commands) = try ReadmeStories(
            page, samples: root.appending(path: "Samples").path, now: FixtureClock.nowText
        ).played()
        if ProcessInfo.processInfo.environment["METERFIX_UPDATE_DOCS"] != nil {
            try played.write(to: url, atomically: true, encoding: .utf8)
        } else {
            #expect(played == page)
        }
        #expect(commands > 5)
    }
}
