internal import MeterModel
internal import Texts

/// A part of a log, looked at where it is and only as long as it is there: what is kept is copied.
typealias LogPart = Slice<UnsafeBufferPointer<UInt8>>

extension UInt8 {
    /// Whether it can be in a domain or a container.
    var isOfWord: Bool {
        isDigit || (0x41...0x5A).contains(self & 0xDF) || self == UInt8(ascii: "_") || self == UInt8(ascii: ".")
    }
}

extension LogPart {
    /// Whether it begins with a text, in which `0` is any digit.
    func begins(_ shape: StaticString) -> Bool {
        let length = shape.utf8CodeUnitCount
        guard count >= length else { return false }
        for place in 0..<length {
            let (byte, wanted) = (base[startIndex + place], shape.utf8Start[place])
            guard byte == wanted || wanted == UInt8(ascii: "0") && byte.isDigit else { return false }
        }
        return true
    }

    /// Whether it speaks of an error; the mirror's name does not.
    var isAboutError: Bool {
        ([" error", "Error", "error:", "ailed", "ailure", "ecover"] as [StaticString]).contains { range(of: $0) != nil }
    }

    func contains(_ text: StaticString) -> Bool { range(of: text) != nil }

    /// What follows on a text, where that is for the first time; nil where it is not.
    func after(_ text: StaticString) -> LogPart? { range(of: text).map { self[$0.upperBound...] } }

    func range(of text: StaticString) -> Range<Int>? {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard let place = ByteSearch.firstIndex(of: wanted, in: UnsafeBufferPointer(rebasing: self)) else { return nil }
        return startIndex + place..<startIndex + place + wanted.count
    }

    /// It as text.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// The UUID with which it begins.
    var uuid: String? {
        let text = prefix(36)
        let isOne = text.indices.allSatisfy { index in
            switch index - startIndex {
            case 8, 13, 18, 23: text[index] == UInt8(ascii: "-")
            default: Hexadecimal.digit(text[index]) != nil
            }
        }
        return isOne && text.count == 36 ? text.text : nil
    }

    var withoutSpace: LogPart { drop { $0 == 0x20 } }

    /// Takes all up to the next space, and that space.
    mutating func takeWord() { self = drop { $0 != 0x20 }.withoutSpace }

    /// Takes a number of up to 12 digits.
    mutating func takeNumber() -> Int64? {
        let isNegative = first == UInt8(ascii: "-")
        let number = dropFirst(isNegative ? 1 : 0).prefix(while: \.isDigit)
        guard (1...12).contains(number.count) else { return nil }
        self = self[number.endIndex...]
        let value = number.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return isNegative ? -value : value
    }
}
