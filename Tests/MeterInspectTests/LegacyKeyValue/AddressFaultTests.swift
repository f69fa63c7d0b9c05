import MeterModel
import MeterTestSupport
import Testing

@Suite("a text that should be an address")
struct AddressFaultTests {
    private static let kitchen = "A4:C1:38:0B:7E:21"

    @Test(
        "is told what is wrong with it, and what may be meant",
        arguments: [
            ("6F1E2C3A-9B84-4D57-A0C1-5E7D92B3F014", "Core Bluetooth's identifier", nil),
            ("А4:С1:38:0В:7Е:21", "Cyrillic letters that only look like A, C, B, E", kitchen),
            ("Α4:C1:38:0Β:7Ε:21", "Greek letters", kitchen),
            ("Ａ４：Ｃ１：３８：０Ｂ：７Ｅ：２１", "full-width", kitchen),
            ("A4:C1:38:0B:7E:٢١", "digits of another script", kitchen),
            ("A4:C1:38:0B:7E:\u{200B}21", "nobody sees (U+200B)", kitchen),
            ("A4–C1–38–0B–7E–21", "– stands in place of colons", kitchen),
            ("A4_C1_38_0B_7E_21", "_ stands in place of colons", kitchen),
            ("A4:C1:38:OB:7E:2l", "the letter O for a 0 and the letter l for a 1", kitchen),
            ("A4:C1:38:B:7E:21", "the zero in front of B is missing", kitchen),
            ("A4:C1-38:0B:7E:21", "neither colons nor hyphens throughout", kitchen),
            ("A4 C1 38 0B 7E 21", "neither colons nor hyphens throughout", kitchen),
            ("A4:C1:38:éB:7E:21", "é is no hex digit", nil),
            ("A4:C1:38:0B:7E", "5 pairs of digits; an address has 6", nil),
            ("A4:C1:38:0B:7E:21:00", "7 pairs of digits; an address has 6", nil),
            ("A4C1380B7E2", "11 hex digits; an address has 12", nil),
            ("A4:C1:38:0B:7E:21 (Bench)", "text behind the address", kitchen),
            ("MAC A4:C1:38:0B:7E:21", "text in front of the address", kitchen),
            ("<a4c1380b7e21>", "text around the address", kitchen),
            ("A4:C1:38:0X:7E:21", "X is no hex digit", nil),
            ("A4:C1:38:0B:XY:WX", "X, Y and W are no hex digits", nil),
            ("x1A4C1380B7E21", "x is no hex digit", nil),
            ("", "there is no address", nil),
        ] as [(String, String, String?)])
    func faults(_ text: String, _ words: String, _ meant: String?) throws {
        let fault = try #require(AddressFault(in: text))
        #expect(fault.words.contains(words), "\(fault.words)")
        #expect(fault.meant?.text(in: .upper) == meant)
        #expect(meant.map { fault.hint(in: .lower).hasSuffix("; \($0.lowercased()) may be meant") } ?? true)
        #expect(meant.map { _ in MACAddress.guesses(from: text).contains(fault.meant!) } ?? true)
    }

    @Test("is no fault where it is one, and says nothing where it is something else")
    func none() {
        for text in [Self.kitchen, " a4c1380b7e21 ", "A4C1.380B.7E21", "Kitchen charger", "x", "the old one"] {
            #expect(AddressFault(in: text) == nil, "\(text)")
        }
    }

    @Test("never traps, and means an address only where there is one", arguments: LawSeeds.first(40))
    func law(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "A4", ":", "C1", "38", "-", "0B", "7E", "21", "О", "o", " ", "４", "–", "\u{200B}", "x", "0", ".", "é",
        ]
        for _ in 0..<50 {
            let text = (0..<Int.random(in: 0...14, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            let fault = AddressFault(in: text)
            #expect(fault == nil || MACAddress.parse(text) == nil, "seed \(seed): \(text)")
            #expect(fault.map { !$0.words.isEmpty } ?? true, "seed \(seed): \(text)")
            _ = MACAddress.guesses(from: text)
        }
    }

    @Test("has the bytes of another one in reverse")
    func reversed() throws {
        let address = try #require(MACAddress.parse(Self.kitchen)).address
        #expect(address.reversed.text(in: .upper) == "21:7E:0B:38:C1:A4" && address.reversed.reversed == address)
    }
}
