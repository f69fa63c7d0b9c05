import Foundation
import Testing

@Suite("the end of verify")
struct NextStepsTests {
    private static let store = "duplicates.sqlite"

    @Test("says what to do, in order, each command once, and first what must hold")
    func order() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let answer = try folder.meterfix("verify", Self.store).stdout
        let lines = answer.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let start = try #require(lines.lastIndex { $0.hasPrefix("what to do about ") })
        #expect(lines[start + 1].hasPrefix("before the rebuild, the app must be updated"))
        let steps: [String] = [
            "meterfix rebuild --dry-run \(Self.store)", "meterfix fix --dry-run --all \(Self.store)",
            "ask the customer, see above: mac-missing and mac-placeholder",
            "no command helps, see above: name-machine-made",
        ]
        #expect(lines[(start + 2)...].prefix { !$0.hasPrefix("times are") }.elementsEqual(steps))
        #expect(lines.count { $0.contains("rebuild --dry-run duplicates") } == 1)
    }

    @Test("says nothing where there is nothing to do")
    func nothing() throws {
        let answer = try ScratchFolder(sample: "healthy").meterfix("verify", "healthy.sqlite").stdout
        #expect(!answer.contains("what to do"))
    }

    @Test("is followed by changes that say who made them and why")
    func whoAndWhy() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let mac = "A4:C1:38:0B:7E:21"
        let done = try folder.meterfix(
            arguments: ["set", mac, "--name", "Attic", "--note", "ticket 7\nfor Lena", "healthy.sqlite"],
            environment: ["METERFIX_USER": "Ana Pop"])
        #expect(done.code == 0, "\(done.stderr)")
        let planned = try folder.meterfix(
            "set", mac, "--name", "Cellar", "--by", "Bogdan", "--dry-run", "healthy.sqlite")
        #expect(planned.stdout.contains(" --name Cellar --by Bogdan \(mac) healthy.sqlite"), "\(planned.stdout)")
        let history = try folder.meterfix("changes", "healthy.sqlite").stdout
        #expect(history.contains("by Ana Pop (") && history.contains("note: ticket 7"))
        let refused = try folder.meterfix("set", mac, "--name", "x", "--note", "y", "--no-backup", "healthy.sqlite")
        #expect(refused.code == 64)
    }
}
