internal import Texts

/// One entry of a dump, as it is there.
package struct DumpEntry: Sendable {
    package let dictionary: LegacyDictionary
    /// An address, if all is well.
    package let key: String
    package let value: DumpValue

    package init(dictionary: LegacyDictionary, key: String, value: DumpValue) {
        self.dictionary = dictionary
        self.key = key
        self.value = value
    }
}

/// Keys are compared by bytes.
extension DumpEntry: Hashable {
    package static func == (left: DumpEntry, right: DumpEntry) -> Bool {
        left.dictionary == right.dictionary && left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(dictionary)
        for byte in key.utf8 { hasher.combine(byte) }
        hasher.combine(value)
    }
}

extension DumpEntry {
    /// Names before units, each by the bytes of its keys.
    package func precedes(_ other: DumpEntry) -> Bool {
        guard dictionary == other.dictionary else { return dictionary == .meterNames }
        return key.isBefore(bytesOf: other.key)
    }
}

extension [DumpEntry] {
    /// The entries in their fixed order: names before units, each by the bytes of its keys.
    package func inFixedOrder() -> [DumpEntry] {
        guard count > 1 else { return self }
        // Most dumps are in order.
        var last = SortRank(self[0], index: 0)
        let isInOrder = indices.dropFirst().allSatisfy { index in
            let rank = SortRank(self[index], index: index)
            defer { last = rank }
            return !rank.precedes(last, in: self)
        }
        if isInOrder { return self }
        var ranks = indices.map { SortRank(self[$0], index: $0) }
        ranks.sort { $0.precedes($1, in: self) }
        return ranks.map { self[$0.index] }
    }
}

/// The first bytes of an entry's key as numbers: most comparisons need no more.
private struct SortRank {
    let index: Int
    private let dictionary: UInt8
    private let head: (UInt64, UInt64)

    init(_ entry: DumpEntry, index: Int) {
        self.index = index
        dictionary = entry.dictionary == .meterNames ? 0 : 1
        var key = entry.key
        head = key.withUTF8 { (Self.number(in: $0, from: 0), Self.number(in: $0, from: 8)) }
    }

    /// Eight bytes as a number with the same order; padded with zeros.
    private static func number(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> UInt64 {
        var number: UInt64 = 0
        for position in start..<start + 8 {
            number = number << 8 | (position < bytes.count ? UInt64(bytes[position]) : 0)
        }
        return number
    }

    func precedes(_ other: SortRank, in entries: [DumpEntry]) -> Bool {
        if dictionary != other.dictionary { return dictionary < other.dictionary }
        if head.0 != other.head.0 { return head.0 < other.head.0 }
        if head.1 != other.head.1 { return head.1 < other.head.1 }
        return entries[index].precedes(entries[other.index])
    }
}

/// The two dictionaries in which the app kept its settings before Core Data, by their keys.
package enum LegacyDictionary: String, Hashable, Sendable, CaseIterable {
    /// Address → name.
    case meterNames = "MeterNames"
    /// Address → unit.
    case temperatureUnits = "TC66TemperatureUnits"

    /// The field for the dictionary's values.
    package var field: SettingsField {
        switch self {
        case .meterNames: .meterName
        case .temperatureUnits: .tc66TemperatureUnit
        }
    }
}

/// The value of a key in a dump: text, or something that does not belong there but must not be lost.
package enum DumpValue: Sendable {
    package struct Member: Sendable {
        package let key: String
        package let value: DumpValue

        package init(_ key: String, _ value: DumpValue) {
            self.key = key
            self.value = value
        }
    }

    case text(String)
    /// UTF-16 with unpaired surrogates: text that a store cannot hold.
    case malformedText([UInt16])
    case null
    case bool(Bool)
    case integer(Int64)
    /// From 2^63 on.
    case unsigned(UInt64)
    case real(Double)
    case date(Timestamp)
    case data([UInt8])
    /// A reference of a keyed archive.
    case reference(UInt64)
    case list([DumpValue])
    /// In the byte order of the keys.
    case dictionary([Member])
}

extension DumpValue {
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The kind of value, in words.
    package var kind: String {
        switch self {
        case .text: "text"
        case .malformedText: "text with an unpaired surrogate"
        case .null: "nothing"
        case .bool: "true or false"
        case .integer, .unsigned, .real: "a number"
        case .date: "a date"
        case .data: "data"
        case .reference: "a reference"
        case .list: "a list"
        case .dictionary: "a dictionary"
        }
    }

    /// Whether the user left this empty: no text, or one in which nobody sees anything.
    package var isEmpty: Bool {
        switch self {
        case .null: true
        case .text(let text): WhiteSpace.showsNothing(text)
        case .bool, .integer, .unsigned, .real, .date, .data, .malformedText, .reference, .list, .dictionary: false
        }
    }
}

/// Text is compared by bytes, as everywhere in a store; numbers by bits, so that a value always equals itself.
extension DumpValue: Hashable {
    package static func == (left: DumpValue, right: DumpValue) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.malformedText(let left), .malformedText(let right)): left == right
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        case (.date(let left), .date(let right)):
            left.secondsSince2001.bitPattern == right.secondsSince2001.bitPattern
        case (.data(let left), .data(let right)): left == right
        case (.reference(let left), .reference(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .malformedText(let units): hasher.combine(units)
        case .null: hasher.combine(0)
        case .bool(let flag): hasher.combine(flag)
        case .integer(let number): hasher.combine(number)
        case .unsigned(let number): hasher.combine(number)
        case .real(let number): hasher.combine(number.bitPattern)
        case .date(let date): hasher.combine(date.secondsSince2001.bitPattern)
        case .data(let bytes): hasher.combine(bytes)
        case .reference(let number): hasher.combine(number)
        case .list(let values): hasher.combine(values)
        case .dictionary(let members): hasher.combine(members)
        }
    }
}

extension DumpValue.Member: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
    }

    package func hash(into hasher: inout Hasher) {
        for byte in key.utf8 { hasher.combine(byte) }
        hasher.combine(value)
    }
}

/// Why an entry of a dump cannot be used. Scripts rely on the words.
package enum RejectReason: String, Hashable, Sendable, CaseIterable {
    /// The key is not an address.
    case badAddress = "bad-address"
    /// The key is a placeholder for a hidden address.
    case placeholderAddress = "placeholder-address"
    /// The unit is neither `celsius` nor `fahrenheit` nor another way to write one of them.
    case unknownUnit = "unknown-unit"
    /// The value is what programs write for none: `NULL`.
    case noValue = "no-value"
    /// The value is a number, a list …
    case notText = "not-text"
    /// The dump has the address several times, with different values.
    case disagreeingSpellings = "disagreeing-spellings"

    /// The reason as part of a sentence: lower case, no full stop.
    package var explanation: String {
        switch self {
        case .badAddress: "the key is not an address"
        case .placeholderAddress: "the address is a placeholder for a hidden address, not a meter's"
        case .unknownUnit: "the unit is neither celsius nor fahrenheit"
        case .noValue: "programs write this for no value; if it is the name, `meterfix set --name` sets it"
        case .notText: "the value is not text"
        case .disagreeingSpellings: "another entry of the same address has another value"
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
