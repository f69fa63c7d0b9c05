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

/// Moves dates to the past by one secret number of whole seconds, between a month and thirteen months.
///
/// What a store says of itself depends on how its dates lie to each other and to now: a lock is held until it expires, a
/// date may be ahead. So the dates from `start` on stay, those before it are moved, and `start` is chosen so that no lock
/// that is held now is torn apart. Checks then find the same in the copy, now and at any later time.
struct DateShift: Sendable {
    /// Seconds.
    let amount: Double
    /// Dates from here on stay; seconds since 2001.
    let start: Double

    /// Moves nothing.
    static let none = DateShift(amount: 0, start: -.infinity)

    /// - Parameter inseparable: pairs of dates, the earlier first, of which either both are moved or neither.
    init(_ key: RedactionKey, now: Double, inseparable: [ClosedRange<Double>]) {
        let month = 30 * 86_400.0
        amount = month + Double(key.number(.dates, 0, 0) % UInt64(12 * month))
        // Once a pair lies behind the start, an earlier start does not separate it again.
        start = inseparable.sorted { $0.upperBound > $1.upperBound }.reduce(now) { start, pair in
            pair.upperBound >= start ? min(start, pair.lowerBound) : start
        }
    }

    private init(amount: Double, start: Double) {
        self.amount = amount
        self.start = start
    }

    /// - Parameter date: seconds since 2001.
    func callAsFunction(_ date: Double) -> Double { date < start ? date - amount : date }

    /// By how much a date is moved.
    func offset(at date: Double) -> Double { self(date) - date }
}
