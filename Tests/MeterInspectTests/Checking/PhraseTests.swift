import Testing

@testable import MeterInspect

@Suite("a phrase")
struct PhraseTests {
    @Test("uses the singular only for one")
    func count() {
        #expect([0, 1, 2].map { Phrase.count($0, "record") } == ["0 records", "1 record", "2 records"])
    }

    @Test("lists none, one, two and more words")
    func list() {
        #expect(Phrase.list([]).isEmpty)
        #expect(Phrase.list(["a"]) == "a")
        #expect(Phrase.list(["a", "b"]) == "a and b")
        #expect(Phrase.list(["a", "b", "c"]) == "a, b and c")
    }

    @Test("shortens a list that is longer than its limit, and no other")
    func start() {
        #expect(Phrase.start(of: ["a", "b"], limit: 2) == "a and b")
        #expect(Phrase.start(of: ["a", "b", "c"], limit: 2) == "a, b and 1 more")
        #expect(Phrase.start(of: ["a", "b", "c", "d", "e"]) == "a, b, c, d and e")
    }
}
