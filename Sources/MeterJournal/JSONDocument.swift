package import JSON
package import MeterModel

/// The keys at the start of every JSON document of meterfix.
package enum JSONDocument {
    /// - Parameters:
    ///   - command: nil if the command line names none.
    ///   - store: nil if the document is not about one.
    package static func head(command: String?, store: String?) -> [JSONValue.Member] {
        [
            .init("schema", .integer(1)), .init("tool", "meterfix"), .init("version", .string(Version.current)),
            .init("command", JSONValue(command)), .init("store", JSONValue(store)),
        ]
    }
}

/// The version of meterfix.
package enum Version {
    package static let current = "0.1.0"
}

/// How a document represents the values of a store.
package enum DocumentForm {
    /// For a person or a script: dates as ISO 8601, binary as hex, UUIDs in their usual notation.
    case report
    /// As in a report if that is exact, otherwise so that the value is read back with every bit and in the same storage
    /// class (MIGRATIONS.md).
    case plan
}

/// A number as text that can be read back with every bit.
package enum ExactReal {
    /// The shortest decimal; for a NaN, of which there are many, its bits in hex.
    package static func text(of number: Double) -> String {
        number.isNaN ? "bits:" + String(number.bitPattern, radix: 16) : "\(number)"
    }

    package static func number(_ text: String) -> Double? {
        guard text.hasPrefix("bits:") else {
            let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            return isPlain ? Double(text) : nil
        }
        return UInt64(text.dropFirst(5), radix: 16).map(Double.init(bitPattern:))
    }
}

extension Timestamp {
    /// ISO 8601 if that is exact, otherwise seconds since 2001.
    package var document: JSONValue {
        exactISO8601.map(JSONValue.string) ?? ["seconds": .string(ExactReal.text(of: secondsSince2001))]
    }
}
