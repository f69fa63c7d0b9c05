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

    @Test("counts a byte, whatever is beside it", arguments: 0..<70)
    func count(_ length: Int) {
        let bytes = (0..<length).map { [0x0A, 0x0B, 0x8A, 0x0A, 0x00, 0xFF, 0x0A][$0 * $0 % 7] as UInt8 }
        for byte: UInt8 in [0x0A, 0x00, 0x8A, 0x0C] {
            let found = bytes.withUnsafeBufferPointer { ByteSearch.count(of: byte, in: $0) }
            #expect(found == bytes.count { $0 == byte })
        }
    }
}
