/// Text that may be anybody's, with nothing in it that a reader would not see.
package enum Escaped {
    /// Control characters, line separators, what turns the direction of text, and characters whose meaning is private become
    /// `\u{…}`. Escaping an escaped text changes nothing.
    package static func text(_ text: String) -> String {
        guard !isPlain(text), text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
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

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Most of what people write, so that its properties need not be looked up.
        case 0x20..<0x7F, 0xA0..<0x600, 0x2E80..<0xD800: return false
        case 0..<0xA0: return true
        default: break
        }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse: true
        // Joiners, which emoji need, are of this category too.
        case .format: scalar.properties.isBidiControl
        default: false
        }
    }
}
