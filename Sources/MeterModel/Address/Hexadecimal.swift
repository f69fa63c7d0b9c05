/// Bytes as text.
package enum Hexadecimal {
    /// Two digits a byte, in lower case.
    package static func text(of bytes: [UInt8]) -> String {
        text(of: bytes, ten: UInt8(ascii: "a"))
    }

    /// 8-4-4-4-12 digits in upper case, as Foundation prints a UUID.
    package static func uuidText(of bytes: [UInt8]) -> String {
        text(of: bytes, ten: UInt8(ascii: "A"), hyphensBefore: [4, 6, 8, 10])
    }

    /// Whether a text is such a one, in either letter case.
    package static func isUUID(_ text: some Collection<UInt8>) -> Bool {
        text.count == 36
            && text.enumerated().allSatisfy { place, byte in
                switch place {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                default: digit(byte) != nil
                }
            }
    }

    /// - Parameters:
    ///   - ten: the digit for ten, `a` or `A`.
    ///   - hyphensBefore: the indices of bytes.
    private static func text(of bytes: [UInt8], ten: UInt8, hyphensBefore: [Int] = []) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count + hyphensBefore.count) { text in
            var count = 0
            for (index, byte) in bytes.enumerated() {
                if hyphensBefore.contains(index) {
                    text[count] = UInt8(ascii: "-")
                    count += 1
                }
                for digit in [byte >> 4, byte & 0xF] {
                    text[count] = digit < 10 ? UInt8(ascii: "0") + digit : ten + digit - 10
                    count += 1
                }
            }
            return count
        }
    }

    /// The bytes of such a text, in either letter case; nil for anything else.
    package static func bytes(of text: String) -> [UInt8]? {
        let text = Array(text.utf8)
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        for index in stride(from: 0, to: text.count, by: 2) {
            guard let high = digit(text[index]), let low = digit(text[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Four digits a code unit, in lower case.
    package static func text(ofUTF16 units: [UInt16]) -> String {
        text(of: units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    }

    /// The code units of such a text, in either letter case; nil for anything else.
    package static func utf16(of text: String) -> [UInt16]? {
        guard let bytes = bytes(of: text), bytes.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    }

    /// The value of a digit in upper case; nil for anything else.
    static func upperCaseDigit(_ byte: UInt8) -> UInt8? {
        byte < UInt8(ascii: "a") ? digit(byte) : nil
    }

    /// The value of a digit, in either letter case; nil for anything else.
    package static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
