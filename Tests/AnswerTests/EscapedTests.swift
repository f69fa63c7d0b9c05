import Testing

@testable import Answer

@Suite("text that may be anybody's")
struct EscapedTests {
    @Test(
        "has its control characters, what turns its direction, what has no width and private characters made visible",
        arguments: [
            ("\u{1B}[2J", #"\u{1b}[2J"#), ("a\r\nb", #"a\u{d}\u{a}b"#), ("\u{7F}\u{85}\u{9B}", #"\u{7f}\u{85}\u{9b}"#),
            ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#), ("\u{202E}gnp\u{2066}", #"\u{202e}gnp\u{2066}"#),
            ("\u{61C}\u{200E}\u{200F}", #"\u{61c}\u{200e}\u{200f}"#),
            ("\u{E000}\u{F8FF}\u{100000}", #"\u{e000}\u{f8ff}\u{100000}"#),
            ("a\u{200B}b\u{FEFF}", #"a\u{200b}b\u{feff}"#), ("\u{2060}\u{2063}\u{206A}", #"\u{2060}\u{2063}\u{206a}"#),
            ("\u{AD}\u{34F}\u{180E}\u{3164}\u{FFA0}", #"\u{ad}\u{34f}\u{180e}\u{3164}\u{ffa0}"#),
            ("\u{FFF9}a\u{FFFB}\u{E0041}", #"\u{fff9}a\u{fffb}\u{e0041}"#),
        ])
    func unsafe(_ text: String, _ shown: String) {
        #expect(Escaped.text(text) == shown)
        #expect(Escaped.text(shown) == shown)
    }

    @Test(
        "is cut where it is longer than anybody reads, and says how long it is",
        arguments: [
            String(repeating: "Kitchen ", count: 250_000), String(repeating: "\u{202E}", count: 2_000_000),
            "e" + String(repeating: "\u{301}", count: 1_999_999), String(repeating: "葛", count: 2_000_000),
        ])
    func long(_ text: String) {
        let shown = Escaped.text(text)
        #expect(shown.unicodeScalars.count == 5_000)
        #expect(shown.hasSuffix("… (2000000 characters; --json has all of them)"))
        #expect(Escaped.text(shown) == shown)
        let ordinary = String(repeating: "K", count: 5_000)
        #expect(Escaped.text(ordinary) == ordinary)
    }

    @Test(
        "stays as it is otherwise",
        arguments: ["", "Kitchen ~", "Încărcător", "👩‍👩‍👧‍👦", "a\u{301}", "क्‍ष", "עברית", "می‌خواهم", "☀️", "葛\u{E0100}", "𠮷"])
    func safe(_ text: String) { #expect(Array(Escaped.text(text).utf8) == Array(text.utf8)) }
}
