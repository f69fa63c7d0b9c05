import GRDB
import MeterTestSupport
import Testing

@Suite("text from a customer's file")
struct HostileTextTests {
    private static let evil =
        "\u{1B}[2J\u{1B}]0;owned\u{7}\u{202E}gnp\u{2066}\u{61C}\u{200F}\u{200B}\u{FEFF}\n$ INJECTED\r\u{9B}31m\u{2028}\u{2029}\u{85}\u{7F}\t\u{8}"

    @Test(
        "is never printed so that a terminal obeys it",
        arguments: [[], ["--json"], ["--verbose"], ["--color", "never"]])
    func escaped(_ options: [String]) throws {
        let folder = try ScratchFolder()
        try HostileStore.fixture(Self.evil).write(to: folder.path + "/store.sqlite")
        var seen = false
        for command in [["status"], ["verify"], ["rebuild", "--dry-run"], ["rebuild"]] {
            let answer = try folder.meterfix(arguments: command + options + ["store.sqlite"])
            #expect(answer.code <= 2, "\(answer.stderr)")
            let text = answer.stdout + answer.stderr
            #expect(TerminalSafety.violations(in: text).isEmpty, "\(command)")
            let lines = text.split(whereSeparator: \.isNewline)
            #expect(!lines.contains { $0.hasPrefix("$ INJECTED") }, "\(command)")
            seen = seen || text.contains("INJECTED")
        }
        #expect(seen)
    }

    @Test("is escaped in a refusal too")
    func refusal() throws {
        let folder = try ScratchFolder()
        try StoreFixture(records: [FixtureRecord(row: 1)]).with {
            $0.damage = {
                let name = "\"evil\(Self.evil)\""
                try $0.execute(sql: "CREATE TRIGGER \(name) AFTER UPDATE ON ZDEVICESETTINGS BEGIN SELECT 1; END")
            }
        }.write(to: folder.path + "/store.sqlite")
        for options in [[], ["--json"]] {
            let answer = try folder.meterfix(arguments: ["rebuild", "store.sqlite"] + options)
            #expect(answer.code == 4)
            #expect(answer.stderr.contains("INJECTED"))
            #expect(TerminalSafety.violations(in: answer.stdout + answer.stderr).isEmpty)
        }
    }

    @Test("in the names of files is escaped when the usage is wrong")
    func wrongUsage() throws {
        let folder = try ScratchFolder()
        let answer = try folder.meterfix("status", "one", Self.evil)
        #expect(answer.code == 64)
        #expect(answer.stderr.hasPrefix(#"meterfix: unexpected argument '\u{1b}[2J"#))
        #expect(TerminalSafety.violations(in: answer.stderr).isEmpty)
        #expect(!answer.stderr.contains("\n$ INJECTED"))
    }
}
