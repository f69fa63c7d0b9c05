internal import Texts

/// How many columns of a terminal text takes.
package enum DisplayWidth {
    /// - Parameter text: without control characters.
    package static func of(_ text: some StringProtocol) -> Int {
        var width = 0
        for scalar in text.unicodeScalars {
            guard let columns = ofAlone(scalar) else { return text.reduce(0) { $0 + of($1) } }
            width += columns
        }
        return width
    }

    /// Of a code point that is a character by itself, whatever is beside it of its kind; nil for all that may not be.
    static func ofAlone(_ scalar: Unicode.Scalar) -> Int? {
        switch scalar.value {
        case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x300, 0x370..<0x483: 1
        // Kana, Chinese characters, Korean syllables.
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: 2
        default: nil
        }
    }

    /// A character as a reader sees it, an emoji of several code points for example, is measured as a whole: 0, 1 or 2.
    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let base = scalars.first(where: { !isWithoutWidth($0) }) else { return 0 }
        if isWide(base) { return 2 }
        var isEmoji = false
        for scalar in scalars.dropFirst() {
            // The selector of the coloured form, and the second half of a flag.
            if scalar.value == 0xFE0F && base.properties.isEmoji { isEmoji = true }
            if 0x1F1E6...0x1F1FF ~= scalar.value && 0x1F1E6...0x1F1FF ~= base.value { isEmoji = true }
        }
        return isEmoji ? 2 : 1
    }

    /// The beginning of the text that fits, with an ellipsis where something is missing.
    package static func cut(_ text: String, to widest: Int) -> String {
        guard widest < .max, of(text) > widest else { return text }
        var width = 0
        let start = text.prefix { character in
            width += of(character)
            return width < widest
        }
        return start + "…"
    }

    private static func isWithoutWidth(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .format: true
        default: false
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        guard value >= wide[0].lowerBound else { return false }
        let index = wide.partitioningIndex { $0.upperBound >= value }
        return index < wide.count && wide[index].contains(value)
    }

    /// The code points whose East_Asian_Width is W or F in EastAsianWidth-15.0.0.txt of the Unicode Character Database
    /// (UAX #11, https://www.unicode.org/reports/tr11/). Unassigned code points between two ranges are in them.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
        0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
        0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
        0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
        0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB,
        0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F265,
        0x1F300...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
        0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440,
        0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A,
        0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC,
        0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0,
        0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAF8, 0x20000...0x3FFFD,
    ]
}
