/// Why an entry of a dump cannot be used. Scripts rely on the words.
package enum RejectReason: String, Hashable, Sendable, CaseIterable {
    /// The key is not an address.
    case badAddress = "bad-address"
    /// The key is a placeholder for a hidden address.
    case placeholderAddress = "placeholder-address"
    /// The unit is neither `celsius` nor `fahrenheit` nor another way to write one of them.
    case unknownUnit = "unknown-unit"
    /// The value is a number, a list …
    case notText = "not-text"
    /// The dump has the address written in several ways, with different values.
    case disagreeingSpellings = "disagreeing-spellings"

    /// The reason as part of a sentence: lower case, no full stop.
    package var explanation: String {
        switch self {
        case .badAddress: "the key is not an address"
        case .placeholderAddress: "the address stands for a hidden one, not for a meter"
        case .unknownUnit: "the unit is neither celsius nor fahrenheit"
        case .notText: "the value is not text"
        case .disagreeingSpellings: "the same address, written in another way, has another value"
        }
    }
}

/// An entry of a dump that was not imported.
package struct Reject: Hashable, Sendable {
    package let entry: DumpEntry
    package let reason: RejectReason

    package init(_ entry: DumpEntry, _ reason: RejectReason) {
        self.entry = entry
        self.reason = reason
    }

    package var key: String { entry.key }
    package var dictionary: LegacyDictionary { entry.dictionary }
    package var value: DumpValue { entry.value }
}
