/// What a value that is replaced says.
package enum RedactedKind: String, Sendable, CaseIterable {
    case address
    /// A UUID, or whatever stands where one is expected, such as the name of a record.
    case id
    /// The name of a meter.
    case meter
    /// The name of a device, or its id where that is no UUID.
    case device
    case text, number, blob

    /// Kinds of texts that are neither addresses nor ids, the one that says most first.
    static let ofTexts: [RedactedKind] = [.meter, .device, .text]

    /// Whether it says more of a text than another kind does.
    static func < (one: RedactedKind, other: RedactedKind) -> Bool {
        ofTexts.firstIndex(of: one) ?? 0 < ofTexts.firstIndex(of: other) ?? 0
    }

    /// What a replacement begins with.
    var word: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// What was replaced.
package struct RedactionTally: Sendable {
    /// How many values of each kind were replaced, the same ones as often as they are there.
    package private(set) var counts: [RedactedKind: Int] = [:]
    /// How many values nobody could know to be harmless, by where they are.
    package private(set) var unknown: [String: Int] = [:]

    mutating func count(_ kind: RedactedKind) { counts[kind, default: 0] += 1 }

    mutating func unknown(_ place: String) { unknown[place, default: 0] += 1 }
}
