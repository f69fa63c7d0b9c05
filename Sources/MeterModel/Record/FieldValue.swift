internal import Texts

/// A stored value of a record, as SQLite holds it, so that moving it to another record changes no byte.
package enum FieldValue: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// Text that is not valid UTF-8.
    case malformedText([UInt8])
    case blob([UInt8])
}

/// What kind of value an attribute holds; decides how a stored value is read and shown.
package enum FieldKind: String, Sendable, Hashable {
    case text, date, uuid, integer, boolean, real, binary
}

/// Equal bytes, and numbers equal as SQLite compares them: a whole date is stored as INTEGER or REAL alike.
/// Text is compared by bytes, not by canonical equivalence: the app and SQLite do so too.
extension FieldValue: Hashable {
    package static func == (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.integer(let left), .real(let right)), (.real(let right), .integer(let left)):
            Int64(exactly: right) == left
        case (.text(let left), .text(let right)):
            left.utf8.count == right.utf8.count && left.order(byBytesOf: right) == 0
        case (.malformedText(let left), .malformedText(let right)): left == right
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value):
            if let whole = Int64(exactly: value) { hasher.combine(whole) } else { hasher.combine(value) }
        case .text(var value):
            value.withUTF8 { bytes in
                hasher.combine(bytes.count)
                hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
            }
        case .malformedText(let bytes), .blob(let bytes):
            hasher.combine(bytes.count)
            // To hash an array takes each byte by itself.
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}

extension FieldValue {
    /// A name, or another text, for a person; nil where there is none. Nobody may take the digits of bytes for a name.
    package var shownText: String? {
        if case .blob = self { return nil }
        return isEmpty ? nil : display(as: .text)
    }

    package var isNull: Bool { if case .null = self { true } else { false } }

    package var text: String? { if case .text(let value) = self { value } else { nil } }

    /// The date in a date column, stored as REAL, or as INTEGER if it is whole.
    package var timestamp: Timestamp? {
        switch self {
        case .integer(let value): Timestamp(secondsSince2001: Double(value))
        case .real(let value): Timestamp(secondsSince2001: value)
        case .null, .text, .malformedText, .blob: nil
        }
    }

    /// Whether the user left this empty: NULL, no bytes, or a text in which nobody sees anything.
    package var isEmpty: Bool {
        switch self {
        case .null: true
        case .integer, .real: false
        case .text(let value): WhiteSpace.showsNothing(value)
        case .malformedText(let bytes), .blob(let bytes): bytes.isEmpty
        }
    }

    /// Whether a user would miss it: it is not empty, the app can read it, and a unit is one that the app knows.
    package func isUsable(as field: SettingsField) -> Bool {
        switch field.settable {
        case .unit: text.flatMap(TemperatureUnit.init(rawValue:)) != nil
        case .name, nil: !isEmpty && isStored(as: field.kind)
        }
    }

    /// Whether a user takes both for the same: texts that read alike, or in the field of the unit two words for one.
    package func meansTheSame(as other: FieldValue, in field: RecordLayout.Field) -> Bool {
        if field.known?.settable == .unit, let unit = understoodUnit, unit == other.understoodUnit { return true }
        return readsLike(other)
    }

    /// The unit that it means, in whatever words; nil for what names none.
    package var understoodUnit: TemperatureUnit? { text.flatMap(TemperatureUnit.init(understanding:)) }

    /// Whether a reader takes both for the same text: equal but for letter case, Unicode normalisation, and white space at
    /// either end.
    package func readsLike(_ other: FieldValue) -> Bool {
        guard case .text(let left) = self, case .text(let right) = other else { return self == other }
        // (Swift compares strings by canonical equivalence. In capitals first: "ß" is "SS" to Unicode's case folding.)
        func folded(_ text: String) -> String { WhiteSpace.trimmed(text).uppercased().lowercased() }
        return left.utf8.elementsEqual(right.utf8) || folded(left) == folded(right)
    }

    /// The bytes of a text or a blob, for ordering; nil for NULL and numbers.
    package var bytes: [UInt8]? {
        switch self {
        case .null, .integer, .real: nil
        case .text(let value): Array(value.utf8)
        case .malformedText(let bytes), .blob(let bytes): bytes
        }
    }
}

extension FieldValue {
    /// The value for a person, without quotes; empty for NULL. Control characters are not escaped: that is up to
    /// whoever shows it.
    package func display(as kind: FieldKind) -> String {
        if kind == .date, let timestamp { return timestamp.description }
        return switch self {
        case .null: ""
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let text): text
        case .malformedText(let bytes): String(decoding: bytes, as: UTF8.self)
        case .blob(let bytes):
            kind == .uuid && bytes.count == 16 ? Hexadecimal.uuidText(of: bytes) : Hexadecimal.text(of: bytes)
        }
    }
}
