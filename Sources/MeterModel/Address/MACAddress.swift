/// A 48-bit address. Two records are of the same meter if and only if their 48 bits are equal.
package struct MACAddress: Hashable, Comparable, Sendable {
    /// The address in the low 48 bits.
    package let bits: UInt64

    package init(bits: UInt64) { self.bits = bits & 0xFFFF_FFFF_FFFF }

    package static func < (left: MACAddress, right: MACAddress) -> Bool { left.bits < right.bits }

    /// Placeholders for "no address" or "hidden": all zeros, all ones, and `02:00:00:00:00:00`, which Apple's systems
    /// return when they hide an address.
    package var isPlaceholder: Bool {
        bits == 0 || bits == 0xFFFF_FFFF_FFFF || bits == 0x0200_0000_0000
    }

    /// The canonical text: six pairs with colons.
    package func text(in letterCase: LetterCase) -> String {
        let ten = letterCase == .upper ? UInt8(ascii: "A") : UInt8(ascii: "a")
        return String(unsafeUninitializedCapacity: 17) { text in
            for digit in 0..<12 {
                let value = UInt8(truncatingIfNeeded: bits >> UInt64(44 - 4 * digit)) & 0xF
                text[digit + digit / 2] = value < 10 ? UInt8(ascii: "0") + value : ten + value - 10
            }
            for pair in 1..<6 { text[pair * 3 - 1] = UInt8(ascii: ":") }
            return 17
        }
    }
}

extension MACAddress {
    /// The notation in which an address was written.
    package struct Notation: Hashable, Sendable {
        package enum Separator: Sendable { case none, colons, hyphens, dots }
        package enum Letters: Sendable { case none, upper, lower, mixed }

        package var separator: Separator
        package var letters: Letters
        /// White space before or after it.
        package var isPadded: Bool

        /// Whether the text is the canonical one of a store that uses `letterCase`.
        package func isCanonical(in letterCase: LetterCase) -> Bool {
            guard separator == .colons, !isPadded else { return false }
            switch letters {
            case .none: return true
            case .upper: return letterCase == .upper
            case .lower: return letterCase == .lower
            case .mixed: return false
            }
        }
    }

    /// Parses an address: twelve hex digits, without separators, or in pairs separated by `:` or `-`, or in fours
    /// separated by `.`; in any letter case, with white space around it ignored. Nil for anything else.
    package static func parse(_ text: String) -> (address: MACAddress, notation: Notation)? {
        var text = text
        return text.withUTF8 { parse(utf8: $0) }
    }

    /// The same, from UTF-8 bytes.
    package static func parse(utf8 bytes: UnsafeBufferPointer<UInt8>) -> (address: MACAddress, notation: Notation)? {
        let trimmed = WhiteSpace.trim(bytes)
        guard let separator = separator(of: trimmed) else { return nil }
        var bits: UInt64 = 0
        var digits = 0
        var upper = false
        var lower = false
        var digitsToSeparator = separator.groupLength
        for byte in UnsafeBufferPointer(rebasing: trimmed) {
            guard digitsToSeparator > 0 else {
                guard byte == separator.byte else { return nil }
                digitsToSeparator = separator.groupLength
                continue
            }
            digitsToSeparator -= 1
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "A")...UInt8(ascii: "F"):
                digit = byte - UInt8(ascii: "A") + 10
                upper = true
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                digit = byte - UInt8(ascii: "a") + 10
                lower = true
            default: return nil
            }
            bits = bits << 4 | UInt64(digit)
            digits += 1
        }
        guard digits == 12 else { return nil }
        let letters: Notation.Letters = upper ? (lower ? .mixed : .upper) : (lower ? .lower : .none)
        let notation = Notation(separator: separator, letters: letters, isPadded: trimmed.count != bytes.count)
        return (MACAddress(bits: bits), notation)
    }

    private static func separator(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Notation.Separator? {
        switch bytes.count {
        case 12: return Notation.Separator.none
        case 14: return .dots
        case 17: return bytes[bytes.startIndex + 2] == UInt8(ascii: ":") ? .colons : .hyphens
        default: return nil
        }
    }
}

extension MACAddress.Notation.Separator {
    fileprivate var byte: UInt8? {
        switch self {
        case .none: nil
        case .colons: UInt8(ascii: ":")
        case .hyphens: UInt8(ascii: "-")
        case .dots: UInt8(ascii: ".")
        }
    }

    /// Digits between two separators.
    fileprivate var groupLength: Int {
        switch self {
        case .none: 12
        case .colons, .hyphens: 2
        case .dots: 4
        }
    }
}

extension MACAddress {
    /// The addresses that a slip of the pen makes of this one: one hex digit is another, or two that stand side by side
    /// have changed places.
    package var slips: [MACAddress] {
        let digits = (0..<12).map { bits >> UInt64(4 * $0) & 0xF }
        var slips: [MACAddress] = []
        for place in 0..<12 {
            let shift = UInt64(4 * place)
            for digit in 0..<UInt64(16) where digit != digits[place] {
                slips.append(MACAddress(bits: bits ^ (digits[place] ^ digit) << shift))
            }
            if place > 0, digits[place] != digits[place - 1] {
                let difference = digits[place] ^ digits[place - 1]
                slips.append(MACAddress(bits: bits ^ (difference << shift | difference << (shift - 4))))
            }
        }
        return slips
    }
}

/// The letter case of canonical addresses. The app compares addresses as exact text, so a store has one.
package enum LetterCase: String, Sendable, CaseIterable {
    case upper, lower
}

/// Counts of the usable addresses written as six pairs with colons, by letter case: they tell which case a store uses.
package struct LetterCaseCount: Hashable, Sendable {
    package private(set) var upper = 0
    package private(set) var lower = 0

    package init() {}

    /// Counts an address that is written as six pairs with colons and has letters, all in the same case.
    package mutating func count(_ notation: MACAddress.Notation) {
        guard notation.separator == .colons else { return }
        switch notation.letters {
        case .upper: upper += 1
        case .lower: lower += 1
        case .none, .mixed: break
        }
    }

    /// Whether no address that was counted tells a case.
    package var isEmpty: Bool { upper == 0 && lower == 0 }

    /// More lower than upper → lower, otherwise upper.
    package var letterCase: LetterCase { lower > upper ? .lower : .upper }
}
