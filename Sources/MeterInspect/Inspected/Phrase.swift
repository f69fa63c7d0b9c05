package import MeterModel
internal import Texts

package enum Phrase {
    /// `1 record`, `2 records`.
    /// - Parameter plural: the noun's plural, if it is not the noun with an s.
    package static func count(_ number: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// `a, b and c`.
    package static func list(_ words: [String]) -> String { words.joinedByAnd }

    /// What waits for CloudKit: `2 uploads and 1 delete`, without what is zero.
    package static func waiting(uploads: Int, deletes: Int) -> String {
        let parts = [(uploads, "upload"), (deletes, "delete")].filter { $0.0 > 0 }
        return parts.isEmpty ? "nothing" : list(parts.map { count($0.0, $0.1) })
    }

    /// The first few of a list that may be long.
    package static func start(of words: [String], limit: Int = 5) -> String {
        guard words.count > limit else { return list(words) }
        return Array(words.prefix(limit)).joined(separator: ", ") + " and \(words.count - limit) more"
    }

    package static func start(of parts: [Sentence], limit: Int) -> Sentence {
        guard parts.count > limit else { return parts.joinedByAnd }
        return "\(Array(parts.prefix(limit)).joined(separator: ", ")) and \(parts.count - limit) more"
    }

    /// The size of a file: exact up to ten thousand bytes, in whole kilobytes (1,000 bytes) beyond.
    package static func size(ofBytes bytes: Int) -> String {
        bytes < 10_000 ? count(bytes, "byte") : "\((bytes + 500) / 1_000) kB"
    }

    /// A time span, to the millisecond.
    package static func seconds(_ seconds: Double) -> String {
        let rounded = (seconds * 1_000).rounded() / 1_000
        return "\(Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)") s"
    }
}

extension FieldValue {
    /// The value in a message: text is quoted, but not escaped: control characters are escaped where it is printed.
    package var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "the number \(value)"
        case .real(let value): "the number \(value)"
        case .text(let value): "\"\(value)\""
        case .malformedText(let bytes): "\(bytes.count) bytes of text that is not UTF-8"
        case .blob(let bytes): "\(bytes.count) bytes that are not text"
        }
    }

    /// The value of an attribute for a person: text in quotes, where white space and emptiness must be seen, a dash for
    /// NULL, and of bytes in the place of a text only how many they are. Control characters are escaped where it is printed.
    package func quoted(as kind: FieldKind) -> String {
        switch self {
        case .null: return "–"
        case .text, .malformedText: return "\"\(display(as: kind))\""
        case .blob where kind == .text: return shown
        case .integer, .real, .blob:
            let shown = display(as: kind)
            return isEmpty ? "\"\(shown)\"" : shown
        }
    }
}

extension ConnectionLock {
    /// The device that holds it, in a message.
    package var shownHolder: String { holder.map { "\"\($0)\"" } ?? "an unknown device" }
}

extension DeviceSettings {
    /// What nobody has again once the record is gone, each value with its field.
    package var irreplaceableTexts: [String] { irreplaceable.map { "\($0.field.name) \($0.value.shown)" } }
}

extension Timestamp {
    /// Before all others: for what has no date.
    static let distantPast = Timestamp(secondsSince2001: -.infinity)
}
