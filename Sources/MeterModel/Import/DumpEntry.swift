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
        return key.utf8.lexicographicallyPrecedes(other.key.utf8)
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
