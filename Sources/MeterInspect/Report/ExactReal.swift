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
