import Testing

@testable import Answer

@Suite("the width of text on a terminal")
struct DisplayWidthTests {
    @Test(
        "counts columns of characters as a reader sees them",
        arguments: [
            ("", 0), ("Kitchen", 7), ("Зарядка", 7), ("机架电源", 8), ("ｱ", 1), ("Ａ", 2), ("、", 2), ("한글", 4),
            ("e\u{301}", 1), ("\u{1100}\u{1161}\u{11A8}", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🇷🇴", 2), ("☎", 1), ("☎\u{FE0F}", 2),
            ("1\u{FE0F}\u{20E3}", 2), ("\u{200B}", 0), ("a\u{200D}b", 2), ("⌚", 2), ("䷀", 1), ("\u{20000}", 2),
            ("–…→", 3),
        ])
    func columns(_ text: String, _ width: Int) { #expect(DisplayWidth.of(text) == width, "\(text)") }

    @Test("decides where a text is cut, which is never in the middle of a character")
    func cut() {
        #expect(DisplayWidth.cut("机架电源", to: 8) == "机架电源")
        #expect(DisplayWidth.cut("机架电源", to: 7) == "机架电…")
        #expect(DisplayWidth.cut("机架电源", to: 6) == "机架…")
        #expect(DisplayWidth.cut("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", to: 3) == "👩‍👩‍👧‍👦…")
        #expect(DisplayWidth.cut("Kitchen charger", to: 8) == "Kitchen…")
    }
}
