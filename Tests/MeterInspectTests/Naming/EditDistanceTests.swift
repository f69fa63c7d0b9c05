import MeterInspect
import Testing

@Suite("the distance between two texts")
struct EditDistanceTests {
    @Test(
        "counts what is missing, added, replaced and swapped",
        arguments: [
            ("", "", 0), ("kitchen", "kitchen", 0), ("kitchen", "kitchn", 1), ("kitchn", "kitchen", 1),
            ("kitchen", "kitcehn", 1), ("kitchen", "mitchen", 1), ("", "abc", 3), ("abc", "", 3),
            ("verfy", "verify", 1),
            ("ab", "ba", 1), ("kitten", "sitting", 3), ("a cat", "an act", 2),
        ])
    func distance(one: String, other: String, distance: Int) {
        #expect(one.editDistance(to: other, limit: 9) == distance)
        #expect(one.editDistance(to: other, limit: distance) == distance)
        #expect(other.editDistance(to: one, limit: distance - 1) == nil)
    }
}
