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
