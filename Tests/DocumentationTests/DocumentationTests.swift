import Foundation
import MeterModel
import MeterRepair
import Testing

@Suite("the documentation")
struct DocumentationTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func page(_ name: String) throws -> String {
        try String(contentsOf: root.appending(path: name), encoding: .utf8)
    }

    @Test("says of every check what the check says of itself")
    func checks() throws {
        let url = root.appending(path: "Documentation/checks.md")
        if ProcessInfo.processInfo.environment["METERFIX_UPDATE_DOCS"] != nil {
            try ChecksPage.text.write(to: url, atomically: true, encoding: .utf8)
        }
        #expect(try page("Documentation/checks.md") == ChecksPage.text)
    }

    @Test("explains every rule by which a value survives", arguments: SurvivorshipRule.allCases)
    func rules(_ rule: SurvivorshipRule) throws {
        let migrations = try page("MIGRATIONS.md")
        #expect(migrations.contains("`\(rule.rawValue)`"))
    }

    @Test("explains every migration")
    func migrations() throws {
        let page = try page("MIGRATIONS.md")
        for migration in Migration.all { #expect(page.contains("migration `\(migration.id)`")) }
    }

    @Test("says how a winner is chosen, policy by policy", arguments: WinnerPolicy.allCases)
    func policies(_ policy: WinnerPolicy) throws {
        let command = try page("Sources/meterfix/Commands/RebuildCommand.swift")
        #expect(command.contains(policy.rawValue))
    }

    @Test("shows each command of the program, and no other")
    func commands() throws {
        let folder = root.appending(path: "Sources/meterfix/Commands")
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for match in source.matches(of: /commandName: "([a-z-]+)"/) { names.insert(String(match.1)) }
        }
        let readme = try page("README.md")
        let shown = Set(readme.matches(of: /\| `meterfix ([a-z-]+)/).map { String($0.1) })
        #expect(shown == names)
        #expect(!names.isEmpty)
    }

    @Test("names the version in the changelog")
    func version() throws {
        #expect(try page("CHANGELOG.md").contains("## \(Version.current)"))
    }
}
