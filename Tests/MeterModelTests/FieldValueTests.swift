import MeterModel
import Testing

@Suite struct FieldValueTests {
    @Test(
        "numbers are equal by value, and hash alike",
        arguments: [
            (FieldValue.integer(3), FieldValue.real(3)), (.integer(0), .real(-0.0)), (.real(0), .real(-0.0)),
            (.integer(-978_307_200), .real(-978_307_200)), (.integer(.min), .real(-9_223_372_036_854_775_808)),
            (.integer(1 << 53), .real(9_007_199_254_740_992)),
        ])
    func equalNumbers(one: FieldValue, other: FieldValue) {
        #expect(one == other)
        #expect(other == one)
        #expect(one.hashValue == other.hashValue)
    }

    @Test(
        "values with different bytes are different",
        arguments: [
            (FieldValue.integer(3), FieldValue.real(3.5)), (.integer(.max), .real(9_223_372_036_854_775_808)),
            (.integer((1 << 53) + 1), .real(9_007_199_254_740_992)), (.integer(0), .null), (.text(""), .null),
            (.blob([]), .null), (.text("3"), .integer(3)), (.text("a"), .blob([0x61])),
            (.text("a"), .malformedText([0x61])), (.blob([0xFF]), .malformedText([0xFF])), (.text("a"), .text("A")),
            (.text("a"), .text("a ")), (.text("K\u{FC}"), .text("Ku\u{308}")), (.text("\u{212B}"), .text("\u{C5}")),
            (.text("a"), .text("a\0")), (.integer(1), .real(.infinity)),
        ])
    func differentBytes(one: FieldValue, other: FieldValue) {
        #expect(one != other)
        #expect(other != one)
    }

    @Test("text that only looks alike is two values in a set")
    func canonicalEquivalence() {
        #expect(Set<FieldValue>([.text("K\u{FC}"), .text("Ku\u{308}"), .text("K\u{FC}")]).count == 2)
        #expect(Set<FieldValue>([.integer(2), .real(2), .real(2.5)]).count == 2)
    }

    @Test(
        "NULL, no bytes and a text in which nobody sees anything are empty",
        arguments: [
            FieldValue.null, .text(""), .text(" "), .text("\t\r\n"), .text("\u{A0}\u{2003}\u{3000}\u{85}"), .blob([]),
            .malformedText([]), .text("\u{200B}"), .text(" \u{FEFF}"), .text("\u{3164}\u{2800}\u{AD}"),
            .text("\0"), .text("\u{1B} \u{9C}\u{7F}"), .text("\u{FFFE}"),
        ])
    func emptyValues(value: FieldValue) {
        #expect(value.isEmpty)
    }

    @Test(
        "anything else is something",
        arguments: [
            FieldValue.integer(0), .real(0), .text("0"), .text(" x "), .text("a\0"), .text(" \u{301}"),
            .text("\u{200B}x"), .blob([0x20]), .malformedText([0xFF]),
        ])
    func notEmpty(value: FieldValue) {
        #expect(!value.isEmpty)
        #expect(!value.isNull)
    }

    @Test("only numbers are dates")
    func timestamps() {
        #expect(FieldValue.integer(7).timestamp == Timestamp(secondsSince2001: 7))
        #expect(FieldValue.real(7.5).timestamp == Timestamp(secondsSince2001: 7.5))
        for value in [FieldValue.null, .text("7"), .blob([7]), .malformedText([7])] { #expect(value.timestamp == nil) }
    }

    @Test("text and blobs have bytes, numbers and NULL have none")
    func bytes() {
        #expect(FieldValue.text("\u{E9}").bytes == [0xC3, 0xA9])
        #expect(FieldValue.text("").bytes == [])
        #expect(FieldValue.blob([1, 2]).bytes == [1, 2])
        #expect(FieldValue.malformedText([0xFF]).bytes == [0xFF])
        for value in [FieldValue.null, .integer(1), .real(1)] { #expect(value.bytes == nil) }
    }

    @Test(
        "texts read alike but for letter case, normalisation and the white space around them",
        arguments: [
            ("K\u{E4}sekuchen", "Ka\u{308}sekuchen", true), ("lab", "Lab ", true),
            ("\u{C9}TABLI", "e\u{301}tabli", true),
            ("Stra\u{DF}e", "STRASSE", true),
            (
                "\u{3A3}\u{3AF}\u{3C3}\u{3C5}\u{3C6}\u{3BF}\u{3C2}",
                "\u{3A3}\u{38A}\u{3A3}\u{3A5}\u{3A6}\u{39F}\u{3A3}", true
            ), ("\tLab\u{A0}", "lab", true),
            ("Lab 1", "Lab 2", false), ("L ab", "Lab", false), ("Lab", "L\u{E4}b", false), ("o", "0", false),
        ] as [(String, String, Bool)])
    func readsLike(one: String, other: String, expected: Bool) {
        #expect(FieldValue.text(one).readsLike(.text(other)) == expected)
        #expect(FieldValue.text(other).readsLike(.text(one)) == expected)
    }

    @Test("what is no text reads like its equal alone")
    func readsLikeOtherValues() {
        #expect(FieldValue.integer(1).readsLike(.real(1)) && !FieldValue.null.readsLike(.text("")))
        #expect(!FieldValue.blob(Array("lab".utf8)).readsLike(.text("lab")))
    }

    @Test(
        "a unit that the app does not know is no value to it, and a name of white space neither",
        arguments: [
            ("celsius", true), ("Celsius", false), ("Kelvin", false), ("", false),
        ])
    func usableUnits(unit: String, expected: Bool) {
        #expect(FieldValue.text(unit).isUsable(as: .tc66TemperatureUnit) == expected)
        #expect(
            FieldValue.text(unit).isUsable(as: .meterName) == !unit.isEmpty
                && !FieldValue.text(" ").isUsable(as: .meterName))
    }
}
