internal import Answer
internal import MeterInspect
internal import MeterRepair

/// What to run next.
enum NextStep {
    /// A cure as its first step: each command in it that changes a store as a dry run, which ends with the command itself.
    static func dryRun(_ cure: String) -> String {
        WritingCommand.allCases.reduce(cure) { text, command in
            text.replacing("meterfix \(command.rawValue) ", with: "meterfix \(command.rawValue) --dry-run ")
                .replacing("--dry-run --dry-run", with: "--dry-run")
        }
    }

    /// What to run after a dry run.

    /// - Parameter command: without the store, as words for a shell; nil where it takes the words that the user typed.
    static func line(_ command: [String]?, on store: String) -> Block {
        guard let command else { return .paragraph("to do it: the same command without --dry-run") }
        let words = ["meterfix"] + command + [ShellWord.quoted(store)]
        return .paragraph("to do it: \(.code(words.joined(separator: " ")))")
    }
}
