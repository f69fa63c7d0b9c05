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
}
