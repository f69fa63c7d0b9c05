import Testing

@testable import MeterModel

@Suite struct LetterCaseTests {
    private func count(_ texts: [String]) -> LetterCaseCount {
        var count = LetterCaseCount()
        for text in texts {
            if let parsed = MACAddress.parse(text) { count.count(parsed.notation) }
        }
        return count
    }

    @Test("a store whose addresses do not tell uses upper case")
    func undecided() {
        #expect(count([]).letterCase == .upper)
        #expect(count(["11:22:33:44:55:66"]).letterCase == .upper)
    }

    @Test("more lower than upper is lower case")
    func lower() {
        #expect(count(["aa:bb:cc:dd:ee:01", "aa:bb:cc:dd:ee:02", "AA:BB:CC:DD:EE:03"]).letterCase == .lower)
        #expect(count(["aa:bb:cc:dd:ee:01"]).letterCase == .lower)
    }

    @Test("more upper than lower is upper case")
    func upper() {
        #expect(count(["aa:bb:cc:dd:ee:01", "AA:BB:CC:DD:EE:02", "AA:BB:CC:DD:EE:03"]).letterCase == .upper)
    }

    @Test("as many of one as of the other is upper case")
    func tie() {
        #expect(count(["aa:bb:cc:dd:ee:01", "AA:BB:CC:DD:EE:02"]).letterCase == .upper)
    }

    @Test("an address with white space around it counts")
    func padded() {
        let count = count([" aa:bb:cc:dd:ee:01", "AA:BB:CC:DD:EE:02\u{A0}", "\naa:bb:cc:dd:ee:03\t"])
        #expect(count.lower == 2)
        #expect(count.upper == 1)
    }

    @Test("one letter is enough to count")
    func oneLetter() {
        #expect(count(["11:22:33:44:55:6f"]).lower == 1)
        #expect(count(["11:22:33:44:55:6F"]).upper == 1)
    }

    @Test(
        "mixed letters, no letters and other separators do not count",
        arguments: [
            "aa:bb:cc:dd:ee:FF", "11:22:33:44:55:66", "aabbccddeeff", "AABBCCDDEEFF", "aa-bb-cc-dd-ee-ff",
            "AABB.CCDD.EEFF",
        ])
    func notCounted(text: String) {
        #expect(count([text]) == LetterCaseCount())
    }

    @Test("canonical is colons, no white space, and letters in the one case or none")
    func canonical() {
        typealias Notation = MACAddress.Notation
        let upper = Notation(separator: .colons, letters: .upper, isPadded: false)
        #expect(upper.isCanonical(in: .upper))
        #expect(!upper.isCanonical(in: .lower))
        let lower = Notation(separator: .colons, letters: .lower, isPadded: false)
        #expect(lower.isCanonical(in: .lower))
        #expect(!lower.isCanonical(in: .upper))
        for letterCase in LetterCase.allCases {
            #expect(Notation(separator: .colons, letters: .none, isPadded: false).isCanonical(in: letterCase))
            #expect(!Notation(separator: .colons, letters: .none, isPadded: true).isCanonical(in: letterCase))
            #expect(!Notation(separator: .colons, letters: .mixed, isPadded: false).isCanonical(in: letterCase))
            for separator in [Notation.Separator.none, .hyphens, .dots] {
                #expect(!Notation(separator: separator, letters: .none, isPadded: false).isCanonical(in: letterCase))
            }
        }
    }
}
