/// Words for a POSIX shell.
package enum ShellWord {
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+=:@%")

    /// The word as it is where a shell takes it literally, otherwise in single quotes.
    package static func quoted(_ word: String) -> String {
        if !word.isEmpty, !word.hasPrefix("-"), word.allSatisfy(plain.contains) { return word }
        // A path that begins with a hyphen would be taken for an option.
        let safe = word.hasPrefix("-") ? "./" + word : word
        return "'" + safe.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
