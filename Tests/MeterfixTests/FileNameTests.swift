import Foundation
import JSON
import MeterTestSupport
import Testing

@Suite("a store's path")
struct FileNameTests {
    static let names = [
        "it's \"a b\".sqlite", "what?.sqlite", "100%, %41%00.sqlite", "#1.sqlite", "new\nline.sqlite",
        "\t\r\u{1B}[31m.sqlite", "bidi\u{202E}etilqs.sqlite", "zero\u{200B}\u{FEFF}.sqlite", "Ünïcødé 机架",
        "--json.sqlite", "back\\slash.sqlite",
        "file:x.sqlite?mode=rwc&a=b", "$HOME`id`*.sqlite", "\n'%s\\n'\u{E000}\u{2028}.sqlite", "-n",
    ]

    /// The command that a text shows behind a mark, as it can be copied from a terminal.
    private static func command(behind mark: String, in text: String) throws -> String {
        let rest = text[try #require(text.range(of: mark)).upperBound...]
        return String(rest.prefix { $0 != "\n" })
    }

    @Test(
        "may have any name: its log is found, its cure can be pasted into a shell, nothing strange is printed raw",
        arguments: names)
    func anyName(_ name: String) throws {
        let folder = try ScratchFolder()
        try folder.copyStore("wal-only", as: name)
        let path = name.hasPrefix("-") ? "./" + name : name
        let before = try folder.snapshot
        let text = try folder.meterfix("verify", path)
        #expect(text.code == 1)
        #expect(TerminalSafety.violations(in: text.stdout).isEmpty)
        #expect(!text.stdout.contains("\nline.sqlite"))
        let status = try folder.meterfix("status", path)
        #expect(status.code == 0)
        #expect(TerminalSafety.violations(in: status.stdout).isEmpty)
        let planned = try folder.meterfix("rebuild", "--dry-run", path)
        #expect(planned.code == 1)
        #expect(TerminalSafety.violations(in: planned.stdout).isEmpty)
        let afterLooks = try folder.snapshot
        #expect(afterLooks.differences(from: before).isEmpty)

        // What the texts show is the same command, and works as it is shown.
        for (mark, shown, options) in [
            ("until this file is back there\n  2. ", text.stdout, "-q -n"), ("what to do now\n", status.stdout, "-q"),
            ("to do it: ", planned.stdout, "-q -n"),
        ] {
            let command = try Self.command(behind: mark, in: shown)
            let answer = try MeterfixProcess.shell(
                "meterfix() { \"$METERFIX\" \"$@\"; }\n\(command) \(options)", in: folder.path)
            #expect(answer.code == 1, "\(command): \(answer.stderr)")
        }
        let json = try folder.meterfix("verify", "--json", path)
        #expect(TerminalSafety.violations(in: json.stdout).isEmpty)
        let document = try json.json
        #expect(document["store"]?.string == path)
        let findings = try #require(document["findings"]?.elements)
        let cure = try #require(findings.first { $0["id"] == "duplicate-mac" }?["cure"]?.string)
        let cured = try MeterfixProcess.shell("meterfix() { \"$METERFIX\" \"$@\"; }\n\(cure)", in: folder.path)
        #expect(cured.code == 0)
        #expect(TerminalSafety.violations(in: cured.stdout + cured.stderr).isEmpty)
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == [
                name, name + "-wal", name + ".meterfix",
            ])
        #expect(try folder.meterfix("verify", path).code == 0)
    }

    @Test("may be a symbolic link: the file it leads to is repaired, beside which its log lies")
    func link() throws {
        let folder = try ScratchFolder()
        try folder.makeFolder("real")
        try folder.copyStore("wal-only", as: "real/store.sqlite")
        try folder.link("link.sqlite", to: "real/store.sqlite")
        #expect(try folder.meterfix("verify", "link.sqlite").code == 1)
        #expect(try folder.meterfix("rebuild", "link.sqlite").code == 0)
        #expect(try folder.meterfix("verify", "real/store.sqlite").code == 0)
        let type = try FileManager.default.attributesOfItem(atPath: folder.path + "/link.sqlite")[.type]
        #expect(type as? FileAttributeType == .typeSymbolicLink)
    }

