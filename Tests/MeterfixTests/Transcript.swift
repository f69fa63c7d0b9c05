import MeterModel
import MeterTestSupport
import Testing

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
