package import JSON
package import MeterModel

/// The keys at the start of every JSON document of meterfix.
package enum JSONDocument {
    /// - Parameters:
    ///   - command: nil if the command line names none.
    ///   - store: nil if the document is not about one.
    package static func head(command: String?, store: String?) -> [JSONValue.Member] {
        [
            .init("schema", 1), .init("tool", "meterfix"), .init("version", Version.current), .init("command", command),
            .init("store", store),
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

/// As text that can be read back with every bit.
extension Double {
    /// The shortest decimal; for a NaN, of which there are many, its bits in hex.
    var exactText: String { isNaN ? "bits:" + String(bitPattern, radix: 16) : "\(self)" }

    init?(exactText text: String) {
        if text.hasPrefix("bits:") {
            guard let bits = UInt64(text.dropFirst(5), radix: 16) else { return nil }
            self.init(bitPattern: bits)
        } else {
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
            self.init(text)
        }
    }
}

extension Timestamp: JSONConvertible {
    /// As reports have it: ISO 8601, with microseconds at most.
    package var json: JSONValue { .string(description) }

    /// ISO 8601 if that is exact, otherwise seconds since 2001.
    package var document: JSONValue {
        exactISO8601.map(JSONValue.string) ?? ["seconds": secondsSince2001.exactText]
    }
}
