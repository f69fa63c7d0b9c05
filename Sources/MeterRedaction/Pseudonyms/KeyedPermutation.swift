/// A permutation of the numbers from 0 up to a count, which nobody can follow without the key. Different numbers stay
/// different, and there is no table.
///
/// A Feistel network over the smallest square domain that has all the numbers (M. Luby and C. Rackoff, "How to Construct
/// Pseudorandom Permutations from Pseudorandom Functions", 1988); a result outside the count is permuted again until it
/// is inside ("cycle walking": J. Black and P. Rogaway, "Ciphers with Arbitrary Finite Domains", 2002).
struct KeyedPermutation {
    private let key: RedactionKey
    private let domain: RedactionKey.Domain
    private let tweak: UInt64
    private let count: UInt64
    /// Of one half of a number.
    private let bits: UInt64

    private static let rounds: UInt64 = 6

    /// - Parameters:
    ///   - count: at least 1.
    ///   - tweak: makes another permutation of the same numbers; less than 2⁵⁶.
    init(of count: UInt64, _ key: RedactionKey, _ domain: RedactionKey.Domain, tweak: UInt64) {
        self.key = key
        self.domain = domain
        self.tweak = tweak
        self.count = count
        bits = UInt64((64 - max(1, count - 1).leadingZeroBitCount + 1) / 2)
    }

    /// - Parameter number: less than the count.
    func callAsFunction(_ number: UInt64) -> UInt64 {
        var number = number
        repeat { number = permuted(number) } while number >= count
        return number
    }

    private func permuted(_ number: UInt64) -> UInt64 {
        let mask: UInt64 = 1 << bits - 1
        var (left, right) = (number >> bits, number & mask)
        for round in 0..<Self.rounds {
            (left, right) = (right, left ^ (key.number(domain, tweak << 8 | round, right) & mask))
        }
        return left << bits | right
    }
}
