import MeterTestSupport
import Testing

@testable import MeterModel

@Suite struct MACAddressTests {
    typealias Notation = MACAddress.Notation

    @Test(
        "twelve hex digits are an address, in every accepted notation",
        arguments: [
            ("AABBCCDDEEFF", Notation(separator: .none, letters: .upper, isPadded: false)),
            ("aabbccddeeff", Notation(separator: .none, letters: .lower, isPadded: false)),
            ("AaBbCcDdEeFf", Notation(separator: .none, letters: .mixed, isPadded: false)),
            ("AA:BB:CC:DD:EE:FF", Notation(separator: .colons, letters: .upper, isPadded: false)),
            ("aa:bb:cc:dd:ee:ff", Notation(separator: .colons, letters: .lower, isPadded: false)),
            ("aa:bb:cc:dd:ee:FF", Notation(separator: .colons, letters: .mixed, isPadded: false)),
            ("AA-BB-CC-DD-EE-FF", Notation(separator: .hyphens, letters: .upper, isPadded: false)),
            ("aa-bb-cc-dd-ee-ff", Notation(separator: .hyphens, letters: .lower, isPadded: false)),
            ("AABB.CCDD.EEFF", Notation(separator: .dots, letters: .upper, isPadded: false)),
            ("aabb.ccdd.eeff", Notation(separator: .dots, letters: .lower, isPadded: false)),
            (" \taa:bb:cc:dd:ee:ff\r\n", Notation(separator: .colons, letters: .lower, isPadded: true)),
            ("\u{A0}AA:BB:CC:DD:EE:FF", Notation(separator: .colons, letters: .upper, isPadded: true)),
            ("AABB.CCDD.EEFF\u{2003}", Notation(separator: .dots, letters: .upper, isPadded: true)),
            ("\u{3000}\u{85} AABBCCDDEEFF \u{2028}\u{A0}", Notation(separator: .none, letters: .upper, isPadded: true)),
        ])
    func acceptedNotations(text: String, notation: Notation) throws {
        let parsed = try #require(MACAddress.parse(text))
        #expect(parsed.address == meter)
        #expect(parsed.notation == notation)
    }

    @Test(
        "anything else is not an address",
        arguments: [
            "", " ", "\u{A0}", "A", "AABBCCDDEEF", "AABBCCDDEEFF0", "AABBCCDDEEFG", "xAABBCCDDEEF",
            "AA:BB:CC:DD:EE", "AA:BB:CC:DD:EE:FF:00", "AA:BB:CC:DD:EE:F", "AA:BB:CC:DD:EE:FF:", ":AA:BB:CC:DD:EE:FF",
            "AA:BB:CC:DD:EE-FF", "AA-BB:CC:DD:EE:FF", "AA-BB-CC-DD-EE:FF", "AA.BB.CC.DD.EE.FF", "AABB:CCDD:EEFF",
            "AABB-CCDD-EEFF", "AABB.CCDD:EEFF", "AABB.CCDDEEFF", "AABBCC.DDEEFF", "AAB.BCC.DDE.EFF", "AABBCC-DDEEFF",
            "AABBCC:DDEEFF", "AA BB CC DD EE FF", "AA: BB:CC:DD:EE:F", "AA:BB:CC:DD:EE: F", "AABBCC DDEEFF",
            "AABBCC\u{A0}DDEE", "A:BB:CC:DD:EE:FFF", "AA::BB:CC:DD:EEFF", "0xAABBCCDDEEFF", "AA:BB:CC:DD:EE:FF junk",
            "AA:BB:CC:DD:EE:FF\0", "\0AABBCCDDEEFF", "AA:BB:CC:DD:EE:FF\u{200B}", "\u{FEFF}AA:BB:CC:DD:EE:FF",
            "ＡＡ:ＢＢ:ＣＣ:ＤＤ:ＥＥ:ＦＦ", "１１２２３３４４５５６６", "１１２２", "AA:BB:CC:DD:EE:F\u{301}",
            "AA\u{FF1A}BB:CC:DD:EE:F", "+ABBCCDDEEFF0", "-ABBCCDDEEFF", "::::::::::::", "............", "nil", "(null)",
        ])
    func notAnAddress(text: String) {
        #expect(MACAddress.parse(text) == nil)
    }

