internal import MeterModel
internal import Texts

/// A part of a log, looked at where it is and only as long as it is there: what is kept is copied.
typealias LogPart = Slice<UnsafeBufferPointer<UInt8>>

/// Bytes of a log.
enum LogBytes {
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Whether it can be in a domain or a container.
    static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// The UUID with which a text begins.
    static func uuid(_ text: LogPart) -> String? {
        let text = text.prefix(36)
        guard text.count == 36 else { return nil }
        for (place, byte) in zip(0..., text) {
            let isHyphen = place == 8 || place == 13 || place == 18 || place == 23
            guard isHyphen ? byte == UInt8(ascii: "-") : Hexadecimal.digit(byte) != nil else { return nil }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a text begins like a shape, in which `0` is any digit.
    static func isShaped(_ text: some Collection<UInt8>, like shape: StaticString) -> Bool {
        var place = 0
        for byte in text.prefix(shape.utf8CodeUnitCount) {
            let wanted = shape.utf8Start[place]
            guard wanted == UInt8(ascii: "0") ? isDigit(byte) : byte == wanted else { return false }
            place += 1
        }
        return place == shape.utf8CodeUnitCount
    }

    /// Takes a number of up to 12 digits.
    static func takeNumber(_ rest: inout LogPart) -> Int64? {
        var digits = rest
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        let number = digits.prefix(while: isDigit)
        guard (1...12).contains(number.count) else { return nil }
        rest = rest[number.endIndex...]
        let value = number.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return isNegative ? -value : value
    }
}

/// Search for fixed words.
extension LogPart {
    func begins(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return false }
        var place = 0
        while place < length, base[startIndex + place] == text.utf8Start[place] { place += 1 }
        return place == length
    }

    func contains(_ text: StaticString) -> Bool { range(of: text) != nil }

    /// Where a text is for the first time; nil where it is not.
    func range(of text: StaticString) -> Range<Int>? {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard let place = ByteSearch.firstIndex(of: wanted, in: UnsafeBufferPointer(rebasing: self)) else { return nil }
        return startIndex + place..<startIndex + place + wanted.count
    }
}
