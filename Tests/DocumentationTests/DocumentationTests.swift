import Foundation
import MeterInspect
import MeterJournal
import MeterModel
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

    @Test("says so of every check that there is")
    func catalogue() throws {
        let folder = root.appending(path: "Sources/MeterInspect/Checks")
        var ids: [String] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            ids += source.matches(of: /(?:Check|store|meters|records)\(\s*"([a-z-]+)"/).map {
                String($0.1)
            }
        }
        #expect(ids.sorted() == Check.all.map(\.id).sorted())
    }

    @Test("has a row for every attribute of a record, in the order of the answers")
    func attributes() throws {
        let rows = try page("Documentation/record.md").matches(of: /\n\| `(\w+)` \|/).map { String($0.1) }
        #expect(rows == SettingsField.allCases.map(\.rawValue))
    }

    @Test("explains every rule by which a value survives", arguments: SurvivorshipRule.allCases)
    func rules(_ rule: SurvivorshipRule) throws {
        let migrations = try page("MIGRATIONS.md")
        #expect(migrations.contains("`\(rule.rawValue)`"))
    }

    @Test("says of every field what becomes of it in a merge")
    func survivorship() throws {
        let url = root.appending(path: "MIGRATIONS.md")
        if ProcessInfo.processInfo.environment["METERFIX_UPDATE_DOCS"] != nil {
            let head = "| fields | rule |\n"
            let page = try page("MIGRATIONS.md")
            let start = try #require(page.range(of: head)?.lowerBound)
            let end = try #require(page.range(of: "\n\n", range: start..<page.endIndex)?.lowerBound)
            try page.replacingCharacters(in: start...end, with: SurvivorshipTable.text)
                .write(to: url, atomically: true, encoding: .utf8)
        }
        #expect(try page("MIGRATIONS.md").contains("\n\n" + SurvivorshipTable.text + "\n"))
    }

    @Test("explains every migration, and names no other")
    func migrations() throws {
        let page = try page("MIGRATIONS.md")
        #expect(Set(page.matches(of: /migration `([^`]+)`/).map { String($0.1) }) == Set(Migration.all.map(\.id)))
    }

    @Test("has the exit codes of the program, and no other")
    func exitCodes() throws {
        let source = try page("Sources/meterfix/Text/ExitStatus.swift")
        let codes = Set(source.matches(of: /case \w+ = (\d+)/).compactMap { Int($0.1) })
        let page = try page("Documentation/exit-codes.md")
        let table = try #require(page.range(of: "EXIT CODES", options: .caseInsensitive)).upperBound
        let rows = page[table...].matches(of: #/(?m)^(?:\|| +) ?(\d+(?: / \d+)*) /#)
            .flatMap { $0.1.split(separator: " / ") }
        #expect(rows.compactMap { Int($0) }.sorted() == codes.sorted())
        #expect(codes.count > 10)
    }

    @Test("links to what is there")
    func links() throws {
        let pages = try MarkdownPage.all
        var count = 0
        for page in pages {
            for link in page.links {
                count += 1
                #expect(MarkdownPage.exists(link.path), "\(page.name) links to \(link.path)")
                guard let anchor = link.anchor else { continue }
                let target = pages.first { $0.name == link.path }
                #expect(target?.anchors.contains(anchor) == true, "\(page.name) links to \(link.path)#\(anchor)")
            }
        }
        #expect(count > 30)
    }

    @Test("names no page that is not there, and neither does the code")
    func namedPages() throws {
        let sources = try ["Sources", "Tests"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
        }
        var count = 0
        for name in try sources + ["Package.swift"] + MarkdownPage.all.map(\.name) {
            let folder = name.split(separator: "/").dropLast().joined(separator: "/")
            let text = try page(name)
            // To look for this takes much less time than the expression.
            guard text.range(of: ".md") != nil else { continue }
            for match in text.matches(of: /[\w.\/-]*\w\.md\b/) {
                let named = String(match.0.drop { $0 == "/" })
                count += 1
                #expect(
                    MarkdownPage.exists(named) || MarkdownPage.exists("\(folder)/\(named)"), "\(name) names \(named)")
            }
        }
        #expect(count > 60)
    }

    @Test("leads to every page from the README")
    func reachable() throws {
        let pages = try MarkdownPage.all
        var reached: Set<String> = ["README.md"]
        var next = ["README.md"]
        while let name = next.popLast() {
            for link in pages.first(where: { $0.name == name })?.links ?? [] where reached.insert(link.path).inserted {
                next.append(link.path)
            }
        }
        let hidden = pages.map(\.name).filter { !reached.contains($0) }
        #expect(hidden == [])
    }

    @Test("is short: the README in characters, and all pages together in words, the tables of the dumps left out")
    func length() throws {
        #expect(try page("README.md").count <= 9_000)
        // The bars of a table are no words.
        let words = try MarkdownPage.all.filter { $0.name != "Samples/kv/README.md" }.map { page in
            page.text.split(whereSeparator: \.isWhitespace).count { $0.contains { $0.isLetter || $0.isNumber } }
        }
        #expect(words.reduce(0, +) <= 34_000)
    }

    @Test("begins with what to do first: a dry run, the four commands, what to know, and the two commands to try it")
    func start() throws {
        let start = try page("README.md").split(separator: "\n## ")
        for part in [
            "](Documentation/dry-run.svg)", "./Scripts/install", "meterfix verify", "meterfix rebuild --dry-run",
            "meterfix rebuild CKModel", "meterfix undo", "not been tried on an Apple device", "(#limits)",
        ] {
            #expect(start[0].contains(part), "\(part)")
        }
        #expect(start[1].hasPrefix("Two commands\n"))
        for script in ["./Scripts/demo", "./Scripts/test"] { #expect(start[1].contains("\n\(script)"), "\(script)") }
    }

    @Test("says how a winner is chosen, policy by policy", arguments: WinnerPolicy.allCases)
    func policies(_ policy: WinnerPolicy) throws {
        let command = try page("Sources/meterfix/Options/MergeOptions.swift")
        #expect(command.contains(policy.rawValue))
    }

    @Test("shows each command of the program, and no other, as does what tries them beside another process")
    func commands() throws {
        let folder = root.appending(path: "Sources/meterfix")
        var names: Set<String> = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where file.hasSuffix("Command.swift") {
            let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for match in source.matches(of: /CommandConfiguration\(\s+command: "([a-z-]+)"/) {
                names.insert(String(match.1))
            }
        }
        let readme = try page("README.md")
        let shown = Set(readme.matches(of: /\| `meterfix ([a-z-]+)/).map { String($0.1) })
        #expect(shown == names)
        let stress = try page("Scripts/stress")
        let tried = Set(stress.matches(of: /"(?:look|write)\|[0-9 ]+\|([a-z-]+)/).map { String($0.1) })
        #expect(tried == names)
        #expect(!names.isEmpty)
    }

    @Test("lists every target of Sources, and no other")
    func targets() throws {
        let manifest = try page("Package.swift")
        let declarations = manifest.split(separator: /\n {8}\.(?=target|systemLibrary|executableTarget)/).dropFirst()
        let names = declarations.filter { !$0.contains(/path: "(Tests|Benchmarks)\//) }.compactMap {
            $0.firstMatch(of: /name: "([A-Za-z-]+)"/).map { String($0.1) }
        }
        let rows = try page("CONTRIBUTING.md").matches(of: /\n\| (`[^|]+`) \|/).flatMap { row in
            row.1.matches(of: /`([A-Za-z-]+)`/).map { String($0.1) }
        }
        #expect(names.count > 10)
        #expect(rows.sorted() == names.sorted())
    }

    @Test("names the stations of a rebuild, each of which is a type or a function")
    func stations() throws {
        let page = try page("CONTRIBUTING.md")
        let list = page.matches(of: /\n(\d+)\. ([^\n]+)(?=\n)/).prefix { !$0.2.contains("`Migration` value") }
        let names = list.flatMap { $0.2.matches(of: /`([A-Za-z.]+)`/).flatMap { $0.1.split(separator: ".") } }
        #expect(list.count <= 25 && names.count > 30)
        var declared: Set<Substring> = ["Answer"]
        let files = FileManager.default.enumerator(atPath: root.appending(path: "Sources").path)
        while let file = files?.nextObject() as? String {
            guard file.hasSuffix(".swift") else { continue }
            let source = try String(contentsOf: root.appending(path: "Sources/\(file)"), encoding: .utf8)
            for line in source.split(separator: "\n") {
                let words = line.split(separator: " ").prefix(6)
                for (keyword, name) in zip(words, words.dropFirst())
                where ["struct", "enum", "class", "protocol", "func"].contains(keyword) {
                    declared.insert(name.prefix { $0.isLetter })
                }
            }
        }
        #expect(Set(names).subtracting(declared) == [])
    }

    @Test("names the version in the changelog")
    func version() throws {
        #expect(try page("CHANGELOG.md").contains("## \(Version.current)"))
    }
}
