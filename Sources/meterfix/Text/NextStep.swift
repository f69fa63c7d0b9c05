internal import Answer
internal import MeterInspect

/// What to run after a dry run.
enum NextStep {
    /// - Parameter command: without the store, as words for a shell; nil where it takes the words that the user typed.
    static func line(_ command: [String]?, on store: String) -> Block {
        guard let command else { return .paragraph("to do it: the same command without --dry-run") }
        let words = ["meterfix"] + command + [ShellWord.quoted(store)]
        return .paragraph("to do it: \(.code(words.joined(separator: " ")))")
    }
}
