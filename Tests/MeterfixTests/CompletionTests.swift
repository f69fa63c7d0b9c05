import Foundation
import MeterTestSupport
import Testing

/// What the completion scripts of the shells ask the program.
@Suite("completing a word")
struct CompletionTests {
    /// Asks as a generated script does.
    /// - Parameters:
    ///   - words: of the line, the program first.
    ///   - index: of the word that is being typed.
    private func complete(
        _ command: String, _ words: [String], at index: Int, shell: String = "fish", in folder: ScratchFolder,
        environment: [String: String] = [:]
    ) throws -> [String] {
        let before = try folder.snapshot
        let answer = try folder.meterfix(
            arguments: ["---completion", command, "--", "positional@0", "\(index)", "\(words[index].count)"] + words,
            environment: ["SAP_SHELL": shell].merging(environment) { $1 })
        #expect(answer.code == 0 && answer.stderr.isEmpty && answer.leftovers.isEmpty, "\(words)")
        #expect(try folder.snapshot == before)
        return answer.stdout.split(separator: "\n").map(String.init).filter { $0 != " " }
    }

    private static let names = ["Bench UM34C", "Kitchen charger", "Lab TC66", "Încărcător birou", "Зарядка в машине"]
    private static let addresses = [
        "00-15-A6-00-3C-E8", "88-4A-18-C7-D1-54", "98-DA-C0-11-AB-0E", "A4-C1-38-0B-7E-21", "A4-C1-38-5D-02-9F",
    ]

    @Test(
        "of a meter offers the addresses and names of the store on the line, or of the environment",
        arguments: ["show", "unlock", "set", "restore-record"], ["bash", "zsh", "fish"])
    func meters(command: String, shell: String) throws {
        let folder = try ScratchFolder(sample: "healthy")
        for (words, environment) in [
            (["meterfix", command, "", "healthy.sqlite"], [:]),
            (["meterfix", command, "", "'healthy.sqlite'", "--quiet"], [:]),
            (["meterfix", command, ""], ["METERFIX_STORE": "healthy.sqlite"]),
        ] {
            let offered = try complete(command, words, at: 2, shell: shell, in: folder, environment: environment)
            #expect(Array(offered.prefix(10)) == Array((Self.addresses + Self.names).prefix(10)))
        }
    }

    @Test(
        "of an address goes on in the notation that was begun",
        arguments: [
            ("a4c1", "bash", "a4c1380b7e21"), ("A4C13", "bash", "A4C1380B7E21"), ("A4-c", "bash", "A4-C1-38-0B-7E-21"),
            ("a4-c", "fish", "a4-c1-38-0b-7e-21"), ("A4:C", "fish", "A4:C1:38:0B:7E:21"),
            ("a4:c", "zsh", #"a4\:c1\:38\:0b\:7e\:21"#),
        ])
    func notations(word: String, shell: String, address: String) throws {
        let folder = try ScratchFolder(sample: "healthy")
        let words = ["meterfix", "unlock", word, "healthy.sqlite"]
        #expect(try complete("unlock", words, at: 2, shell: shell, in: folder).contains(address))
    }

    @Test("offers nothing, and complains of nothing, where there is no store that can be read")
    func nothing() throws {
        let folder = try ScratchFolder(samples: "not-a-database", "truncated", "other-app", "empty")
        try folder.makeFolder("folder")
        for name in ["not-a-database.sqlite", "other-app.sqlite", "empty.sqlite", "missing.sqlite", "folder", "", "-x"]
        {
            #expect(try complete("unlock", ["meterfix", "unlock", "", name], at: 2, in: folder) == [])
        }
        #expect(try complete("unlock", ["meterfix", "unlock", ""], at: 2, in: folder) == [])
        #expect(
            try complete(
                "unlock", ["meterfix", "unlock", ""], at: 2, in: folder, environment: ["METERFIX_STORE": "missing"])
                == [])
    }

    @Test("offers no name that a shell could take for a command, and none that several meters have")
    func hostile() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let names = ["$(touch gone)", "`touch gone`", "-v", "a\u{1B}[2J", "Kitchen"]
        for (row, name) in names.enumerated() {
            try folder.execute(
                "UPDATE ZDEVICESETTINGS SET ZMETERNAME = '\(name)' WHERE Z_PK = \(row + 1)", in: "healthy.sqlite")
        }
        let words = ["meterfix", "unlock", "", "healthy.sqlite"]
        #expect(try complete("unlock", words, at: 2, in: folder) == Self.addresses + ["Kitchen"])
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'kitchen ' WHERE Z_PK = 1", in: "healthy.sqlite")
        #expect(try complete("unlock", words, at: 2, in: folder) == Self.addresses)
    }

    @Test("of what may be the store offers files too, and after --row nothing else")
    func files() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.makeFolder("healthy")
        try folder.write("", to: "healthy/$(touch gone)")
        try folder.write("", to: "healthy/a b.sqlite")
        #expect(try complete("show", ["meterfix", "show", "h"], at: 2, in: folder) == ["healthy/", "healthy.sqlite"])
        #expect(
            try complete("show", ["meterfix", "show", "--row", "3", "healthy/"], at: 4, in: folder)
                == ["healthy/a b.sqlite"])
        #expect(try complete("fix", ["meterfix", "fix", "mi"], at: 2, in: folder).contains("mirror-orphan"))
        let second = try complete("fix", ["meterfix", "fix", "mirror-orphan", "h"], at: 3, in: folder)
        #expect(second.contains("healthy.sqlite") && !second.contains("mirror-orphan"))
    }

    @Test("of a check's id is in the scripts", arguments: ["bash", "zsh", "fish"])
    func checks(shell: String) throws {
        let script = try ScratchFolder().meterfix("--generate-completion-script", shell).stdout
        #expect(script.contains("'duplicate-mac'") || script.contains("duplicate-mac"))
        #expect(script.contains("lock-torn"))
    }

    @Test("works in bash, with the script that is installed", .enabled(if: access("/bin/bash", X_OK) == 0))
    func bash() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let script = """
            eval "$("$METERFIX" --generate-completion-script bash)"
            COMP_WORDS=("$METERFIX" show Ki healthy.sqlite) COMP_CWORD=2
            COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=$((${#METERFIX} + 8))
            _meterfix "$METERFIX" Ki show
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let answer = try MeterfixProcess.start(words: ["/bin/bash", "-c", script], in: folder.path).answer()
        #expect(answer.stdout == "Kitchen charger\n", "\(answer.stderr)")
    }
}
