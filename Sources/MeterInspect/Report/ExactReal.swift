package import JSON
package import MeterModel

/// A number as text that is read back with every bit.
package enum ExactReal {
    /// The shortest decimal; for a NaN, which have many bit patterns, those bits in hex.
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
    /// ISO 8601 where that says it exactly, otherwise seconds since 2001.
    package var document: JSONValue {
        exactISO8601.map(JSONValue.string) ?? ["seconds": .string(ExactReal.text(of: secondsSince2001))]
    }
}

extension DeviceSettings.CloudRecord {
    /// Its name; an object for a record that CloudKit knows under no name.
    package var document: JSONValue { name.map(JSONValue.string) ?? ["name": .null] }
}