    @Test("every character of Unicode's White_Space around an address is ignored, and no other")
    func whiteSpaceAround() {
        for number in UInt32(0)...0x3100 {
            guard let scalar = Unicode.Scalar(number), number < 0x30 || number > 0x7F else { continue }
            let isWhiteSpace = scalar.properties.isWhitespace
            for text in ["\(scalar)AABBCCDDEEFF", "AA:BB:CC:DD:EE:FF\(scalar)\(scalar)"]
            where (MACAddress.parse(text) != nil) != isWhiteSpace {
                Issue.record("U+\(String(number, radix: 16))")
            }
        }
    }

    @Test("bytes that are not UTF-8 are not an address")
    func notUTF8() {
        let address = Array("AABBCCDDEEFF".utf8)
        for junk: [UInt8] in [[0x80], [0xA0], [0xC2], [0xE2, 0x80], [0xFF], [0x83], [0xC2, 0xA0, 0xA0]] {
            (junk + address).withUnsafeBufferPointer { #expect(MACAddress.parse(utf8: $0) == nil) }
            (address + junk).withUnsafeBufferPointer { #expect(MACAddress.parse(utf8: $0) == nil) }
        }
    }

    @Test("canonical text is six pairs with colons in the requested letter case")
    func canonicalText() {
        #expect(meter.text(in: .upper) == "AA:BB:CC:DD:EE:FF")
        #expect(meter.text(in: .lower) == "aa:bb:cc:dd:ee:ff")
        #expect(MACAddress(bits: 0x0123_4567_89AB).text(in: .upper) == "01:23:45:67:89:AB")
        #expect(MACAddress(bits: 1).text(in: .lower) == "00:00:00:00:00:01")
    }

    @Test("only 48 bits count")
    func lowBits() {
        #expect(MACAddress(bits: 0xFFFF_AABB_CCDD_EEFF) == meter)
    }

    @Test("addresses order by their bits")
    func order() {
        #expect(MACAddress(bits: 0xFF) < MACAddress(bits: 0x100))
        #expect(MACAddress(bits: 0x7FFF_FFFF_FFFF) < MACAddress(bits: 0x8000_0000_0000))
    }

    @Test("canonical text read and written again is the same, whatever the notation was")
    func canonicalTextRoundTrip() {
        for seed in UInt64(0)..<1_000 {
            var random = SeededGenerator(seed: seed)
            let address = MACAddress(bits: random.next())
            let text = random.text(of: address)
            guard let parsed = MACAddress.parse(text), parsed.address == address else {
                Issue.record("seed \(seed): \(text)")
                return
            }
            for letterCase in LetterCase.allCases {
                let text = parsed.address.text(in: letterCase)
                guard let again = MACAddress.parse(text), again.address.text(in: letterCase) == text,
                    again.notation.isCanonical(in: letterCase)
                else {
                    Issue.record("seed \(seed): \(text)")
                    return
                }
            }
        }
    }

    @Test("the three placeholders stand for no address", arguments: [UInt64(0), 0xFFFF_FFFF_FFFF, 0x0200_0000_0000])
    func placeholders(bits: UInt64) {
        #expect(MACAddress(bits: bits).isPlaceholder)
    }

    @Test(
        "a neighbour of a placeholder is an address like any other",
        arguments: [UInt64(1), 0xFFFF_FFFF_FFFE, 0x0200_0000_0001, 0x0300_0000_0000, 0x0000_0200_0000])
    func neighboursOfPlaceholders(bits: UInt64) {
        #expect(!MACAddress(bits: bits).isPlaceholder)
    }

    @Test("text is canonical if it equals the canonical text")
    func isCanonical() {
        for seed in UInt64(0)..<1_000 {
            var random = SeededGenerator(seed: seed)
            let address = random.oneIn(4) ? MACAddress(bits: 0x1122_3344_5566) : MACAddress(bits: random.next())
            let text = random.text(of: address)
            for letterCase in LetterCase.allCases {
                let isCanonical = MACAddress.parse(text)?.notation.isCanonical(in: letterCase)
                guard isCanonical == (text == address.text(in: letterCase)) else {
                    Issue.record("seed \(seed): \(text) in \(letterCase)")
                    return
                }
            }
        }
    }
}
