import Answer
import Foundation
import MeterJournal
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

/// A text that was reviewed once and must come out the same.
enum Golden {
    static let isUpdating = ProcessInfo.processInfo.environment["METERFIX_UPDATE_GOLDENS"] == "1"

    /// Compares a transcript with the file at `path`, or writes the file where the goldens are being updated.
    static func compare(_ transcript: String, with path: String) throws {
        // The style sheet is in the sources as it is.
        let transcript = anonymous(transcript).replacing(/<style>(?:.|\n)*?<\/style>/, with: "<style>…</style>")
        let url = URL(fileURLWithPath: path)
        if isUpdating {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            if (try? String(contentsOf: url, encoding: .utf8)) != transcript {
                try Data(transcript.utf8).write(to: url)
            }
            return
        }
        let golden = try String(contentsOf: url, encoding: .utf8)
        if let difference = difference(golden, transcript) { Issue.record("\(difference)") }
    }

    /// The names of the files in a folder of the goldens, sorted.
    static func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(PackageFolder.goldens)/\(folder)").sorted()
    }

    /// SQLite's versions word their complaints differently.
    static func portable(_ transcript: String) -> String {
        transcript.replacing(/wrong # of entries in index [A-Z_]+|row \d+ missing from index [A-Z_]+/) {
            "(SQLite's words about \($0.output.split(separator: " ").last ?? "it"))"
        }
    }

    /// The text with other names for who runs the tests, and where.
    static func anonymous(_ text: String) -> String {
        guard let person = Person.current else { return text }
        return text.replacing("by \(person)", with: "by ana@mac").replacing("(\(person))", with: "(ana@mac)")
            .replacing("by \(person.user)&#64;\(person.host)", with: "by ana&#64;mac")
            .replacing("\"user\": \"\(person.user)\"", with: "\"user\": \"ana\"")
            .replacing("\"host\": \"\(person.host)\"", with: "\"host\": \"mac\"")
    }

    /// Gives the changes that have backups in a folder the other author too: where a terminal breaks a line depends on
    /// the length of a name.
    static func renameAuthors(in folder: ScratchFolder) throws {
        for name in try folder.snapshot.names where name.hasSuffix("/journal.json") {
            #expect(chmod(folder.path + "/" + name, 0o600) == 0)
            try folder.write(anonymous(folder.text(name)), to: name)
        }
    }

    /// The first lines that differ, with what stands before them; nil where the texts are equal.
    private static func difference(_ golden: String, _ now: String) -> String? {
        let old = golden.split(separator: "\n", omittingEmptySubsequences: false)
        let new = now.split(separator: "\n", omittingEmptySubsequences: false)
        guard old != new else { return nil }
        let index = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
        let command = new.prefix(index + 1).last { $0.hasPrefix("$ ") } ?? ""
        let common = new[max(0, index - 3)..<index].map { "  \($0)" }
        let left = old.dropFirst(index).prefix(6).map { "- \($0)" }
        let right = new.dropFirst(index).prefix(6).map { "+ \($0)" }
        return (["line \(index + 1), \(command)"] + common + left + right).joined(separator: "\n")
    }
}

extension [Block] {
    /// What a pipe gets of an answer.
    var textInPipe: String {
        var text = ""
        Medium.terminal(width: nil, isColored: false).write(self) { text += $0 }
        return text
    }
}

/// Command lines in a folder and what each answered, as a golden has them. A command that only looks must leave no
/// trace, one that refuses must change no byte, and none leaves anything among its temporary files.
final class Transcript {
    private let folder: ScratchFolder
    private let columns: UInt16?
    private(set) var text: String

    /// The first line of each golden.
    static let head = "# METERFIX_UPDATE_GOLDENS=1 swift test --filter Goldens writes this file.\n"

    /// - Parameters:
    ///   - summary: what the golden begins with.
    ///   - columns: of the terminal that answers are shown on; nil where they go to a file. JSON is the same in both.
    init(in folder: ScratchFolder, summary: String? = nil, columns: UInt16? = nil) {
        self.folder = folder
        self.columns = columns
        text = (summary.map { "# \($0)\n" } ?? "") + Self.head
    }

    /// Runs `meterfix`, and notes the command line and the answer.
    @discardableResult
    func run(_ words: String..., now: String = SampleSession.now) throws -> MeterfixProcess.Answer {
        try run(words, now: now)
    }

    /// The same.
    @discardableResult
    func run(_ words: [String], now: String = SampleSession.now) throws -> MeterfixProcess.Answer {
        let before = try folder.snapshot
        let arguments = words + ["--now", now]
        let answer = try folder.meterfix(arguments: arguments)
        var shown = answer.stdout
        if let columns, !words.contains("--json") {
            let lines = try Pseudoterminal.lines(arguments + ["--color", "never"], columns: columns, in: folder)
            shown = lines.joined(separator: "\n")
        }
        note(words, shown, answer)
        #expect(answer.leftovers.isEmpty, "\(words)")
        if Self.isLook(words) {
            #expect(try folder.snapshot.differences(from: before).isEmpty, "\(words)")
        } else if ![0, 1, 2].contains(answer.code) {
            // To lock a store for a change, SQLite makes and removes a log beside it.
            #expect(try folder.snapshot.differences(from: before, withFolder: false).isEmpty, "\(words)")
        }
        return answer
    }

    /// The same for several command lines.
    func run(all lines: [String]) throws { for line in lines { try run(line.shellWords) } }

    /// Adds what a reader of the golden is to see besides.
    func add(_ line: String, _ contents: String) { text += "\n$ \(line)\n\(contents)" }

    func compare(with name: String, _ portable: (String) -> String = { $0 }) throws {
        try Golden.compare(portable(text), with: "\(PackageFolder.goldens)/\(name)")
    }

    private func note(_ words: [String], _ stdout: String, _ answer: MeterfixProcess.Answer) {
        func lines(_ text: String, _ prefix: String = "") -> String {
            // As one character, `\r\n` would be no end of a line.
            text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast(text.isEmpty || text.hasSuffix("\n") ? 1 : 0).map { "\(prefix)\($0)\n" }.joined()
        }
        let line = words.map { $0.hasPrefix("-") ? $0 : ShellWord.quoted($0) }.joined(separator: " ")
        add("meterfix \(line)", lines(stdout) + lines(answer.stderr, "stderr: ") + "exit \(answer.code)\n")
    }

    private static let writers: Set<String> = [
        "delete", "fix", "import-kv", "migrate", "rebuild", "recover", "redact", "report", "restore-record",
        "set", "undo", "unlock",
    ]

    private static func isLook(_ words: [String]) -> Bool {
        !writers.contains(words[0]) || words.contains("--dry-run") || words.contains("--list")
    }
}

extension String {
    /// The words of a command line; what is in single quotes is one word.
    var shellWords: [String] {
        split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { place, part in
            place.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
    }
}
