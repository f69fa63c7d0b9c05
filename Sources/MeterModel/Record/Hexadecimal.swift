/// Bytes as text.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Two digits a byte, in lower case.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
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

    /// The number a digit stands for, in either letter case; nil for anything else.
    package static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
