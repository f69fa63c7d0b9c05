import Testing

@testable import CoreDataStore

@Suite("a filter of words")
struct WordFilterTests {
    private static func places(_ text: String, _ filter: WordFilter) -> [Int?] {
        Array(text.utf8).withUnsafeBufferPointer(filter.places)
    }

    /// The bits of the groups that have a word in a text.
    private static func words(_ text: String, _ filter: WordFilter) -> UInt64 {
        places(text, filter).enumerated().reduce(0) { $0 | ($1.element == nil ? 0 : 1 << UInt64($1.offset)) }
    }

    @Test("finds each word that is there, wherever it is, and none that is not", arguments: 0..<20)
    func places(_ start: Int) {
        let filter = WordFilter([["CKError"], ["Domain", "domains"]])
        let before = String(repeating: "x", count: start)
        for (text, bits) in [
            ("CKError", 1), ("Domain", 2), ("CKErrorDomain", 3), ("domains", 2), ("KErro Domai", 0), ("ckerror", 0),
            ("Domain CKErrorCKError", 3),
        ] as [(String, UInt64)] {
            #expect(Self.words(before + text, filter) == bits, "\(text)")
            #expect(Self.words(before + text + "………", filter) == bits, "\(text)")
            #expect(Self.words(before + text.dropLast() + "\u{0}", filter) & ~bits == 0, "\(text)")
        }
    }

    @Test("finds words that share a place, or are one in the other, and tells them apart by their groups")
    func shared() {
        let filter = WordFilter([["final decision"], ["final"], ["al dec"]])
        #expect(Self.words("a final decision", filter) == 7)
        #expect(Self.places("a final decision", filter) == [2, 2, 5])
        #expect(Self.words("a final day", filter) == 2)
        #expect(Self.words("al decl", filter) == 4)
    }

    @Test("finds what a plain search finds", arguments: 1..<200)
    func random(_ seed: UInt64) {
        var state = seed
        let words = (Int(seed) % 6 + 4..<11).map { Self.letters($0, &state) }
        let text = Self.letters(Int(seed), &state)
        let wanted = words.map {
            text.firstRange(of: $0).map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) }
        }
        let found = Self.places(text, WordFilter(words.map { [$0] }))
        #expect(found == (wanted.allSatisfy { $0 == nil } ? [] : wanted), "\(text)")
    }

    /// As good as random ones.
    private static func letters(_ count: Int, _ state: inout UInt64) -> String {
        String(
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return ["a", "b", "c"][Int(state >> 33) % 3] as Character
            })
    }

    @Test("finds the first of long words, of which it looks at some places only", arguments: 1..<200)
    func long(_ seed: UInt64) {
        var state = seed
        let text = Array(Self.letters(Int(seed), &state).utf8)
        // Half of the words are there, one of them at the end.
        let there = (7..<12).map { text.suffix(Int(seed) % 40 + $0).prefix($0) }.filter { $0.count >= 7 }
        let words = there.map { String(decoding: $0, as: UTF8.self) } + (7..<12).map { Self.letters($0, &state) }
        let filter = WordFilter(words.map { [$0] })
        text.withUnsafeBufferPointer { text in
            for start in 0...text.count {
                let rest = Array(text[start...])
                let hasOne = words.contains { word in
                    rest.indices.contains { rest[$0...].starts(with: word.utf8) }
                }
                let found = filter.firstWord(in: text, from: start)
                #expect((found != nil) == hasOne)
                guard let found else { continue }
                #expect(found.place >= start && text[found.place...].starts(with: words[found.group].utf8))
            }
        }
    }

    @Test("can take capital letters for small ones")
    func capitals() {
        let filter = WordFilter([["policy"]], ignoresCase: true)
        #expect(Self.words("Activity Group POLICY", filter) == 1)
        #expect(Self.words("Activity Group P[LICY", filter) == 0)
    }

    @Test("says where the first word is, and which one")
    func first() {
        let filter = WordFilter([["<CKError"], ["Domain"]])
        let text = Array("an Error Domain=CKErrorDomain <CKError".utf8)
        text.withUnsafeBufferPointer { text in
            #expect(filter.firstWord(in: text, from: 0)?.place == 9)
            #expect(filter.firstWord(in: text, from: 10)?.place == 23)
            #expect(filter.firstWord(in: text, from: 24)?.group == 0)
            #expect(filter.firstWord(in: text, from: 31) == nil)
        }
    }
}
