internal import Texts

/// Who is who, for the person who redacted the store and for nobody else.
package struct RedactionMap: Sendable {
    package struct Entry: Sendable {
        package let kind: RedactionTally.Kind
        package let original: String
        package let replacement: String
        /// Where it was found first.
        package let place: String
    }

    private var entries: [[UInt8]: Entry] = [:]

    mutating func add(_ kind: RedactionTally.Kind, _ original: [UInt8], _ replacement: [UInt8], in place: String) {
        guard entries[original] == nil else { return }
        entries[original] = Entry(
            kind: kind, original: String(decoding: original, as: UTF8.self),
            replacement: String(decoding: replacement, as: UTF8.self), place: place)
    }

    /// By kind, then by the original.
    package var sorted: [Entry] {
        let order = RedactionTally.Kind.allCases
        return entries.values.sorted { left, right in
            guard left.kind == right.kind else {
                return order.firstIndex(of: left.kind)! < order.firstIndex(of: right.kind)!
            }
            return left.original.isBefore(bytesOf: right.original)
        }
    }
}

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
