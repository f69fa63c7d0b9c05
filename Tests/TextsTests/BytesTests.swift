import Testing
import Texts

@Suite("the search for bytes in a text")
struct ByteSearchTests {
    @Test(
        "finds the first place, or none",
        arguments: [
            ("", "", 0), ("a", "", 0), ("", "a", nil), ("abc", "abc", 0), ("aab", "ab", 1), ("aaab", "aab", 1),
            ("abab", "abb", nil), ("x, y , z", " , ", 4), ("VARCHAR", "CHAR", 3), ("INTEGER", "INT", 0),
            ("ab", "abc", nil), ("naïve", "ï", 2),
            // As bytes: another way to encode the accent, and a letter without the accent behind it.
            ("nai\u{308}ve", "ï", nil), ("e\u{301}", "e", 0),
        ] as [(String, String, Int?)])
    func first(text: String, part: String, offset: Int?) {
        let found = text.utf8.firstIndex(of: part.utf8)
        #expect(found.map { text.utf8.distance(from: text.utf8.startIndex, to: $0) } == offset)
        #expect(text.utf8.contains(part.utf8) == (offset != nil))
    }

    @Test("finds what is not of ASCII, or another byte, wherever it is", arguments: 0..<200)
    func beyondASCII(_ place: Int) {
        for odd: UInt8 in [0x26, 0x80, 0xC2, 0xFF] {
            var bytes = [UInt8](repeating: 0x7F, count: 200)
            func found(from start: Int) -> Int? {
                bytes.withUnsafeBufferPointer {
                    ByteSearch.firstIndexBeyondASCII(or: 0x26, in: $0, from: start)
                }
            }
            #expect(found(from: 0) == nil)
            bytes[place] = odd
            #expect(found(from: 0) == place && found(from: place) == place && found(from: place + 1) == nil)
        }
    }

    @Test("counts a byte, whatever is beside it", arguments: 0..<70)
    func count(_ length: Int) {
        let bytes = (0..<length).map { [0x0A, 0x0B, 0x8A, 0x0A, 0x00, 0xFF, 0x0A][$0 * $0 % 7] as UInt8 }
        for byte: UInt8 in [0x0A, 0x00, 0x8A, 0x0C] {
            let found = bytes.withUnsafeBufferPointer { ByteSearch.count(of: byte, in: $0) }
            #expect(found == bytes.count { $0 == byte })
        }
    }
}

@Suite("The order of bytes")
struct ByteOrderTests {
    private static let texts = [
        "", "a", "b", "A", "aa", "ab", "é", "e\u{301}", "e", "f", "z", "\u{0}", "a\u{0}", "\u{FFFF}", "\u{10000}", "名前",
        "a name that is longer than what a small text holds", "a name that is longer than what a small text has",
    ]

    @Test("is that of UTF-8, for any two texts", arguments: texts)
    func order(_ left: String) {
        for right in Self.texts {
            #expect(left.isBefore(bytesOf: right) == left.utf8.lexicographicallyPrecedes(right.utf8), "\(right)")
        }
    }

    @Test("is of what counts of a byte, for a shorter text and a longer one too")
    func folded() {
        let upper: (UInt8) -> UInt8 = { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        #expect("ab".order(byBytesOf: "AB", upper) == 0 && "ab".order(byBytesOf: "AB") > 0)
        #expect("aB".order(byBytesOf: "AC", upper) < 0 && "b".order(byBytesOf: "AC", upper) > 0)
        #expect("a".order(byBytesOf: "AB", upper) < 0 && "ab".order(byBytesOf: "A", upper) > 0)
    }

    @Test("sorts by a text of each element")
    func sorted() {
        let sorted = Self.texts.reversed().sorted(byBytesOf: \.self)
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect([("b", 1), ("a", 2)].sorted(byBytesOf: \.0).map(\.1) == [2, 1])
    }
}
