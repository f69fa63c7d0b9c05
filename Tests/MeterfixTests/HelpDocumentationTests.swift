import Foundation
import JSON
import Testing

@Suite("the help and the documentation")
struct HelpDocumentationTests {
    /// Long options of other programs that the pages name.
    private static let foreign: [String: Set<String>] = [
        "swift": ["--filter", "--skip-build"], "Benchmarks/several-devices": ["--examples"],
        "Scripts/fleet": ["--limit", "--sshlogin"], "Scripts/stress": ["--runs"], "codesign": ["--entitlements"],
        "log": ["--archive", "--debug", "--info", "--last", "--predicate", "--style"], "make-samples": ["--check"],
    ]

    /// What `--help` says of each command.
    private static let commands: Result<[String: (flags: Set<String>, discussion: String)], any Error> = Result {
        let folder = try ScratchFolder()
        let help = try folder.meterfix("--experimental-dump-help").json
        var commands: [String: (flags: Set<String>, discussion: String)] = [:]
        for command in try #require(help["command"]?["subcommands"]?.elements) {
            let name = try #require(command["commandName"]?.string)
            let names = (command["arguments"]?.elements ?? []).flatMap { $0["names"]?.elements ?? [] }
            let flags = names.filter { $0["kind"] == "long" }.compactMap { $0["name"]?.string }.map { "--\($0)" }
            commands[name] = (Set(flags), command["discussion"]?.string ?? "")
        }
        commands["help"] = nil
        return commands
    }

    @Test("Scripts/stress runs every command that there is, and every one that writes as one that writes")
    func stress() throws {
        let script = try PackageFolder.text("Scripts/stress")
        let lines = script.matches(of: /\n    "(look|write)\|[0-9 ]+\|([a-z-]+)( --dry-run)?/)
        let commands = try Self.commands.get()
        let names: [String] = lines.map { String($0.2) }
        #expect(Set(names) == Set(commands.keys))
        let writing = commands.filter { $0.value.flags.contains("--dry-run") }.keys
        let written: [String] = lines.filter { $0.1 == "write" && $0.3 == nil }.map { String($0.2) }
        #expect(Set(written) == Set(writing))
    }

    private static func pages() throws -> [(name: String, text: String)] {
        let names = try FileManager.default.contentsOfDirectory(atPath: PackageFolder.path + "/Documentation").sorted()
            .filter { $0.hasSuffix(".md") }.map { "Documentation/\($0)" }
        return try (["README.md", "MIGRATIONS.md", "CONTRIBUTING.md", "CHANGELOG.md"] + names)
            .map { ($0, try PackageFolder.text($0)) }
    }

    private static func flags(in text: some StringProtocol) -> Set<String> {
        Set(String(text).matches(of: /(?:^|[^\w-])(--[a-z][a-z-]*[a-z])/).map { String($0.1) })
    }

    @Test("name no option that there is not, and every option that there is")
    func options() throws {
        let own = try Self.commands.get().values.reduce(into: Set<String>()) { $0.formUnion($1.flags) }
        let foreign = Self.foreign.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        var named: Set<String> = []
        for page in try Self.pages() {
            let flags = Self.flags(in: page.text)
            #expect(flags.subtracting(own).subtracting(foreign).sorted() == [], "\(page.name)")
            named.formUnion(flags)
        }
        #expect(own.union(foreign).subtracting(named).sorted() == [], "on no page")
        #expect(own.count > 30)
    }

    @Test("give a command only options that it has")
    func commandLines() throws {
        let commands = try Self.commands.get()
        var texts = try Self.pages()
        for (name, command) in commands { texts.append(("meterfix \(name) --help", command.discussion)) }
        var lines = 0
        for (name, text) in texts {
            // To the end of the line or of the quoted part, or to the next command in it.
            for match in text.matches(of: /meterfix ([a-z]+(?:-[a-z]+)?)((?:(?! \| | && |\\n)[^`\n])*)/) {
                guard let command = commands[String(match.1)] else { continue }
                lines += 1
                let unknown = Self.flags(in: match.2).subtracting(command.flags)
                #expect(unknown.sorted() == [], "\(name): \(match.0)")
            }
        }
        #expect(lines > 50)
    }

    @Test("show each command at work")
    func examples() throws {
        for (name, command) in try Self.commands.get() {
            let parts = command.discussion.split(separator: /EXAMPLES?\n/)
            #expect(parts.count == 2, "\(name)")
            #expect(parts.last?.contains("meterfix \(name) ") == true, "\(name)")
        }
    }

    @Test("begin with how a command is used and end with examples; the exit codes are a topic of their own")
    func order() throws {
        let folder = try ScratchFolder()
        let help = try folder.meterfix("--help").stdout
        let heads = [
            "OVERVIEW:", "USAGE:", "INSPECT:", "REPAIR:", "EDIT ONE METER:", "GO BACK:", "SEVERAL DEVICES:", "EXAMPLES",
        ]
        let places = heads.compactMap { help.range(of: $0)?.lowerBound }
        #expect(places.count == heads.count && places == places.sorted())
        #expect(help.split(separator: "EXAMPLES")[1].components(separatedBy: "\n  meterfix ").count == 5)
        #expect(try !folder.meterfix("rebuild", "--help").stdout.contains("(values:"))
        let codes = try folder.meterfix("help", "exit-codes")
        #expect(codes.stdout.contains("\n  75   in use by another process, try again\n") && codes.code == 0)
    }
}
