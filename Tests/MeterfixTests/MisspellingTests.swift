import Testing

@testable import meterfix

@Suite("a command line with a typing error")
struct MisspellingTests {
    private func sentence(_ words: String...) -> String? { Misspelling.sentence(on: words[...]) }

    @Test("gets the command that may have been meant")
    func commands() {
        #expect(sentence("verfy", "x.sqlite") == "unknown command 'verfy'; did you mean 'verify'?")
        #expect(sentence("STATUS") == "unknown command 'STATUS'; did you mean 'status'?")
        #expect(sentence("import_kv", "names.plist") == "unknown command 'import_kv'; did you mean 'import-kv'?")
        #expect(sentence("CKModel.sqlite") == "unknown command 'CKModel.sqlite'")
    }

    @Test("gets the option that may have been meant, whatever else is wrong with it")
    func options() {
        #expect(sentence("rebuild", "--dryrun", "x") == "unknown option '--dryrun'; did you mean '--dry-run'?")
        #expect(sentence("set", "a", "--nme=b", "x") == "unknown option '--nme'; did you mean '--name'?")
        #expect(sentence("rebuild", "--frobnicate") == "unknown option '--frobnicate'")
    }

    @Test("is led from the words of the job to those of the program")
    func wordsOfTheJob() {
        #expect(sentence("import", "x") == "unknown command 'import'; did you mean 'import-kv'?")
        #expect(sentence("Repair", "x") == "unknown command 'Repair'; did you mean 'fix --all'?")
        #expect(sentence("check") == "unknown command 'check'; did you mean 'verify'?")
        for word in ["changes", "history", "backups"] {
            #expect(sentence(word, "x") == "unknown command '\(word)'; did you mean 'undo --list'?")
        }
        #expect(sentence("restore") == "unknown command 'restore'; did you mean 'undo' or 'restore-record'?")
        #expect(
            sentence("rebuild", "--apply", "x")
                == "unknown option '--apply'; leave out '--dry-run', and the change is made")
        #expect(sentence("verify", "--apply", "x") == "unknown option '--apply'")
    }

    @Test("is never told to force anything", arguments: ["--forc", "--fore", "--force-it", "--farce"])
    func never(_ option: String) throws {
        let folder = try ScratchFolder()
        for command in ["rebuild", "undo"] {
            let answer = try folder.meterfix(command, option, "x.sqlite")
            #expect(answer.code == 64)
            #expect(answer.stderr.contains("nknown option '\(option)'"), "\(answer.stderr)")
            #expect(!answer.stderr.prefix { $0 != "\n" }.contains("'--force'"), "\(answer.stderr)")
        }
    }

    @Test("is told from one that has none")
    func none() {
        #expect(sentence("verify", "--strict", "--ignore=name-shared", "x") == nil)
        #expect(sentence("verify", "--", "--strct") == nil)
        #expect(sentence("help", "verfy") == nil)
        #expect(sentence("--version") == nil)
        #expect(sentence() == nil)
    }

    @Test("is refused with that sentence, on stderr and in JSON, and with the usage of the command")
    func refused() throws {
        let folder = try ScratchFolder()
        let answer = try folder.meterfix("set", "A4:C1:38:0B:7E:21", "--nme", "Lab", "x.sqlite")
        #expect(answer.code == 64)
        #expect(
            answer.stderr.hasPrefix("meterfix: unknown option '--nme'; did you mean '--name'?\nUsage: meterfix set "))
        let document = try folder.meterfix("verfy", "--json").stdout
        #expect(document.contains(#""message": "unknown command 'verfy'; did you mean 'verify'?""#))
    }

    @Test("is refused with a usage that fits into 80 columns, with no argument or option in two lines")
    func wrapped() throws {
        let folder = try ScratchFolder()
        let commands = try folder.meterfix("--help").stdout.matches(of: /\n  ([a-z][a-z-]*)  +[A-Z]/).map {
            String($0.1)
        }
        #expect(commands.count > 20)
        for command in commands where command != "help" {
            let usage = try folder.meterfix(command, "--color", "pink").stderr.split(separator: "\n")
                .drop { !$0.hasPrefix("Usage: ") }.dropLast()
            #expect(!usage.isEmpty && usage.allSatisfy { $0.count <= 80 }, "\(command)")
            for line in usage {
                #expect(line.count { $0 == "[" } == line.count { $0 == "]" }, "\(line)")
                #expect(line.count { $0 == "<" } == line.count { $0 == ">" }, "\(line)")
            }
            let help = try folder.meterfix(command, "--help").stdout
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(command)")
        }
    }
}
