extension Unicode.Scalar {
    /// Whether a terminal obeys a character instead of showing it, or a reader sees nothing where it is: control characters,
    /// line separators, what turns the direction of text, what has no width, and characters whose meaning is private. Joiners,
    /// which many scripts and emoji need, and variation selectors are none of these.
    package var isHidden: Bool {
        switch value {
        // A soft hyphen, a joiner of graphemes, and the filler of Hangul.
        case 0xAD, 0x34F, 0x3164: return true
        // Most of what people write, so that its properties need not be looked up.
        case 0x20..<0x7F, 0xA0..<0x600, 0x200C...0x200D, 0x2E80..<0xD800, 0x1F000..<0x32000: return false
        case 0..<0xA0: return true
        default: break
        }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse: true
        // Annotations between lines, and their ends.
        case .format where 0xFFF9...0xFFFB ~= value: true
        default: properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
        }
    }
}
