/// What was replaced.
package struct RedactionTally: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case address, id, text, date, number, blob
    }

    /// How many values of each kind were replaced, the same ones as often as they are there.
    package private(set) var counts: [Kind: Int] = [:]
    /// How many values nobody could know to be harmless, by where they are.
    package private(set) var unknown: [String: Int] = [:]

    mutating func count(_ kind: Kind) { counts[kind, default: 0] += 1 }

    mutating func unknown(_ place: String) { unknown[place, default: 0] += 1 }
}
