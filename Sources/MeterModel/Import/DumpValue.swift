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
        case .integer, .real: "a number"
        case .date: "a date"
        case .data: "data"
        case .reference: "a reference"
        case .list: "a list"
        case .dictionary: "a dictionary"
        }
    }

    /// Whether the user left this empty: no text, or only white space.
    package var isEmpty: Bool {
        switch self {
        case .null: true
        case .text(let text): WhiteSpace.isAll(text)
        default: false
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
