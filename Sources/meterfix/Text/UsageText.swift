internal import Answer

/// The lines of a message that say how a command is used, which the parser makes as long as they come.
enum UsageText {
    /// Of help and of messages that go to no terminal, as the parser has it.
    static let columns = 80

    /// Breaks these lines before an argument or an option, never in one.
    static func wrapped(_ message: String, columns: Int) -> String {
        message.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let head = "usage: "
            guard line.lowercased().hasPrefix(head), DisplayWidth.of(line) > columns else { return String(line) }
            var lines: [String] = []
            var current = ""
            for word in words(of: line) {
                if !current.isEmpty, DisplayWidth.of(current) + 1 + DisplayWidth.of(word) > columns {
                    lines.append(current)
                    current = String(repeating: " ", count: head.count) + word
                } else {
                    current += current.isEmpty ? word : " " + word
                }
            }
            return (lines + [current]).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Split at the spaces that are in no brackets.
    private static func words(of line: Substring) -> [String] {
        var words = [""]
        var depth = 0
        for character in line {
            if character == "[" || character == "<" { depth += 1 }
            if character == "]" || character == ">" { depth -= 1 }
            if character == " ", depth == 0 { words.append("") } else { words[words.count - 1].append(character) }
        }
        return words
    }
}
