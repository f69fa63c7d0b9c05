import Foundation
import MeterModel
import Testing

@Suite("a word for a shell")
struct ShellWordTests {
    @Test(
        "is the same word when a shell reads it, and contains nothing that a terminal interprets",
        arguments: [
            "CKModel.sqlite", "", " ", "it's \"a b\"", "$HOME`id`*?[a]", "back\\slash\\n", "100%d", "new\nline",
            "\t\r\u{1B}[31m'%s\\\u{7}", "bidi\u{202E}\u{2028}\u{85}", "Ünïcødé \u{1F600}\n.", "!history ~user #x",
            "\u{E000}x", "zero\u{200B}\u{FEFF}width",
        ])
    func word(_ text: String) throws {
        let word = ShellWord.quoted(text)
        #expect(word.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0x85 })
        #expect(
            !word.unicodeScalars.contains { "\u{202E}\u{2028}\u{E000}\u{200B}\u{FEFF}".unicodeScalars.contains($0) })
        #expect(try Self.read(word, by: "/bin/sh") == text)
    }

    @Test("begins with ./ if it would be taken for an option")
    func hyphen() throws {
        #expect(ShellWord.quoted("-n") == "'./-n'")
        #expect(try Self.read(ShellWord.quoted("--json\n.sqlite"), by: "/bin/sh") == "./--json\n.sqlite")
    }

    @Test(
        "that ends in line feeds needs a newer shell",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")))
    func lineFeeds() throws {
        let text = "it's 100%\\\n\n"
        let word = ShellWord.quoted(text)
        #expect(!word.contains("\n"))
        #expect(try Self.read(word, by: "/bin/bash") == text)
    }

    /// What a command is handed for the word.
    private static func read(_ word: String, by shell: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: shell)
        process.arguments = ["-c", "printf %s \(word)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