    @Test(
        "is shown escaped by every command, in what it did and in what it refuses",
        arguments: [("\t\r\u{1B}[31m\n$ x.sqlite", []), ("bidi\u{202E}\u{200F}etilqs.sqlite", ["--json"])])
    func everyCommand(_ name: String, _ options: [String]) throws {
        let folder = try ScratchFolder()
        try folder.copySampleFile("v1.sqlite", as: name)
        try folder.copySampleFile("kv/kv.json", as: name + ".json")
        try folder.write("{", to: name + ".plan")
        try folder.link(name + ".loop", to: name + ".loop")
        let commands = [
            ["rebuild", "--dry-run", name], ["rebuild", "--dry-run", "--only", name, name],
            ["migrate", name], ["import-kv", name + ".json", name], ["undo", "--list", name],
            ["undo", name], ["undo", "--redo", name], ["restore-record", name, "A4:C1:38:0B:7E:21"],
            ["rebuild", "--expect", "0123456789abcdef", name], ["import-kv", name, name],
            ["import-kv", name + ".plan", name], ["import-kv", name + ".no", name],
            ["migrate", "--model", name + ".no", name], ["migrate", "--model", name + ".plan", name],
            ["rebuild", "--backup-dir", name + ".json", name], ["status", name + ".loop"], ["status", name + "/"],
            ["verify", name + ".json", name + ".no", name], ["status", "--" + name],
            ["import-kv", "--create", name + ".json", name + ".made"],
            ["import-kv", "--rejects", name + ".json", name + ".json", name],
        ]
        for command in commands {
            let answer = try folder.meterfix(arguments: command + options)
            #expect(answer.code < 128 && answer.code != 70, "\(command)")
            let text = answer.stdout + answer.stderr
            #expect(TerminalSafety.violations(in: text).isEmpty, "\(command)")
            #expect(!text.contains("\n$ x"), "\(command)")
        }
    }

    @Test(
        "that is not UTF-8 is refused plainly, in the name of the store as in that of its folder",
        .enabled(if: ScratchFolder.takesAnyName, "the file system has no such names"))
    func otherEncoding() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let name = try MeterfixProcess.shell(
            #"cp duplicates.sqlite "$(printf 'caf\351.sqlite')" && exec "$METERFIX" status "$(printf 'caf\351.sqlite')""#,
            in: folder.path)
        let hint = "rename it, or copy the store's files into a folder with another name"
        name.expectRefusal(66, "caf\u{FFFD}.sqlite: no such file, or its name is not UTF-8", hint: hint)
        for command in ["status", "verify", "rebuild", "undo"] {
            let answer = try MeterfixProcess.shell(
                #"mkdir -p "$(printf 'd\377')" && cd "$(printf 'd\377')" && cp ../duplicates.sqlite store.sqlite && "#
                    + #"exec "$METERFIX" \#(command) store.sqlite"#, in: folder.path)
            answer.expectRefusal(66, "store.sqlite: it is in a folder whose name is not UTF-8", hint: hint)
        }
    }

    @Test("may begin with a hyphen behind --, lead through a link to a folder, and have slashes to spare")
    func oddPaths() throws {
        let folder = try ScratchFolder()
        try folder.makeFolder("real folder")
        try folder.copyStore("wal-only", as: "-n")
        try folder.copySampleFile("duplicates.sqlite", as: "real folder/store.sqlite")
        try folder.link("link", to: "real folder")
        #expect(try folder.meterfix("verify", "-q", "--", "-n").code == 1)
        #expect(try folder.meterfix("rebuild", "-q", "--", "-n").code == 0)
        #expect(try folder.meterfix("verify", "-q", "--", "-n").code == 0)
        #expect(try folder.meterfix("undo", "-q", "--", "-n").code == 0)
        #expect(try folder.meterfix("verify", "-q", "link/../link/.//store.sqlite").code == 1)
        #expect(try folder.meterfix("rebuild", "-q", ".//link/store.sqlite").code == 0)
        #expect(try folder.meterfix("verify", "-q", "real folder/store.sqlite").code == 0)
        // Whichever of its names it is called by, what was done to it can be taken back.
        #expect(try folder.meterfix("undo", "-q", "real folder/store.sqlite").code == 0)
    }

    @Test("left out is METERFIX_STORE")
    func environment() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let environment = ["METERFIX_STORE": "duplicates.sqlite"]
        for (command, code) in [("status", 0), ("verify", 1), ("rebuild", 0)] as [(String, Int32)] {
            let answer = try folder.meterfix(command, environment: environment)
            #expect(answer.code == code)
            #expect(answer.stdout.contains("duplicates.sqlite"))
        }
        // What is named comes first.
        #expect(try folder.meterfix("verify", "duplicates.sqlite", environment: ["METERFIX_STORE": "gone"]).code == 0)
    }

    @Test("left out altogether is wrong usage", arguments: ["status", "verify", "rebuild"])
    func noStore(_ command: String) throws {
        let folder = try ScratchFolder()
        for environment in [[:], ["METERFIX_STORE": ""]] {
            let answer = try folder.meterfix(command, environment: environment)
            #expect(answer.stderr.hasPrefix("meterfix: name a STORE, or set METERFIX_STORE\n"))
            #expect(answer.code == 64 && answer.stdout.isEmpty)
        }
    }
}

/// What must not reach a terminal from a customer's file.
enum TerminalSafety {
    /// Scalars that a terminal obeys instead of showing them, or shows as nothing.
    static func violations(in text: String) -> [String] {
        text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar != "\n"
            case .lineSeparator, .paragraphSeparator: true
            case .format:
                [0x061C, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF].contains(scalar.value)
                    || (0x202A...0x202E).contains(scalar.value)
                    || (0x2066...0x2069).contains(scalar.value)
            default: false
            }
        }.map { "U+" + String($0.value, radix: 16) }
    }
}
