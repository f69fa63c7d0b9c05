internal import Texts

/// Text that may be anybody's, with nothing in it that a reader would not see.
package enum Escaped {
    /// What is hidden becomes `\u{…}`. Escaping an escaped text changes nothing.
    package static func text(_ text: String) -> String {
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
