internal import MeterModel

/// A UUID as text: 8-4-4-4-12 hex digits.
struct UUIDText {
    /// 16.
    let bytes: [UInt8]
    private let hasUpper: Bool
    private let hasLower: Bool

    /// Nil for other text.
    init?(_ text: [UInt8]) {
        guard text.count == 36, Self.hyphens.allSatisfy({ text[$0] == UInt8(ascii: "-") }) else { return nil }
        let digits = text.indices.filter { !Self.hyphens.contains($0) }.map { text[$0] }
        guard let bytes = Hexadecimal.bytes(of: String(decoding: digits, as: UTF8.self)) else { return nil }
        self.bytes = bytes
        hasUpper = digits.contains { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
        hasLower = digits.contains { (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
    }

    /// Another UUID in the same letter case.
    /// - Parameter pattern: 32 bytes; decide which letters are in upper case where the letter cases are mixed.
    func text(of other: [UInt8], pattern: [UInt8]) -> [UInt8] {
        Self.bytes(of: other).enumerated().map { index, byte in
            guard byte >= UInt8(ascii: "A") else { return byte }
            let isLower = hasLower && (!hasUpper || pattern[index % pattern.count] & 1 == 0)
            return isLower ? byte | 0x20 : byte
        }
    }

    /// The text of a UUID in upper case.
    static func bytes(of uuid: [UInt8]) -> [UInt8] { Array(Hexadecimal.uuidText(of: uuid).utf8) }

    private static let hyphens = [8, 13, 18, 23]
}

/// Numbers as words that can be said: sixteen bits are five letters, consonants and vowels in turn.
/// (D. S. Wilkerson, "A Proposal for Proquints", 2009.)
enum Proquint {
    private static let consonants = Array("bdfghjklmnprstvz".utf8)
    private static let vowels = Array("aiou".utf8)

    /// Four words with hyphens between them, such as `lusab-babad-gutih-tugad`.
    static func text(of number: UInt64) -> [UInt8] {
        Array(
            (0..<4).map { word(UInt16(truncatingIfNeeded: number >> UInt64(48 - 16 * $0))) }.joined(separator: [0x2D]))
    }

    private static func word(_ bits: UInt16) -> [UInt8] {
        func consonant(_ shift: UInt16) -> UInt8 { consonants[Int(bits >> shift & 0xF)] }
        func vowel(_ shift: UInt16) -> UInt8 { vowels[Int(bits >> shift & 0x3)] }
        return [consonant(12), vowel(10), consonant(6), vowel(4), consonant(0)]
    }
}
