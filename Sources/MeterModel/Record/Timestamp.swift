/// A moment as Core Data stores one: seconds since 2001-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var secondsSince2001: Double

    public init(secondsSince2001: Double) { self.secondsSince2001 = secondsSince2001 }

    /// From seconds since 1970-01-01T00:00:00Z.
    package init(secondsSince1970: Double) { self.secondsSince2001 = secondsSince1970 - Self.unixEpochOffset }

    /// 2001-01-01 in seconds since 1970-01-01.
    package static let unixEpochOffset: Double = 978_307_200

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.secondsSince2001 < right.secondsSince2001
    }

    /// The time from `other` to this one, in seconds.
    public func seconds(since other: Timestamp) -> Double { secondsSince2001 - other.secondsSince2001 }

    /// Seconds by which clocks may differ. (Time zones do not matter, because dates are in UTC.)
    package static let clockAllowance: Double = 86_400

    /// Whether a clock may have said so. `Date.distantPast`, `Date.distantFuture` and a date that nobody set are outside
    /// of the years 2007 … 3999: they count as none wherever dates are compared.
    package var isPlausible: Bool { (189_302_400..<63_082_281_600).contains(secondsSince2001) }

    /// Nil for a date that counts as none.
    package var ifPlausible: Timestamp? { isPlausible ? self : nil }

    /// Whether a clock that was ahead wrote it.
    package func isAhead(of now: Timestamp) -> Bool { seconds(since: now) > Self.clockAllowance }
}

/// A moment as people read it, always in UTC and in English, whatever the locale is.
extension Timestamp {
    /// How much of the time of day is written.
    package enum Precision: Sendable {
        case minute, second
    }

    /// `22 Nov 2026, 00:03`, or `22 Nov 2026, 00:03:12`; what is smaller is left out, not rounded. A date outside the
    /// years 0 … 9999 is its number of seconds, as in ISO 8601.
    package func calendarText(to precision: Precision = .minute) -> String {
        guard let text = isoText, let (_, month) = yearAndMonth, let day else { return description }
        let time = Self.part(of: text, precision == .minute ? 11..<16 : 11..<19)
        return "\(day) \(Self.months[month - 1]) \(Self.part(of: text, 0..<4)), \(time)"
    }

    /// How much of the date is written.
    package enum CalendarUnit: Sendable {
        case day, month, year
    }

    /// `22 Nov 2026`, `Nov 2026` or `2026`; nil for a date that is no number, or outside the years 0 … 9999.
    package func dateText(to unit: CalendarUnit) -> String? {
        guard let (year, month) = yearAndMonth, let day else { return nil }
        return switch unit {
        case .day: "\(day) \(Self.months[month - 1]) \(year)"
        case .month: "\(Self.months[month - 1]) \(year)"
        case .year: "\(year)"
        }
    }

    /// The month counts from 1. Nil for a date that is no number, or outside the years 0 … 9999.
    package var yearAndMonth: (year: Int, month: Int)? {
        guard let text = isoText, let year = Int(Self.part(of: text, 0..<4)),
            let month = Int(Self.part(of: text, 5..<7))
        else { return nil }
        return (year, month)
    }

    /// Of the month, from 1. Nil for a date that is no number, or outside the years 0 … 9999.
    package var day: Int? { isoText.flatMap { Int(Self.part(of: $0, 8..<10)) } }

    /// `3 hours ago`, `in 2 days` or `now`, in the largest unit of which there is one, or two months or years. Nil for
    /// a date that is no number, or outside the years 0 … 9999.
    package func distance(from now: Timestamp) -> String? {
        let seconds = self.seconds(since: now)
        guard seconds.isFinite, isoText != nil else { return nil }
        let span = abs(seconds)
        guard span >= 1 else { return "now" }
        let month = 30.436875 * 86_400
        let (count, unit) =
            switch span {
            case ..<60: (span, "second")
            case ..<3_600: (span / 60, "minute")
            case ..<86_400: (span / 3_600, "hour")
            case ..<(2 * month): (span / 86_400, "day")
            case ..<(24 * month): (span / month, "month")
            default: (span / (12 * month), "year")
            }
        let amount = Int(count) == 1 ? "1 \(unit)" : "\(Int(count)) \(unit)s"
        return seconds < 0 ? "\(amount) ago" : "in \(amount)"
    }

    /// To the second; nil for a date that is no number, or outside the years 0 … 9999.
    private var isoText: String? {
        Int64(exactly: secondsSince2001.rounded(.down)).flatMap(Timestamp.iso8601(wholeSecondsSince2001:))
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A part of a text of ASCII.
    private static func part(of text: String, _ range: Range<Int>) -> Substring {
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        return text[start..<text.utf8.index(start, offsetBy: range.count)]
    }
}
