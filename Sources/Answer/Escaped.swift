internal import Texts

/// Text that may be anybody's, with nothing in it that a reader would not see, and no more than anybody reads.
package enum Escaped {
    /// Code points of a text that is shown whole: more than any path of a file has, in a command that somebody pastes.
    private static let longest = 5_000

    /// What is hidden becomes `\u{…}`, and of a text that nobody typed by hand the beginning is shown, and how long it is.
    /// Escaping an escaped text changes nothing.
    ///
    /// Nothing comes after the cut: a command that is cut in a value cannot be run with another one by mistake, because a
    /// quote stays open, or the shell finds a bracket.
    package static func text(_ text: String) -> String {
        let shown = visible(text)
        guard shown.utf8.count > longest, shown.unicodeScalars.count > longest else { return shown }
        let mark = "… (\(text.unicodeScalars.count) characters; --json has all of them)"
        return String(shown.unicodeScalars.prefix(longest - mark.unicodeScalars.count)) + mark
    }

    private static func visible(_ text: String) -> String {
        guard !isPlain(text), text.unicodeScalars.contains(where: \.isHidden) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isHidden {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The escaped text's beginning that fits into so many columns, with an ellipsis where something is missing.
    package static func start(of text: String, columns: Int) -> String {
        DisplayWidth.cut(self.text(text), to: columns)
    }

    /// Whether it has only ASCII's printable characters, each of which is one column wide.
    static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { 0x20..<0x7F ~= $0 } }
}
