/// A meter that an import makes, and that may be another one, written wrongly.
package struct DoubtfulMeter: Hashable, Sendable {
    package let address: MACAddress
    package let other: MACAddress
    package let reason: Reason

    package init(_ address: MACAddress, looksLike other: MACAddress, _ reason: Reason) {
        self.address = address
        self.other = other
        self.reason = reason
    }

    package enum Reason: Hashable, Sendable {
        /// The other one has the same bytes from the end to the beginning, as some systems print them.
        case reversed
        /// One digit is another, or two have changed places, and the other one has no name.
        case slip

        /// As part of a sentence.
        package var words: String {
            switch self {
            case .reversed: "it is the other address with its bytes in reverse"
            case .slip: "it differs by a digit or by two that changed places, and the other meter has no name"
            }
        }
    }
}

extension MACAddress {
    /// The same bytes from the end to the beginning.
    package var reversed: MACAddress { MACAddress(bits: bits.byteSwapped >> 16) }
}
