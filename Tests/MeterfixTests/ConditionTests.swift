import Foundation
import JSON
import MeterTestSupport
import Testing

@Suite("what must hold on the other devices")
struct ConditionTests {
    private static let store = "duplicates.sqlite"
    private static let rebuild = "update the app on"

    private static func count(_ words: String, in text: String) -> Int {
        text.replacing("\n  ", with: " ").components(separatedBy: words).count - 1
    }

    @Test("is said once by a rebuild, before and after, by verify and on the report's page, with the devices' names")
    func rebuild() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        func text(_ words: String...) throws -> String { try folder.meterfix(arguments: words + [Self.store]).stdout }
        let device = "\"MacBook-Pro-de-Bogdan.local\""
        for text in [try text("rebuild", "--dry-run"), try text("verify")] {
            #expect(Self.count(Self.rebuild, in: text) == 1, "\(text)")
            #expect(text.contains(device))
        }
        #expect(try folder.meterfix("report", "-q", "--output", "page.html", Self.store).code == 0)
        let page = try folder.text("page.html")
        #expect(page.components(separatedBy: Self.rebuild).count == 2)
        #expect(try !text("rebuild", "--in-use", "--dry-run").contains(Self.rebuild))
        let done = try text("rebuild")
        #expect(Self.count("only then on", in: done) == 1 && done.contains(device), "\(done)")
        // What then is left needs no rebuild.
        #expect(try !text("verify").contains("copy the store again"))
        #expect(try text("rebuild").contains("nothing to do"))
    }

    @Test("stands also where no device has a name")
    func unnamed() throws {
        let folder = try ScratchFolder(sample: "nameless-first")
        let store = "nameless-first.sqlite"
        try folder.execute(
            "UPDATE ZDEVICESETTINGS SET ZCONNECTEDBYDEVICENAME = NULL, ZLASTSEENBYDEVICENAME = NULL", in: store)
        let text = try folder.meterfix("verify", store).stdout
        #expect(Self.count("\(Self.rebuild) all of the user's devices", in: text) == 1, "\(text)")
    }

    @Test("comes with the dry run as the first step in verify, while the cure in JSON stays the act")
    func dryRunFirst() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let text = try folder.meterfix("verify", Self.store).stdout
        #expect(text.contains("\n  4. meterfix fix --dry-run --all \(Self.store)\n"))
        #expect(!text.contains("meterfix rebuild \(Self.store)") && !text.contains("meterfix set --row"))
        let json = try folder.meterfix("verify", "--json", Self.store).json
        let cures = json["findings"]?.elements?.compactMap { $0["cure"]?.string } ?? []
        #expect(cures.contains("meterfix rebuild \(Self.store)") && !cures.contains { $0.contains("--dry-run") })
        // Each is a dry run that works.
        for line in text.split(separator: "\n") where line.contains("→ meterfix ") {
            let words = line.split(separator: " ").dropFirst(2).map(String.init)
            #expect(try [0, 1].contains(folder.meterfix(arguments: words).code), "\(line)")
        }
    }
}
