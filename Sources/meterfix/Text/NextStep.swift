internal import MeterInspect
internal import MeterRepair

/// What to run after a dry run.
enum NextStep {
    /// - Parameter command: without the store, as words for a shell; nil where it takes the words that the user typed.
    static func line(_ command: [String]?, on store: String) -> String {
        guard let command else { return "to do it: the same command without --dry-run" }
        let words = ["meterfix"] + command + [ShellWord.quoted(store)]
        return "to do it: \(words.joined(separator: " "))"
    }
}
