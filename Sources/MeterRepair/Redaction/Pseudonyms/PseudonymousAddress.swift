internal import MeterModel

/// Addresses in place of others.
///
/// Each keeps what checks look at: how many of its digits are letters, and, in the text, which of these are upper case,
/// the separators and the white space around it. So the letter case of a store stays, and so does whether an address is
/// canonical. Addresses with the same number of letters are permuted among each other, so that different ones stay
/// different.
struct PseudonymousAddress {
    private let key: RedactionKey

    init(_ key: RedactionKey) { self.key = key }

    /// A placeholder stays as it is, for it is nobody's.
    func replacement(of address: MACAddress) -> MACAddress {
        guard !address.isPlaceholder else { return address }
        let digits = Digits(address)
        let permutation = KeyedPermutation(
            of: Digits.count(ofLetters: digits.letters), key, .address, tweak: UInt64(digits.letters))
        var rank = digits.rank
        var result: MACAddress
        repeat {
            rank = permutation(rank)
            result = Digits(rank: rank, letters: digits.letters).address
        } while result.isPlaceholder
        return result
    }

    /// The replacement of an address in the notation of `text`.
    func replacement(of address: MACAddress, writtenAs text: [UInt8]) -> [UInt8] {
        var values = Digits(replacement(of: address)).values[...]
        var isUpper = text.filter { Hexadecimal.digit($0) ?? 0 > 9 }.map { $0 < UInt8(ascii: "a") }[...]
        return text.map { byte in
            guard Hexadecimal.digit(byte) != nil, let value = values.popFirst() else { return byte }
            guard value > 9 else { return UInt8(ascii: "0") + value }
            return (isUpper.popFirst() ?? true ? UInt8(ascii: "A") : UInt8(ascii: "a")) + value - 10
        }
    }

    /// The twelve digits of an address, and its place among all that have as many letters.
    private struct Digits {
        /// From the first to the last.
        let values: [UInt8]

        init(_ address: MACAddress) {
            values = (0..<12).map { UInt8(address.bits >> UInt64(44 - 4 * $0) & 0xF) }
        }

        var address: MACAddress { MACAddress(bits: values.reduce(0) { $0 << 4 | UInt64($1) }) }

        var letters: Int { values.count { $0 > 9 } }

        /// How many addresses have so many letters: where they are, times which they are, times the other digits.
        static func count(ofLetters letters: Int) -> UInt64 { ways(letters, of: 12) * fillings(letters) }

        private static func fillings(_ letters: Int) -> UInt64 {
            (0..<12).reduce(1) { product, index in product * (index < letters ? 6 : 10) }
        }

        /// In how many ways so many of the places can be letters.
        private static func ways(_ letters: Int, of places: Int) -> UInt64 {
            guard letters >= 0, letters <= places else { return 0 }
            return (0..<letters).reduce(1) { $0 * UInt64(places - $1) / UInt64($1 + 1) }
        }

        /// The places of the letters by the combinatorial number system, then all digits as one number of mixed radix.
        var rank: UInt64 {
            var subset: UInt64 = 0
            var remaining = letters
            var filling: UInt64 = 0
            for (index, value) in values.enumerated() {
                if value > 9 {
                    remaining -= 1
                    filling = filling * 6 + UInt64(value - 10)
                } else {
                    // All in which a letter is here come first.
                    subset += Self.ways(remaining - 1, of: 11 - index)
                    filling = filling * 10 + UInt64(value)
                }
            }
            return subset * Self.fillings(letters) + filling
        }

        init(rank: UInt64, letters: Int) {
            var subset = rank / Self.fillings(letters)
            var remaining = letters
            let areLetters = (0..<12).map { index in
                let first = Self.ways(remaining - 1, of: 11 - index)
                guard remaining > 0, subset < first else {
                    subset -= first
                    return false
                }
                remaining -= 1
                return true
            }
            var filling = rank % Self.fillings(letters)
            var values: [UInt8] = []
            for isLetter in areLetters.reversed() {
                let radix: UInt64 = isLetter ? 6 : 10
                values.append(UInt8(filling % radix) + (isLetter ? 10 : 0))
                filling /= radix
            }
            self.values = values.reversed()
        }
    }
}
