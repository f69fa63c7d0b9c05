import Testing
import Texts

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
