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
