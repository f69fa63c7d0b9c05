package import CoreDataStore
package import GRDB
package import MeterModel

/// How much was changed in a store, day by day and by whom, from its persistent history.
package struct HistoryActivity: Sendable {
    /// Changes by the day, counted from 1 January 2001 in UTC.
    package private(set) var days: [Int: [Author: Int]] = [:]
    /// Changes without a date, or of a day on which no store had a history, or that is still to come.
    package private(set) var undated = 0

    /// What `now` is ahead of by no more than a day, a clock in another place may be.
    private let latest: Double

    init(now: Timestamp) { latest = now.secondsSince2001 + Self.day }

    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package init(_ history: PersistentHistory, now: Timestamp, of path: String, _ database: Database) throws {
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

    /// Whatever the mirror does for itself is one's.
    private static func author(_ save: PersistentHistory.Save) -> Author {
        let author = Author(save)
        return if case .mirror = author { .mirror(.event) } else { author }
    }
}

extension HistoryActivity {
    package enum Unit: Hashable, Sendable {
        case day
        /// From Monday on.
        case week
        case month
        case years(Int)
    }

    /// What one author changed on days that are close together.
    package struct Mark: Hashable, Sendable {
        /// Counted from 1 January 2001.
        package let first: Int
        package let last: Int
        package let changes: Int
    }

    package struct Lane: Hashable, Sendable {
        package let author: Author
        package let changes: Int
        package let marks: [Mark]
    }

    /// From the first change to the end of the day of the last one; nil where no change has a date.
    package var span: ClosedRange<Timestamp>? {
        guard let first = days.keys.min(), let last = days.keys.max() else { return nil }
        return Unit.moment(first)...Unit.moment(last + 1)
    }

    /// Who changed what, the one with the most changes first.
    /// - Parameter span: seconds: what an author changed nearer together than that is added up.
    package func lanes(apart span: Double) -> [Lane] {
        let near = span / Self.day
        var marks: [Author: [Mark]] = [:]
        for day in days.keys.sorted() {
            for (author, changes) in days[day, default: [:]] {
                if let last = marks[author]?.last, Double(day - last.first) < near {
                    marks[author]?.removeLast()
                    marks[author]?.append(Mark(first: last.first, last: day, changes: last.changes + changes))
                } else {
                    marks[author, default: []].append(Mark(first: day, last: day, changes: changes))
                }
            }
        }
        return marks.map { author, marks in
            Lane(author: author, changes: marks.reduce(0) { $0 + $1.changes }, marks: marks)
        }.sorted { ($1.changes, $0.author.place) < ($0.changes, $1.author.place) }
    }

    /// The beginnings of days, weeks, months or years in a span, as many as there is room for.
    package static func axis(of span: ClosedRange<Timestamp>, most: Int) -> (unit: Unit, starts: [Timestamp]) {
        func day(_ time: Timestamp) -> Int { Int(min(max(time.secondsSince2001 / Self.day, 0), 5_000_000)) }
        let (first, last) = (day(span.lowerBound), day(span.upperBound))
        let unit = unit(from: first, to: last, most: most)
        return (unit, (unit.number(of: first)...unit.number(of: last)).map(unit.start).filter(span.contains))
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

extension Author {
    fileprivate var place: String {
        switch self {
        case .otherDevice: "0"
        case .meterfix: "1"
        case .mirror: "2"
        case .program(let name?): "3\(name)"
        case .program(nil): "4"
        }
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

    fileprivate static func moment(_ day: Int) -> Timestamp { Timestamp(secondsSince2001: Double(day) * 86_400) }

    fileprivate static func start(year: Int, month: Int) -> Timestamp {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return Timestamp(iso8601: "\(digits(year, 4))-\(digits(month, 2))-01") ?? moment(0)
    }
}
