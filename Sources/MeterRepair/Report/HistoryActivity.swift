internal import CoreDataStore
internal import GRDB
package import MeterModel

/// How much was changed in a store, day by day and by whom, from its persistent history.
package struct HistoryActivity: Sendable {
    package enum Author: Hashable, Sendable {
        case meterfix
        /// Changes that came from another device.
        case cloudKit
        /// What the mirror notes for itself.
        case mirror
        /// By the name that the transaction has: its author, or else its app or its process.
        case named(String)
        case unnamed
    }

    /// Changes by the day, counted from 1 January 2001 in UTC.
    package private(set) var days: [Int: [Author: Int]] = [:]
    /// Changes without a date, or of a day on which no store had a history, or that is still to come.
    package private(set) var undated = 0

    /// What `now` is ahead of by no more than a day, a clock in another place may be.
    private let latest: Double

    init(now: Timestamp) { latest = now.secondsSince2001 + Self.day }

    /// Reads all transactions.
    /// - Throws: SQLite's errors, and `StoreError` where the user asked to stop.
    init(_ history: PersistentHistory, now: Timestamp, of path: String, _ database: Database) throws {
        self.init(now: now)
        var (saves, counted) = (0, 0)
        try history.forEachSave(database) { save, changes in
            saves += 1
            if saves & 0xFFF == 0 { try Interruption.check(path) }
            counted += changes
            add(changes, at: save.time, by: Self.author(save))
        }
        // Those without their transaction.
        undated += max(0, Int(try history.overview(database).changes) - counted)
    }

    /// - Parameter time: in seconds since 2001; nil where it is not known.
    mutating func add(_ changes: Int, at time: Double?, by author: Author) {
        guard changes > 0 else { return }
        guard let time, time >= 0, time <= latest else {
            undated += changes
            return
        }
        days[Int(time / Self.day), default: [:]][author, default: 0] += changes
    }

    private static let day = 86_400.0

    private static func author(_ save: PersistentHistory.Save) -> Author {
        switch CloudKitMirror.Work(save) {
        case .import: return .cloudKit
        case .export, .reset, .migration, .setup, .event: return .mirror
        case nil: break
        }
        guard save.author != HistoryWriter.author else { return .meterfix }
        return save.names.first.map(Author.named) ?? .unnamed
    }
}

extension HistoryActivity {
    /// What one bar of a chart stands for.
    package enum Unit: Hashable, Sendable {
        case day
        /// From Monday on.
        case week
        case month
        /// So many years.
        case years(Int)
    }

    /// Changes of so many days in a row.
    package struct Period: Hashable, Sendable {
        /// The first moment of it.
        package let start: Timestamp
        /// By the author's place in `Periods.authors`.
        package let changes: [Int]
    }

    /// The days in as many periods of equal kind as a chart has room for, from the first change to the last one; those
    /// without a change are among them.
    package struct Periods: Sendable {
        package let unit: Unit
        /// Who changed most comes first.
        package let authors: [Author]
        package let periods: [Period]
    }

    /// Nil where no change has a date.
    /// - Parameter most: periods at most.
    package func periods(most: Int) -> Periods? {
        guard let first = days.keys.min(), let last = days.keys.max() else { return nil }
        let unit = Self.unit(from: first, to: last, most: most)
        let start = unit.number(of: first)
        let count = unit.number(of: last) - start + 1
        let authors = authors
        let places = Dictionary(zip(authors, authors.indices), uniquingKeysWith: { first, _ in first })
        var table = Array(repeating: Array(repeating: 0, count: authors.count), count: count)
        for (day, changes) in days {
            let period = unit.number(of: day) - start
            for (author, count) in changes { if let place = places[author] { table[period][place] += count } }
        }
        return Periods(
            unit: unit, authors: authors,
            periods: table.enumerated().map { Period(start: unit.start(of: start + $0), changes: $1) })
    }

    private var authors: [Author] {
        var totals: [Author: Int] = [:]
        for changes in days.values { totals.merge(changes, uniquingKeysWith: +) }
        return totals.sorted { ($1.value, "\($0.key)") < ($0.value, "\($1.key)") }.map(\.key)
    }

    private static func unit(from first: Int, to last: Int, most: Int) -> Unit {
        for unit in [Unit.day, .week, .month] where unit.number(of: last) - unit.number(of: first) < most {
            return unit
        }
        var years = 1
        while Unit.years(years).number(of: last) - Unit.years(years).number(of: first) >= most { years += 1 }
        return .years(years)
    }
}

extension HistoryActivity.Unit {
    /// Periods are counted from 1 January 2001, which was a Monday.
    fileprivate func number(of day: Int) -> Int {
        switch self {
        case .day: return day
        case .week: return day / 7
        case .month:
            let (year, month) = Self.moment(day).yearAndMonth ?? (2001, 1)
            return (year - 2001) * 12 + month - 1
        case .years(let years): return ((Self.moment(day).yearAndMonth?.year ?? 2001) - 2001) / years
        }
    }

    fileprivate func start(of number: Int) -> Timestamp {
        switch self {
        case .day: Self.moment(number)
        case .week: Self.moment(number * 7)
        case .month: Self.start(year: 2001 + number / 12, month: number % 12 + 1)
        case .years(let years): Self.start(year: 2001 + number * years, month: 1)
        }
    }

    private static func moment(_ day: Int) -> Timestamp { Timestamp(secondsSince2001: Double(day) * 86_400) }

    private static func start(year: Int, month: Int) -> Timestamp {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return Timestamp(iso8601: "\(digits(year, 4))-\(digits(month, 2))-01") ?? moment(0)
    }
}
