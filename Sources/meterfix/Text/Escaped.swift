internal import MeterModel

/// Text from a customer's file, safe for a terminal.
enum Escaped {
    /// Control characters, line separators and what turns the direction of text become `\u{…}`.
    static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
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

    /// A stored value as a person reads it; a dash for NULL, quotes around mere white space.
    static func value(_ value: FieldValue, _ kind: FieldKind) -> String {
        guard !value.isNull else { return "–" }
        let shown = text(value.display(as: kind))
        return value.isEmpty ? "\"\(shown)\"" : shown
    }

    /// The same in quotes, where white space and emptiness must be seen.
    static func quoted(_ value: FieldValue, _ kind: FieldKind) -> String {
        switch value {
        case .text, .malformedText: "\"\(text(value.display(as: kind)))\""
        default: self.value(value, kind)
        }
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .privateUse: MarkdownText.reserved.contains(scalar.value)
        // Joiners, which emoji need, are of this category too.
        case .format: scalar.properties.isBidiControl
        default: false
        }
    }
}
