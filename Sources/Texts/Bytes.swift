extension String.UTF8View {
    /// Where these bytes begin for the first time; nil where they are not. (`String.contains` compares characters, and
    /// takes a hundred times as long for a name in a statement.)
    package func firstIndex(of part: String.UTF8View) -> Index? {
        guard let first = part.first else { return startIndex }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            if rest[start...].starts(with: part) { return start }
            rest = rest[rest.index(after: start)...]
        }
        return nil
    }

    package func contains(_ part: String.UTF8View) -> Bool { firstIndex(of: part) != nil }
}

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

/// Whether bytes are UTF-8, and where they are not. (`String(validating:as:)` needs macOS 15, and does not say where.)
package enum UTF8Check {
    /// Whether all of `bytes` are UTF-8.
    package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { firstInvalid(in: bytes, from: 0) == nil }

    /// The position of the first byte from `start` on that is not UTF-8; nil if all are.
    package static func firstInvalid(in text: [UInt8], from start: Int = 0) -> Int? {
        text.withUnsafeBufferPointer { firstInvalid(in: $0, from: start) }
    }

    private static func firstInvalid(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let bytes = UnsafeRawBufferPointer(text)
        var position = start
        while position < text.count {
            // Most text is ASCII: eight bytes at a time.
            if position + 8 <= text.count,
                bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                position += 8
                continue
            }
            let lead = text[position]
            let length: Int
            var allowed: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0x00...0x7F:
                position += 1
                continue
            case 0xC2...0xDF: length = 2
            case 0xE0...0xEF:
                length = 3
                if lead == 0xE0 { allowed = 0xA0...0xBF }
                if lead == 0xED { allowed = 0x80...0x9F }
            case 0xF0...0xF4:
                length = 4
                if lead == 0xF0 { allowed = 0x90...0xBF }
                if lead == 0xF4 { allowed = 0x80...0x8F }
            default: return position
            }
            guard length <= text.count - position, allowed.contains(text[position + 1]) else { return position }
            for index in (position + 2)..<max(position + 2, position + length) where text[index] & 0xC0 != 0x80 {
                return position
            }
            position += length
        }
        return nil
    }
}
